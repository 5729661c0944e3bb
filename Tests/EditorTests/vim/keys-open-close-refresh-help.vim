" <CR> opens the detail beside the list, R reads again, q closes, g? explains.
call Someone('add Buy milk')
call OpenList(1)
call GoTo(1)
call Type("\<CR>")
call WaitFor('bufname() ==# "todostream://1" && getline(1) ==# "Title: Buy milk"')
call assert_equal(2, winnr('$'))
close
call assert_equal('todostream://list', bufname())
call Type('R')
call WaitFor('line("$") == 2')
call Type('g?')
call assert_match('todostream.txt$', bufname())
close
new
call Type("\<C-w>p")
call Type('q')
call assert_equal(-1, bufwinnr('todostream://list'))
call OpenList(1)
only
call GoTo(1)
let g:todostream_detail_modifiers = 'vertical'
call Type("\<CR>")
call assert_equal(['row', 'todostream://1'], [winlayout()[0], bufname()])
only
call OpenList(1)
call Type('q')
call assert_notequal('todostream://list', bufname())
