" u and <C-r>, :TodoUndo and :TodoRedo go back and forth, and say what they did.
call Someone('add Buy milk')
call OpenList(1)
call Someone('edit 1 --title Bread')
call WaitFor('getline(2) =~# "Bread"')
call Type('u')
call WaitFor('getline(2) =~# "Buy milk"')
call WaitForMessage('Undid what cli did')
call Type("\<C-r>")
call WaitFor('getline(2) =~# "Bread"')
TodoUndo
call WaitFor('getline(2) =~# "Buy milk"')
TodoRedo
call WaitFor('getline(2) =~# "Bread"')
