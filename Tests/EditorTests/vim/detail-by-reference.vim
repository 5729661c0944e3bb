" A todo can be named as anywhere in todostream; it has one buffer, whatever it was called.
call Someone('add Buy milk')
call Someone('add Bread')
call Someone('add ' .. repeat('x', 300))
let uuid = json_decode(Someone('--json show 2')).uuid
execute 'TodoEdit' uuid
call WaitFor('getline(1) ==# "Title: Bread"')
call assert_equal('todostream://2', bufname())
TodoEdit #1
call WaitFor('getline(1) ==# "Title: Buy milk"')
TodoEdit 2
call assert_equal('Title: Bread', getline(1))
vertical TodoEdit 1
call assert_equal(2, winnr('$'))
edit todostream://3
call WaitFor('getline(1) =~# "^Title: x\\{300}$"')
edit todostream://nonsense
call WaitForMessage("There is no buffer 'todostream://nonsense'")
