" A conflict keeps the edit and shows both values; :w! means it, :e! takes theirs.
call Someone('add Buy milk')
call OpenDetail(1)
call setline(1, 'Title: Buy bread')
call Someone('edit 1 --title "Buy wine" --tag theirs')
call WaitForMessage('was changed meanwhile')
write
call WaitForMessage('Somebody changed the field Title meanwhile: :w! overwrites that, :e! takes it.')
call assert_true(&modified)
call assert_equal('Title: Buy bread', getline(1))
call assert_equal(1, line('.'))
call assert_match('Title: Buy bread\n  you saw: Buy milk\n  now it is: Buy wine\nCompleted: no', Shown())
" A plain :w asks again; nothing is overwritten that was not shown.
write
call WaitFor('len(split(Said(), "Somebody changed the field Title", 1)) == 3')
call assert_match('Buy wine', Someone('list --all'))
call assert_true(&modified)
" The todo as it is now has to be read before it can be overwritten.
TodoRun list --limit 1
call WaitForMessage('+theirs')
call setline(5, 'Tags: mine')
write!
call WaitForSave()
call assert_match('Buy bread', Someone('list --all'))
call assert_equal(['mine', 'theirs'], sort(json_decode(Someone('--json show 1')).tags))
call assert_match('^Tags: .*theirs', getline(5))
call assert_notmatch('you saw', Shown())
call setline('$', 'My notes')
call Someone('edit 1 --subtitle "Their notes"')
write
call WaitForMessage('Somebody changed the notes meanwhile')
edit!
call WaitFor('getline("$") ==# "Their notes"')
call assert_false(&modified)
