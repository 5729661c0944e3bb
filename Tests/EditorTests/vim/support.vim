" What scenarios share. A scenario is sourced, and what it leaves in v:errors has failed it.

set nomore shortmess+=I noswapfile hidden
" A question that nobody answers must end the scenario, not keep it.
let s:patience = 20.0

" Waits until the expression is true, which is when the editor's own events have made it so.
func WaitFor(expression) abort
  let start = reltime()
  while reltimefloat(reltime(start)) < s:patience
    if eval(a:expression) | return v:true | endif
    sleep 5m
  endwhile
  call add(v:errors, expand('<sfile>') .. ': never came true: ' .. a:expression)
  throw 'scenario: never came true: ' .. a:expression
endfunc

" Runs a one-shot command of todostream in a process of its own, as another person would.
func Someone(words) abort
  let printed = system('todostream ' .. a:words)
  if v:shell_error | throw 'scenario: todostream ' .. a:words .. ': ' .. printed | endif
  return printed
endfunc

func FinishScenario() abort
  " An error that no one caught stops a sourced file, and Vim goes on to here.
  if v:errmsg !=# '' | call add(v:errors, v:errmsg) | endif
  if empty(v:errors) | qall! | endif
  call writefile(split(execute('messages'), "\n") + v:errors, '/dev/stderr', 'a')
  cquit 1
endfunc
