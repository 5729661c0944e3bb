" What is overdue is in the quickfix list, and each entry leads to its detail.
TodoOverdue
call WaitForMessage('Nothing is overdue.')
call Someone('add Late --due 2020-01-02 --tag home')
call Someone('add Later --due 2019-01-02')
call Someone('add Done --due 2019-01-02')
call Someone('done 3')
call Someone('add Future --due +3d')
call OpenList(4, '--all')
call Type('o')
call WaitFor('len(getqflist()) == 2')
call WaitFor('&buftype ==# "quickfix"')
call assert_equal(['due Wed 2 Jan 2019 Later ', 'due Thu 2 Jan 2020 Late +home'], map(getqflist(), 'v:val.text'))
call assert_equal('Overdue todos', getqflist({'title': 1}).title)
cc 2
call WaitFor('bufname() ==# "todostream://1" && getline(1) ==# "Title: Late"')
cclose
let g:todostream_location_list = 1
TodoOverdue
call WaitFor('&buftype ==# "quickfix"')
call assert_equal(2, len(getloclist(0)))
