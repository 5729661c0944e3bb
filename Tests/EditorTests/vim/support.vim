" What scenarios share. A scenario is sourced, and what it leaves in v:errors has failed it.

set nomore shortmess+=I noswapfile hidden
" A question that nobody answers must end the scenario, not keep it.
let s:patience = 20.0 * str2nr(empty($EVENTMVVM_PATIENCE) ? '1' : $EVENTMVVM_PATIENCE)

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

" Waits until the detail in this buffer is stored.
func WaitForSave() abort
  call WaitFor('!b:todostream.is_saving')
  call assert_false(&modified)
endfunc

" Runs a one-shot command of todostream in a process of its own, as another person would.
func Someone(words) abort
  let printed = system('todostream ' .. a:words)
  if v:shell_error | throw 'scenario: todostream ' .. a:words .. ': ' .. printed | endif
  return printed
endfunc

" Types keys as a person does, mappings included.
func Type(keys) abort
  call feedkeys(a:keys, 'xt')
endfunc

" Opens the list, and waits until it shows so many todos.
func OpenList(count, words = '') abort
  execute 'Todo' a:words
  call WaitFor('len(get(b:, "todostream_ids", [])) == ' .. a:count)
endfunc

" Opens the detail of a todo, and waits until it is there.
func OpenDetail(number) abort
  execute 'TodoEdit' a:number
  call WaitFor('getline(1) =~# "^Title:"')
endfunc

" What was said so far, without what a scenario has echoed.
func Said() abort
  return substitute(execute('messages'), '\n', ' ', 'g')
endfunc

" Waits until a message has a text in it.
func WaitForMessage(text) abort
  call WaitFor('stridx(Said(), ' .. string(a:text) .. ') >= 0')
endfunc

" Puts the cursor on the line of a todo in the list.
func GoTo(number) abort
  call cursor(index(b:todostream_ids, a:number) + 2, 1)
endfunc

" What the screen shows, as one text.
func Shown() abort
  redraw
  return join(map(range(1, &lines), {_, row ->
        \ trim(join(map(range(1, &columns), 'screenstring(row, v:val)'), ''), ' ', 2)}), "\n")
endfunc

func FinishScenario() abort
  " An error that no one caught stops a sourced file, and Vim goes on to here.
  if v:errmsg !=# '' | call add(v:errors, v:errmsg) | endif
  " A server that a scenario has stopped would outlive it.
  if exists('*todostream#process') && todostream#process()
    call system('kill -CONT ' .. todostream#process())
  endif
  " Only this is the end: a Vim that has ended before it has failed.
  call writefile([], $HOME .. '/finished')
  if empty(v:errors) | qall! | endif
  call writefile(split(execute('messages'), "\n") + v:errors, '/dev/stderr', 'a')
  cquit 1
endfunc
