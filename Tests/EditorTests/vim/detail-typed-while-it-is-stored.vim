" What is typed while a save is under way stays, and what others changed comes in around it.
call Someone('add Buy milk --subtitle Notes')
call OpenDetail(1)
call Someone('edit 1 --due 2030-01-02')
call WaitFor('getline(4) =~# "2030"')
call setline(1, 'Title: Bread')
call Someone('edit 1 --due 2031-01-02')
write
call setline('$', 'More notes')
call WaitForMessage('Stored #1 Bread')
call assert_true(&modified)
call assert_equal(['Title: Bread', 'Due: 2031-01-02', 'More notes'], [getline(1), getline(4), getline('$')])
write
call WaitForSave()
let todo = json_decode(Someone('--json show 1'))
call assert_equal(['Bread', '2031-01-02', 'More notes'], [todo.title, todo.due, todo.subtitle])
