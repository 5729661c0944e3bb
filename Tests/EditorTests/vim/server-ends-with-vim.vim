" Vim asks it to end, and what was asked for just before is stored.
let package = split(&runtimepath, ',')[0]
call system('vim -N -u NORC -i NONE -n --not-a-term --cmd ' .. shellescape('set runtimepath^=' .. package)
      \ .. ' -c ' .. shellescape('TodoAdd Last words')
      \ .. ' -c ' .. shellescape('call writefile([todostream#process()], $HOME .. "/process")')
      \ .. ' -c qall! </dev/null >/dev/null 2>&1')
let process = readfile($HOME .. '/process')[0]
call assert_notequal('0', process)
call assert_match('Last words', Someone('list --all'))
call assert_notequal(0, system('kill -0 ' .. process .. ' 2>/dev/null; echo $?') + 0)
