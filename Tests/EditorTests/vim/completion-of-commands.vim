" <Tab> completes words of todostream's language, from what is in the store; it never waits.
call Someone("add Buy milk --tag home --tag 'two words' --project errands")
call OpenList(1)
" <Tab> comes before the answer: what it wants is there when the next key is read.
func Tab(line)
  let g:words = split(a:line, ' ', 1)
  call WaitFor('!empty(todostream#complete#words(g:words[-1], getcmdline(), getcmdpos() - 1))')
endfunc
func Completed(text)
  call assert_equal(a:text, getcmdline())
endfunc
func Complete(keys, begun, whole)
  call Type(a:keys .. a:begun .. "\<Tab>\<Cmd>call Tab('" .. a:begun .. "')\<CR>\<Cmd>call Completed('" .. a:whole .. "')\<CR>\<C-c>")
endfunc
call Complete(':', 'Todo --ta', 'Todo --tag')
call Complete(':', 'TodoAdd Milk --tag h', 'TodoAdd Milk --tag home')
call Complete(':', 'TodoRun ed', 'TodoRun edit')
call Complete(':', 'vertical TodoEdit 1', 'vertical TodoEdit 1')
call Complete('f', '--proj', '--project')
call Complete('f', '--project e', '--project errands')
call Complete('a', 'Tea --due tomor', 'Tea --due tomorrow')
call Type("aMilk --tag tw\<Tab>\<Cmd>call Tab('tw')\<CR>\<CR>")
call WaitFor('getline(2) =~# "Milk *+two words"')
