" Vim does not end while a title could not be stored; :w stores it as it is.
call Someone('add Buy milk')
call OpenList(1)
call GoTo(1)
func Meanwhile()
  call Someone('edit 1 --title "Their title"')
endfunc
call Type("ccMy title\<Cmd>call Meanwhile()\<CR>\<Esc>:q\<CR>")
call assert_match('No write since last change', v:errmsg)
call WaitForMessage("now it is 'Their title'")
let v:errmsg = ''
call assert_true(&modified)
call assert_equal('#1  [ ]   My title', getline(2))
" Both were shown, so it is meant.
TodoRun list --limit 1
call WaitForMessage('#1 [ ] Their title')
write
call WaitFor('!&modified')
call assert_match('My title', Someone('list --all'))
call Type("A!\<Esc>")
call WaitFor('!&modified && getline(2) ==# "#1  [ ]   My title!"')
