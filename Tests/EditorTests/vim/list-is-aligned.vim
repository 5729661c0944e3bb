" Columns stand below each other whatever the titles are made of, and long titles are cut.
set columns=80
call Someone('add 日本語のタイトル --due 2030-01-01 --tag 家')
call Someone('add 🎉🎉 party --due 2030-01-02 --priority high')
call Someone('add ' .. repeat('long', 75) .. ' --due 2020-01-03 --tag home --project errands')
call Someone("add 'plain \"quoted\" | echo 1' --due 2030-01-04")
call OpenList(4)
let columns = map(getline(2, '$'), 'strdisplaywidth(v:val[: match(v:val, "\\%(due \\|late\\) \\u\\l\\l ") - 1])')
call assert_equal(1, len(uniq(copy(columns))), string(columns))
call assert_match('^#3  \[ \]   \%(long\)\+\l*…  late Fri 3 Jan 2020 .* +home project: errands$', getline(2))
call assert_match('^#2  \[ \] ! 🎉🎉 party', getline(4))
call assert_match('^#4  \[ \]   plain "quoted" | echo 1 ', getline(5))
call assert_equal([], filter(getline(1, '$'), 'v:val =~# "\\s$"'))
" What makes a column wide is gone: the others move with it.
call Someone('delete 3')
call WaitFor('line("$") == 4')
let narrow = map(getline(2, '$'), 'strdisplaywidth(v:val[: match(v:val, "\\%(due \\|late\\) \\u\\l\\l ") - 1])')
call assert_equal(1, len(uniq(copy(narrow))), string(narrow))
call assert_true(narrow[0] < columns[0])
