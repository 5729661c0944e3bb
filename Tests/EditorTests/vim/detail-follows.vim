" A detail that is not edited follows what others do; the cursor stays.
call Someone('add Buy milk --subtitle "Two bottles"')
call OpenDetail(1)
call cursor(8, 5)
call Someone('edit 1 --title "Buy wine" --due 2030-01-02')
call WaitFor('getline(1) ==# "Title: Buy wine"')
call assert_equal('Due: 2030-01-02', getline(4))
call assert_false(&modified)
call assert_equal([8, 5], [line('.'), col('.')])
call Someone('delete 1')
call WaitFor('getline(7) ==# "Deleted: yes"')
call setline(7, 'Deleted: no')
write
call WaitFor('line("$") == 8')
call assert_match('Buy wine', Someone('list --all'))
" What was changed in a buffer that no window shows is shown when it comes back.
enew
call Someone('edit 1 --title "Buy beer"')
TodoEdit #1
call WaitFor('getline(1) ==# "Title: Buy beer"')
