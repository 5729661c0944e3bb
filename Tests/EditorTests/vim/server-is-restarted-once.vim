" A server that dies is started again, and that is said; one that dies soon again stays down.
call Someone('add Buy milk')
call OpenList(1)
let first = todostream#process()
call system('kill -9 ' .. first)
call WaitForMessage('it was started again.')
call assert_notequal(first, todostream#process())
call Someone('add Bread')
call WaitFor('line("$") == 3')
call OpenDetail(1)
call setline(1, 'Title: Buy wine')
call system('kill -9 ' .. todostream#process())
call WaitForMessage('again and stays down; :TodoRestart starts it.')
call assert_equal(0, todostream#process())
write
call WaitFor('len(split(Said(), "stays down", 1)) == 3')
call assert_true(&modified)
call assert_equal('Title: Buy wine', getline(1))
TodoRestart
call WaitForMessage('The server was started.')
write
call WaitForSave()
call assert_match('Buy wine', Someone('list --all'))
