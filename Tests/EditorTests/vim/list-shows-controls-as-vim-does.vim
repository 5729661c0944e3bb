" Nothing in a title breaks a line or is carried out; Vim shows it in its own notation.
call Someone("add \"$(printf 'Es\\033[31mcape \\342\\200\\256tfel \\tTab')\"")
call Someone("add '<Esc>:qall!<CR> %{1+1} \\ ` %'")
call OpenList(2)
call assert_equal("#1  [ ]   Es\<Esc>[31mcape \u202etfel \tTab", getline(3))
call assert_equal("#2  [ ]   <Esc>:qall!<CR> %{1+1} \\ ` %", getline(2))
redraw
call assert_match('Es\^\[\[31mcape <202e>tfel', join(map(range(1, 60), 'screenstring(win_screenpos(0)[0] + 2, v:val)'), ''))
call cursor(3, 1)
call Type('dd')
call WaitForMessage('Deleted #1 Es^[[31mcape <202e>tfel')
