" :TodoRun runs any line; more than a line of text has a window of its own.
call Someone('add Buy milk')
TodoRun done 1
call WaitForMessage('Completed #1 Buy milk')
TodoRun help add
call WaitFor('getline(1) =~# "Adds a todo"')
call assert_equal('nofile', &buftype)
call Type('q')
TodoRun ad "milk"
call WaitForMessage("no command 'ad'; did you mean 'add'?")
TodoRun show 42
call WaitForMessage('There is no todo #42.')
