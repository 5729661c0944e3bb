" One clear message, and it is found as soon as it is there.
let path = $PATH
let $PATH = '/usr/bin:/bin'
Todo
call assert_equal(2, len(split(Said(), "There is no program 'todostream'. Install todostream, or name it in g:todostream_command.", 1)))
call assert_equal(2, len(split(Said(), 'todostream: ', 1)), Said())
let $PATH = path
" What refused it is forgotten with the next turn of Vim's own loop.
sleep 1m
Todo
call WaitFor('getline(1) =~# "0 shown, 0 open"')
