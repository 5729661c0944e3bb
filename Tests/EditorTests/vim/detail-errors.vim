" An error points at its line, and the edit stays.
call Someone('add Buy milk')
call OpenDetail(1)
func Refused(lnum, text, message)
  call setline(a:lnum, a:text)
  call cursor(7, 1)
  write
  call WaitForMessage(a:message)
  call assert_equal(a:lnum, line('.'))
  call assert_true(&modified)
  call assert_equal(a:text, getline(a:lnum))
  edit!
  call WaitFor('!&modified && getline(1) ==# "Title: Buy milk"')
endfunc
call Refused(1, 'Title:', 'Please add a title.')
call Refused(2, 'Completed: perhaps', 'Completed is yes or no.')
call Refused(3, 'Priority: low', "'low' is not one of normal, high")
call Refused(4, 'Due: someday', "'someday' is no date")
call Refused(5, 'Wrong: field', 'There is no such field; notes stand below an empty line.')
call Refused(5, 'Tags: home ''two words', 'The quote '' is never closed.')
call Refused(5, 'Title: twice', 'Title stands here twice.')
call setline(4, 'Due: someday')
write
call WaitFor('Shown() =~# "Due: someday\n  .someday. is no date"')
edit!
call WaitFor('!&modified && getline(1) ==# "Title: Buy milk"')
4delete
write
call WaitForMessage('Due: is missing. A field without a value is cleared.')
%delete
call setline(1, 'nonsense')
write
call WaitForMessage('An empty line is missing between the fields and the notes.')
edit!
call WaitFor('!&modified && getline(1) ==# "Title: Buy milk"')
TodoEdit 42
call WaitForMessage('There is no todo #42.')
write
call WaitForMessage('#42 has not been read.')
TodoEdit @nobody
call WaitForMessage('@nobody')
