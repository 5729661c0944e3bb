" A long list is cut, and says so; --limit of one's own counts.
let g:todostream_limit = 3
let g:todostream_filter = '--open'
for title in ['a', 'b', 'c', 'd', 'e'] | call Someone('add ' .. title) | endfor
call Someone('done 5')
call OpenList(3)
call WaitFor('getline(1) =~# "^Todos --open  —  3 (there are more) shown, 4 open"')
call OpenList(4, '--limit 4')
call OpenList(2, '--open --limit 2')
