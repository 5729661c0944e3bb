" The fields are lines, the notes stand below; :w stores what was changed.
call Someone('add Buy milk --due 2030-01-02 --tag home --project errands --subtitle "Two bottles"')
call OpenDetail(1)
call assert_equal(['Title: Buy milk', 'Completed: no', 'Priority: normal', 'Due: 2030-01-02',
      \ 'Tags: home', 'Project: errands', '', 'Two bottles'], getline(1, '$'))
call assert_false(&modified)
call setline(1, 'Title: Buy "oat" milk 日本')
call setline(2, 'Completed: yes')
call setline(3, 'Priority: high')
call setline(4, 'Due: tomorrow')
call setline(5, 'Tags: home "two words" a,b ''say "hi"'' it\''s 家')
call setline(6, 'Project:')
call append('$', ['', '  of 3.5 %', ''])
write
call WaitForSave()
call WaitForMessage('Stored #1 Buy "oat" milk 日本')
let todo = json_decode(Someone('--json show 1'))
call assert_equal(['Buy "oat" milk 日本', v:true, 'high', v:null],
      \ [todo.title, todo.complete, todo.priority, todo.project])
call assert_equal("Two bottles\n\n  of 3.5 %\n", todo.subtitle)
call assert_equal(['a,b', 'home', "it's", 'say "hi"', 'two words', '家'], sort(todo.tags))
" The buffer shows what is stored.
call assert_equal(strftime('Due: %Y-%m-%d', localtime() + 86400), getline(4))
call assert_equal('Tags: home ''two words'' a,b ''say "hi"'' ''it''\''''s'' 家', getline(5))
call assert_equal(['', 'Two bottles', '', '  of 3.5 %', ''], getline(7, '$'))
call setline(2, 'Completed: no')
write
call WaitForSave()
call assert_equal(v:false, json_decode(Someone('--json show 1')).complete)
write
call WaitForMessage('Nothing was changed.')
" Unwritten, nothing is stored.
call setline(1, 'Title: Never')
edit!
call WaitFor('getline(1) =~# "oat"')
call assert_false(&modified)
