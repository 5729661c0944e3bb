" While the server is stopped Vim goes on; when it goes on, so does what was asked.
call Someone('add Buy milk')
call OpenList(1)
call system('kill -STOP ' .. todostream#process())
let start = reltime()
call GoTo(1)
call Type('x')
call Type("A and bread\<Esc>")
call Type("aWine\<CR>")
call Type("f--tag ho\<Tab>\<C-u>\<C-c>")
" More than a pipe holds.
for number in range(40) | execute 'TodoRun list' repeat('x', 4000) | endfor
TodoEdit 1
new
call Type("isomething else\<Esc>")
" Who waits for a stopped server waits for ever.
call assert_inrange(0.0, 20.0, reltimefloat(reltime(start)))
call system('kill -CONT ' .. todostream#process())
call WaitFor('Someone("list --all") =~# "Wine" && Someone("list --all") =~# "\\[x\\] Buy milk and bread"')
call WaitFor('getbufline("todostream://1", 1) == ["Title: Buy milk and bread"]')
