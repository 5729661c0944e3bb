" A program that ends at once says why, and is not started for ever.
call writefile(['#!/bin/sh', 'echo starting $* >>"$HOME/started"', 'echo "no libedit here" >&2', 'exit 4'], $HOME .. '/broken')
call setfperm($HOME .. '/broken', 'rwxr-xr-x')
let g:todostream_command = [$HOME .. '/broken', '--quiet']
let g:todostream_store = '~/other store.sqlite'
Todo
call WaitForMessage('The server has ended (no libedit here) again and stays down; :TodoRestart starts it.')
TodoAdd Milk
call assert_equal(['starting --quiet serve --stdio --yes --store ' .. $HOME .. '/other store.sqlite'],
      \ uniq(readfile($HOME .. '/started')))
call assert_equal(2, len(readfile($HOME .. '/started')))
let g:todostream_command = 'todostream'
TodoRestart
call WaitFor('getline(1) =~# "0 shown, 0 open"')
TodoAdd Milk
call WaitFor('line("$") == 2')
call assert_match('Milk', Someone('--store "$HOME/other store.sqlite" list'))
