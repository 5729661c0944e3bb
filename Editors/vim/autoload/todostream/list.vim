" The list: a line a todo, as the store has them, whoever changes them.
"
" There is one, todostream://list. Its first line says what it shows; todo N stands on line N + 2 of
" s:shown, and a line is drawn again only if it differs.
scriptencoding utf-8

let s:name = 'todostream://list'
let s:words = get(g:, 'todostream_filter', '')
let s:todos = []
let s:is_cut = v:false
let s:counts = {}
let s:is_opening = v:false
let s:is_asking = v:false
let s:is_stale = v:false
let s:is_undrawn = v:false

call todostream#listen(function('todostream#list#hear'))

" Opening {{{1

" Shows the list of the todos that the words say.
func! todostream#list#open(words, modifiers) abort
  let s:is_opening = v:true
  try
    call todostream#show(s:name, a:modifiers)
  finally
    let s:is_opening = v:false
  endtry
  call s:ask(a:words ==# '' ? get(g:, 'todostream_filter', '') : a:words)
endfunc

" Sets up the buffer, and reads the list.
func! todostream#list#read() abort
  setlocal buftype=acwrite bufhidden=hide noswapfile nobuflisted nomodifiable undolevels=-1
  call todostream#set_type('todostreamlist')
  augroup todostream_list
    autocmd!
    autocmd ModeChanged,CursorHold,BufEnter <buffer> call s:catch_up()
    autocmd CmdwinLeave * call timer_start(0, {-> s:catch_up()})
    autocmd ExitPre * call todostream#edit#finish()
    autocmd VimResized * call todostream#list#draw()
  augroup END
  call todostream#list#draw()
  if !s:is_opening | call todostream#list#refresh() | endif
endfunc

func! todostream#list#close() abort
  if winnr('$') > 1 | close | else | bprevious | endif
endfunc

" Reading {{{1

func! todostream#list#refresh() abort
  call s:ask(s:words)
endfunc

" Asks for the todos that the words say. One request is under way at a time, so that no answer is
" overtaken by an older one.
func! s:ask(words) abort
  if s:is_asking
    let s:is_stale = v:true
    let s:next_words = a:words
    return
  endif
  let s:is_asking = v:true
  let s:is_stale = v:false
  let limit = get(g:, 'todostream_limit', 1000)
  let is_limited = a:words =~# '--limit\>'
  let line = 'list ' .. (is_limited ? '' : '--limit ' .. (limit + 1) .. ' ') .. a:words
  call todostream#request('line/run', {'line': line},
        \ {reply -> s:answered(a:words, is_limited ? -1 : limit, reply)})
endfunc

func! s:answered(words, limit, reply) abort
  let s:is_asking = v:false
  if has_key(a:reply, 'error')
    " The list stays as it was, and so do the words.
    call todostream#error(todostream#message(a:reply.error))
  else
    let s:words = a:words
    let s:todos = a:reply.result.value
    let s:is_cut = a:limit >= 0 && len(s:todos) > a:limit
    if s:is_cut | let s:todos = s:todos[: a:limit - 1] | endif
    call todostream#list#draw()
  endif
  if s:is_stale | call s:ask(s:next_words) | endif
endfunc

func! todostream#list#hear(method, params) abort
  if a:method ==# 'state/changed' && a:params.name ==# 'todo/counts'
    let s:counts = a:params.value
    call todostream#list#draw()
  elseif (a:method ==# 'todo/changed' || a:method ==# 'started') && bufloaded(s:name)
    call todostream#list#refresh()
  endif
endfunc

" Takes over a todo that the server has just given, before the whole list is read again.
func! todostream#list#replace(todo) abort
  call map(s:todos, {_, todo -> todo.id == a:todo.id ? a:todo : todo})
  call todostream#list#draw()
endfunc

" Drawing {{{1

" Whether the lines must stay as they are: a region is being selected, a title typed, or no window may
" be left.
func! s:is_busy() abort
  return getcmdwintype() !=# '' || todostream#edit#is_typing() || (bufnr() == bufnr(s:name) && mode() !~# '^[ncr]')
endfunc

func! s:catch_up() abort
  if s:is_undrawn && !s:is_busy() | call todostream#list#draw() | endif
endfunc

" Draws what has changed. In each window the cursor stays on its todo, and that on its row.
func! todostream#list#draw() abort
  let buffer = bufnr(s:name)
  if buffer < 0 || !bufloaded(buffer) | return | endif
  let s:is_undrawn = s:is_busy()
  if s:is_undrawn | return | endif
  let kept = []
  for window in win_findbuf(buffer)
    let [lnum, column] = getcurpos(window)[1:2]
    call add(kept, [window, s:id(buffer, lnum), lnum, column, getwininfo(window)[0].topline])
  endfor
  let todos = todostream#edit#with_kept(s:todos)
  let rows = todostream#rows#Of(todos, s:width(buffer))
  call setbufvar(buffer, '&modifiable', 1)
  let [first, last] = todostream#set_lines(buffer, [s:header()] + map(copy(rows), 'v:val.text'))
  call setbufvar(buffer, '&modifiable', 0)
  call setbufvar(buffer, '&modified', todostream#edit#is_unsaved())
  call setbufvar(buffer, 'todostream_ids', map(copy(todos), 'v:val.id'))
  call todostream#rows#Colour(buffer, rows, first, last)
  let ids = getbufvar(buffer, 'todostream_ids')
  for [window, id, lnum, column, topline] in kept
    let place = index(ids, id) + 2
    let line = id > 0 && place >= 2 ? place : min([max([lnum, 2]), len(ids) + 1])
    let top = topline == 1 ? 1 : max([1, line - (lnum - topline)])
    let view = {'lnum': line, 'col': column - 1, 'topline': top}
    call win_execute(window, 'call winrestview(' .. string(view) .. ')')
  endfor
endfunc

func! s:header() abort
  let shown = len(s:todos) .. (s:is_cut ? ' (there are more)' : '') .. ' shown'
  let counts = empty(s:counts) ? '' : ', ' .. s:counts.open .. ' open'
        \ .. (s:counts.overdue > 0 ? ', ' .. s:counts.overdue .. ' overdue' : '')
  return 'Todos' .. (s:words ==# '' ? '' : ' ' .. s:words) .. '  —  ' .. shown .. counts .. '  (g? help)'
endfunc

func! s:width(buffer) abort
  let windows = win_findbuf(a:buffer)
  return empty(windows) ? &columns : winwidth(windows[0])
endfunc

" Doing {{{1

func! s:id(buffer, lnum) abort
  let ids = getbufvar(a:buffer, 'todostream_ids', [])
  return a:lnum < 2 ? 0 : get(ids, a:lnum - 2, 0)
endfunc

" The todo on a line; an empty dictionary if there is none.
func! todostream#list#todo(lnum) abort
  let id = s:id(bufnr(s:name), a:lnum)
  return get(filter(copy(s:todos), 'v:val.id == id'), 0, {})
endfunc

func! s:todos_of(first, last) abort
  let todos = filter(map(range(a:first, min([a:last, line('$')])), 'todostream#list#todo(v:val)'),
        \ '!empty(v:val)')
  if empty(todos) | call todostream#error('There is no todo on this line.') | endif
  return todos
endfunc

" Completes the open ones, or opens them again if all are completed: what the person sees is what
" counts, not what somebody else has made of it meanwhile.
func! todostream#list#toggle(first, last) abort
  let todos = s:todos_of(a:first, a:last)
  if empty(todos) | return | endif
  let open = filter(copy(todos), '!v:val.complete')
  let [method, todos] = empty(open) ? ['todo/reopen', todos] : ['todo/done', open]
  call todostream#ask(method, {'ids': map(copy(todos), 'v:val.id')}, {result -> v:null})
endfunc

func! todostream#list#delete(first, last) abort
  let todos = s:todos_of(a:first, a:last)
  if empty(todos) | return | endif
  let ids = map(copy(todos), 'v:val.id')
  if len(ids) > 3 && confirm('Delete ' .. len(ids) .. ' todos?', "&Yes\n&No", 2) != 1 | return | endif
  let what = len(ids) > 1 ? len(ids) .. ' todos' : '#' .. ids[0] .. ' ' .. todos[0].title
  call todostream#ask('todo/delete', {'ids': ids},
        \ {result -> todostream#tell('Deleted ' .. what .. '; :TodoUndo takes it back.')})
endfunc

func! todostream#list#add() abort
  let words = todostream#complete#prompt('add ', 'Add: ', '')
  if words !=# '' | call todostream#run('add ' .. words) | endif
endfunc

func! todostream#list#filter() abort
  " Given up with <Esc> it is empty as well; a blank shows all.
  let words = todostream#complete#prompt('list ', 'Show (blank: all): ', s:words)
  if words !=# '' | call s:ask(trim(words)) | endif
endfunc

" Gives up a title that could not be stored, else takes back what was done last.
func! todostream#list#undo() abort
  if !todostream#edit#give_up() | call todostream#step('undo') | endif
endfunc

func! todostream#list#detail() abort
  for todo in s:todos_of(line('.'), line('.'))
    call todostream#detail#open(todo.id, get(g:, 'todostream_detail_modifiers', 'botright'))
  endfor
endfunc

" Overdue {{{1

" Puts what is overdue into the quickfix list; an entry leads to its detail.
func! todostream#list#overdue() abort
  let window = win_getid()
  call todostream#ask('todo/list', {'open': v:true, 'dueBefore': 'today', 'sort': 'due'},
        \ {todos -> s:list_overdue(todos, window)})
endfunc

func! s:list_overdue(todos, window) abort
  let today = strftime('%Y-%m-%d')
  let items = map(copy(a:todos), {_, todo -> {'filename': 'todostream://' .. todo.id, 'lnum': 1,
        \ 'text': join(['due', todostream#rows#Date(todo.due, today), todo.title, todostream#rows#Labels(todo)]), 'type': 'W'}})
  let list = {'title': 'Overdue todos', 'items': items}
  let is_local = get(g:, 'todostream_location_list', 0)
  if is_local
    call setloclist(a:window, [], ' ', list)
  else
    call setqflist([], ' ', list)
  endif
  if empty(items) | return todostream#tell('Nothing is overdue.') | endif
  if is_local && win_getid() != a:window | return | endif
  execute is_local ? 'lopen' : 'botright copen'
endfunc

" vim: foldmethod=marker
