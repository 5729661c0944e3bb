" While a region is selected the lines stay, so that what is deleted is what was selected.
call Someone('add First')
call Someone('add Second')
call OpenList(2)
call GoTo(2)
func Meanwhile()
  call Someone('add Third')
  TodoRun list --limit 1
  call WaitForMessage('Third')
  call assert_equal(3, line('$'))
endfunc
call Type("V\<Cmd>call Meanwhile()\<CR>d")
call WaitFor('b:todostream_ids == [3, 1]')
