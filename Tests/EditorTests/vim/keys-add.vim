" a asks for a title with its fields; :TodoAdd has them at once. An error says what is wrong.
call OpenList(0)
call Type("aBuy milk --tag home\<CR>")
call WaitFor('getline(2) =~# "Buy milk .*+home"')
call WaitForMessage('Added #1 Buy milk')
TodoAdd Ring the bank --priority high
call WaitFor('getline(2) =~# "! Ring the bank"')
call Type("aBuy --due someday\<CR>")
call WaitForMessage("'someday' is no date")
call assert_equal('Buy --due someday', histget('@', -1))
call Type("anever mind\<C-c>")
call assert_equal(3, line('$'))
