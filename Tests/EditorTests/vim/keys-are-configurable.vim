" Every key has a <Plug> that can be put elsewhere; without the default keys none is set.
let g:todostream_no_default_mappings = 1
nmap T <Plug>(todostream-toggle)
call Someone('add Buy milk')
call OpenList(1, '--all')
call GoTo(1)
call Type('T')
call WaitFor('getline(2) =~# "\\[x\\]"')
call assert_equal('', maparg('dd', 'n'))
call assert_equal('', maparg('a', 'n'))
call OpenDetail(1)
call assert_equal('', maparg('<C-Space>', 'i'))
