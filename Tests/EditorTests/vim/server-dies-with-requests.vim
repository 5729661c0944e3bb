" What was asked of a server that dies fails with a message, and the edit stays.
call Someone('add Buy milk')
call OpenDetail(1)
call setline(1, 'Title: Bread')
call system('kill -STOP ' .. todostream#process())
write
TodoAdd Wine
call system('kill -9 ' .. todostream#process())
call WaitForMessage('The server ended before it answered.')
call WaitForMessage('it was started again.')
call assert_equal(3, len(split(Said(), 'The server ended before it answered.', 1)))
call assert_true(&modified)
call assert_equal('Title: Bread', getline(1))
write
call WaitForSave()
