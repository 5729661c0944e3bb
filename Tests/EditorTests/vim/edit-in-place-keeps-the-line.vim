" Nothing that is typed reaches what stands before the title, or another line.
call Someone('add Buy milk')
call Someone('add Other')
call OpenList(2)
call GoTo(1)
set backspace=indent,eol,start
call Type("cc\<BS>\<BS>\<C-u>\<C-w>\<Up>Bread\<Home>\<Del>b\<Esc>")
call WaitFor('Someone("list --all") =~# "#1 \\[ \\] bread"')
call WaitFor('getline(3) ==# "#1  [ ]   bread"')
call Type("ccone two\<C-w>三四\<BS>\<Left>\<Left>x\<Esc>")
call WaitFor('getline(3) ==# "#1  [ ]   onex 三"')
let @a = "two\nlines"
call Type("cc\<C-r>\<C-r>a end\<Esc>")
call WaitFor('Someone("list --all") =~# "#1 \\[ \\] two lines end"')
call WaitFor('getline(3) ==# "#1  [ ]   two lines end"')
call assert_match('Other', getline(2))
call assert_equal(3, line('$'))
