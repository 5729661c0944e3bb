" What others change meanwhile takes nothing away that is being typed.
call Someone('add Buy milk')
call OpenList(1)
call GoTo(1)
func Meanwhile()
  call Someone('add Second')
  call Someone('edit 1 --tag home')
  call Someone('add Third')
  " The news has come when it is known how many there are.
  TodoRun list --limit 1
  call WaitForMessage('Third')
  call assert_equal(2, line('$'))
  call assert_equal('#1  [ ]   Buy milk and', getline(2))
endfunc
call Type("A and\<Cmd>call Meanwhile()\<CR> bread\<Esc>")
call WaitFor('line("$") == 4 && getline(4) =~# "Buy milk and bread *+home"')
call assert_equal(4, line('.'))
