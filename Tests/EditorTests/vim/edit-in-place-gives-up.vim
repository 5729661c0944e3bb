" <C-c> stores nothing, and the line is as it was.
call Someone('add Buy milk')
call OpenList(1)
call GoTo(1)
call Type("A and bread\<C-c>")
call WaitFor('getline(2) ==# "#1  [ ]   Buy milk"')
call assert_match('#1 \[ \] Buy milk\n', Someone('list --all'))
call assert_equal('n', mode())
