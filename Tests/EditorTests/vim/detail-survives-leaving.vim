" :wq leaves at once and stores; :wqa waits for what is stored, and a conflict keeps Vim.
call Someone('add Buy milk')
call OpenDetail(1)
split
enew
wincmd p
call setline(1, 'Title: Buy bread')
wq
call assert_equal(-1, bufwinnr('todostream://1'))
call WaitForMessage('Stored #1 Buy bread')
call assert_match('Buy bread', Someone('list --all'))
call OpenDetail(1)
call Someone('edit 1 --title Wine')
call WaitFor('getline(1) ==# "Title: Wine"')
call setline(1, 'Title: Beer')
call Someone('edit 1 --title Cider')
call Type(":wqa\<CR>")
call assert_equal('Title: Beer', getline(1))
call assert_true(&modified)
call assert_match('Cider', Someone('list --all'))
" So does :wq in the last window.
silent only
call Type(":wq\<CR>")
call assert_equal(['Title: Beer', 1], [getline(1), &modified])
call assert_match('^E162: No write since last change for buffer', v:errmsg)
let v:errmsg = ''
edit!
call WaitFor('getline(1) ==# "Title: Cider"')
" A save that fails when its window is closed keeps the buffer, and says where it is.
call setline(1, 'Title:')
split
enew
wincmd p
wq
call WaitForMessage('Please add a title. :TodoEdit 1 shows it.')
call assert_true(getbufvar('todostream://1', '&modified'))
TodoEdit 1
call assert_equal('Title:', getline(1))
enew
execute 'bunload!' bufnr('todostream://1')
TodoEdit 1
call WaitFor('getline(1) ==# "Title: Cider"')
call setline(1, 'Title: ')
write
enew
execute 'bunload!' bufnr('todostream://1')
call WaitFor('len(split(Said(), "Please add a title. :TodoEdit 1 shows it.", 1)) == 3')
TodoEdit 1
call WaitFor('getline(1) ==# "Title: " && &modified')
set nomodified
