" The detail of a todo: a buffer todostream://42 with its fields as header lines, an empty line, and its
" notes. Writing stores what was changed in it, and nothing else.
"
" b:todostream has the `id`; the `todo` as it was read; the lines of that, `base`; the `latest` that a
" conflict has shown; and whether a save is under way.
scriptencoding utf-8

" Header lines: label, and the member in JSON.
let s:fields = [['Title', 'title'], ['Completed', 'complete'], ['Priority', 'priority'],
      \ ['Due', 'due'], ['Tags', 'tags'], ['Project', 'project'], ['Deleted', 'deleted']]
" What no field is changed by, but a command: that for yes and that for no.
let s:switches = {'complete': ['todo/done', 'todo/reopen'], 'deleted': ['todo/delete', 'todo/restore']}

" By number: the lines that could not be stored after their buffer was unloaded.
let s:rescued = {}

call todostream#listen(function('todostream#detail#hear'))

" Opening {{{1

" Shows the detail of the todo that a reference names.
func! todostream#detail#open(reference, modifiers) abort
  let number = matchstr(a:reference, '^#\?\zs\d\+$')
  if number !=# '' | return todostream#show('todostream://' .. str2nr(number), a:modifiers) | endif
  call todostream#ask('todo/show', {'id': a:reference},
        \ {todo -> todostream#show('todostream://' .. todo.id, a:modifiers)})
endfunc

" Sets up the buffer, and reads the todo.
func! todostream#detail#read(id) abort
  setlocal buftype=acwrite bufhidden=hide noswapfile nobuflisted
  setlocal nomodifiable omnifunc=todostream#complete#omni
  call todostream#set_type('todostreamdetail')
  let b:todostream = {'id': a:id, 'base': [], 'latest': {}, 'is_saving': v:false, 'told': 0}
  augroup todostream_detail
    autocmd!
    autocmd ExitPre * call s:exit()
  augroup END
  let buffer = bufnr()
  call todostream#ask('todo/show', {'id': a:id}, {todo -> s:show(buffer, todo)})
endfunc

" The buffers of details that are loaded.
func! s:buffers() abort
  return filter(map(getbufinfo({'bufloaded': 1}), 'v:val.bufnr'),
        \ {_, buffer -> getbufvar(buffer, '&filetype') ==# 'todostreamdetail'
        \ && !empty(getbufvar(buffer, 'todostream'))})
endfunc

" Somebody has changed something: what is not edited follows.
func! todostream#detail#hear(method, params) abort
  if a:method !=# 'todo/changed' && a:method !=# 'started' | return | endif
  let ids = get(a:params, 'ids', v:null)
  for buffer in s:buffers()
    let state = getbufvar(buffer, 'todostream')
    if (type(ids) != v:t_list || index(ids, state.id) >= 0) && !state.is_saving
      call todostream#ask('todo/show', {'id': state.id}, function('s:follow', [buffer]))
    endif
  endfor
endfunc

func! s:follow(buffer, todo) abort
  let state = getbufvar(a:buffer, 'todostream')
  if !bufloaded(a:buffer) || empty(state) || state.is_saving | return | endif
  if !getbufvar(a:buffer, '&modified') | return s:show(a:buffer, a:todo) | endif
  let seen = max([state.told, state.todo.revision])
  if a:todo.revision > seen
    let state.told = a:todo.revision
    call todostream#error('#' .. state.id
          \ .. ' was changed meanwhile. Your edit is kept: :w merges it, :e! takes what is stored.')
  endif
endfunc

" Lines {{{1

" The labels in a line; they are the words of todostream's language, apart by blanks.
func! s:tags(text, lnum) abort
  let [words, open, _] = todostream#words#split(a:text)
  if open !=# '' | throw 'todostream:' .. a:lnum .. ':The quote ' .. open .. ' is never closed.' | endif
  return map(words, 'v:val.text')
endfunc

func! s:text(todo, member) abort
  let value = a:todo[a:member]
  if a:member ==# 'tags' | return join(map(copy(value), 'todostream#words#quote(v:val)'), ' ') | endif
  return type(value) == v:t_bool ? (value ? 'yes' : 'no') : type(value) == v:t_string ? value : ''
endfunc

func! s:lines(todo) abort
  let fields = filter(copy(s:fields), {_, field -> field[1] !=# 'deleted' || a:todo.deleted})
  let lines = map(fields, {_, field -> field[0] .. ': ' .. s:text(a:todo, field[1])})
  return map(lines, 'trim(v:val, " ", 2)') + [''] + split(a:todo.subtitle, "\n", 1)
endfunc

" Takes lines apart: by member its text and its line, and the notes.
func! s:parts(lines) abort
  let end = index(a:lines, '')
  if end < 0 | throw 'todostream:' .. len(a:lines) .. ':An empty line is missing between the fields and the notes.' | endif
  let parts = {'subtitle': {'text': join(a:lines[end + 1 :], "\n"), 'lnum': end + 2}}
  for lnum in range(1, end)
    let line = a:lines[lnum - 1]
    let label = matchstr(line, '^\a\+\ze\s*:')
    let field = filter(copy(s:fields), 'v:val[0] ==? label')
    if empty(field) | throw 'todostream:' .. lnum .. ':There is no such field; notes stand below an empty line.' | endif
    let member = field[0][1]
    if has_key(parts, member) | throw 'todostream:' .. lnum .. ':' .. label .. ' stands here twice.' | endif
    let parts[member] = {'text': trim(matchstr(line, ':\zs.*')), 'lnum': lnum}
  endfor
  return parts
endfunc

" Shows a todo as it is stored, whatever stands in the buffer.
func! s:show(buffer, todo) abort
  if !bufloaded(a:buffer) | return | endif
  let state = getbufvar(a:buffer, 'todostream')
  let is_first = empty(state.base)
  call extend(state, {'todo': a:todo, 'base': s:lines(a:todo), 'latest': {}})
  " What was there before it was read is nothing to go back to.
  let levels = getbufvar(a:buffer, '&undolevels')
  if is_first | call setbufvar(a:buffer, '&undolevels', -1) | endif
  call setbufvar(a:buffer, '&modifiable', 1)
  call todostream#set_lines(a:buffer, state.base)
  if is_first | call setbufvar(a:buffer, '&undolevels', levels) | endif
  call setbufvar(a:buffer, '&modified', 0)
  if has_key(s:rescued, state.id)
    call todostream#set_lines(a:buffer, remove(s:rescued, state.id))
    call setbufvar(a:buffer, '&modified', 1)
  endif
  call s:unmark(a:buffer)
endfunc

" Marks {{{1

" Points at a line: below it stands what is wrong, and the cursor goes there.
func! s:mark(buffer, lnum, texts) abort
  for window in win_findbuf(a:buffer)
    call win_execute(window, 'call cursor(' .. a:lnum .. ', 1)')
  endfor
  if !has('patch-9.0.0121') | return | endif
  if empty(prop_type_get('todostreamProblem', {'bufnr': a:buffer}))
    call prop_type_add('todostreamProblem', {'bufnr': a:buffer, 'highlight': 'todostreamProblem'})
  endif
  for text in a:texts
    call prop_add(a:lnum, 0, {'bufnr': a:buffer, 'type': 'todostreamProblem', 'text': '  ' .. text,
          \ 'text_align': 'below'})
  endfor
endfunc

func! s:unmark(buffer) abort
  if empty(prop_type_get('todostreamProblem', {'bufnr': a:buffer})) | return | endif
  call prop_remove({'type': 'todostreamProblem', 'bufnr': a:buffer, 'all': v:true})
endfunc

" A value on one line, as Vim writes what can't be seen.
func! s:shown(value) abort
  let text = type(a:value) == v:t_list
        \ ? join(map(copy(a:value), 'todostream#words#quote(v:val)'), ' ') : type(a:value) == v:t_string ? a:value
        \ : type(a:value) == v:t_bool ? (a:value ? 'yes' : 'no') : 'nothing'
  return strtrans(printf('%.200S', substitute(text, "\n", ' ⏎ ', 'g')))
endfunc

" Saving {{{1

" Stores what was changed. With force, also over what a conflict has shown.
func! todostream#detail#save(buffer, force) abort
  let state = getbufvar(a:buffer, 'todostream')
  if state.is_saving | return todostream#error('#' .. state.id .. ' is being stored already.') | endif
  if empty(state.base) | return todostream#error('#' .. state.id .. ' has not been read.') | endif
  call s:unmark(a:buffer)
  try
    let lines = getbufline(a:buffer, 1, '$')
    let requests = s:requests(state, s:parts(lines), s:parts(state.base),
          \ a:force && !empty(state.latest) ? state.latest : state.todo)
  catch /^todostream:/
    let [_, lnum, text; rest] = matchlist(v:exception, '^todostream:\(\d\+\):\(.*\)$')
    call s:mark(a:buffer, str2nr(lnum), [])
    return todostream#error(text)
  endtry
  if empty(requests)
    call todostream#tell('Nothing was changed.')
    return s:show(a:buffer, state.todo)
  endif
  call extend(state, {'is_saving': v:true, 'sent': lines})
  " :wq closes the window of a buffer that is written. It stays loaded, and is changed again if that fails.
  call setbufvar(a:buffer, '&modified', 0)
  call s:send(a:buffer, state, requests)
  if s:is_exiting || histget(':') =~# '^[: \t]*\%(wqa\|xa\)' | call s:finish_saving() | endif
endfunc

" What has to be asked for, so that the store has what the buffer has.
func! s:requests(state, new, old, seen) abort
  let common = {'id': a:state.id, 'expectedRevision': a:seen.revision}
  let [fields, requests] = [{}, []]
  for [label, member] in s:fields + [['Notes', 'subtitle']]
    if !has_key(a:old, member) | continue | endif
    if !has_key(a:new, member)
      throw 'todostream:1:' .. label .. ': is missing. A field without a value is cleared.'
    endif
    let text = a:new[member].text
    if text ==# a:old[member].text | continue | endif
    if has_key(s:switches, member)
      if index(['yes', 'no'], text) < 0
        throw 'todostream:' .. a:new[member].lnum .. ':' .. label .. ' is yes or no.'
      endif
      call add(requests, [s:switches[member][text ==# 'no'], common])
    elseif member ==# 'tags'
      let [before, after] = [a:state.todo.tags, s:tags(text, a:new[member].lnum)]
      " What somebody else has added or removed meanwhile stays added or removed.
      let others = filter(copy(a:seen.tags), 'index(before, v:val) < 0')
      let gone = filter(copy(before), 'index(a:seen.tags, v:val) < 0')
      let fields.tags = filter(after + others, 'index(gone, v:val) < 0')
    else
      let fields[member] = text
    endif
  endfor
  return (empty(fields) ? [] : [['todo/edit', extend(fields, common)]]) + requests
endfunc

func! s:send(buffer, state, requests) abort
  let [method, params] = a:requests[0]
  call todostream#request(method, params,
        \ {reply -> s:answered(a:buffer, a:state, a:requests[1:], reply)})
endfunc

func! s:answered(buffer, state, requests, reply) abort
  let a:state.is_saving = v:false
  " It may have been read anew, or unloaded, meanwhile.
  let is_here = bufloaded(a:buffer) && getbufvar(a:buffer, 'todostream') is a:state
  if has_key(a:reply, 'error')
    if is_here | return s:failed(a:buffer, a:state, a:reply.error) | endif
    if !bufloaded(a:buffer) | let s:rescued[a:state.id] = a:state.sent | endif
    return todostream#error(todostream#message(a:reply.error) .. ' :TodoEdit ' .. a:state.id .. ' shows it.')
  endif
  if !empty(a:requests)
    let a:state.is_saving = v:true
    return s:send(a:buffer, a:state, a:requests)
  endif
  let todo = a:reply.result
  call todostream#tell('Stored #' .. todo.id .. ' ' .. todo.title)
  if !is_here | return | endif
  if getbufline(a:buffer, 1, '$') ==# a:state.sent
    call s:show(a:buffer, todo)
  else
    call s:merge(a:buffer, a:state, todo)
  endif
endfunc

" Something was typed while the rest was stored: that stays, and everything else is as it is stored.
func! s:merge(buffer, state, todo) abort
  let [old, new] = [a:state.sent, s:lines(a:todo)]
  let stored = {}
  for line in new[: index(new, '') - 1] | let stored[matchstr(line, '^\a\+')] = line | endfor
  let lines = getbufline(a:buffer, 1, '$')
  let end = index(lines, '')
  for place in range(end)
    if index(old, lines[place]) >= 0
      let lines[place] = get(stored, matchstr(lines[place], '^\a\+'), lines[place])
    endif
  endfor
  if lines[end :] ==# old[index(old, '') :]
    let lines = lines[: end - 1] + new[index(new, '') :]
  endif
  call extend(a:state, {'todo': a:todo, 'base': new, 'latest': {}})
  call todostream#set_lines(a:buffer, lines)
endfunc

" The edit stays in its buffer. What is wrong stands below its field.
func! s:failed(buffer, state, error) abort
  call setbufvar(a:buffer, '&modified', 1)
  let data = get(a:error, 'data', {})
  let member = get({'untags': 'tags', 'completed': 'complete'}, get(data, 'field', ''), get(data, 'field', ''))
  let place = s:place(a:buffer, member)
  if a:error.code != 4
    let text = todostream#message(a:error)
    if place > 0 | call s:mark(a:buffer, place, [strtrans(text)]) | endif
    return todostream#error(text .. (empty(win_findbuf(a:buffer)) ? ' :TodoEdit ' .. a:state.id .. ' shows it.' : ''))
  endif
  call s:mark(a:buffer, max([1, place]), ['you saw: ' .. s:shown(get(data, 'expected', v:null)),
        \ 'now it is: ' .. s:shown(get(data, 'actual', v:null))])
  " What may be overwritten is what was shown, and not what comes behind it.
  call todostream#ask('todo/show', {'id': a:state.id}, {todo -> extend(a:state, {'latest': todo})})
  call todostream#error('Somebody changed ' .. (place > 0 ? s:label(member) : 'it')
        \ .. ' meanwhile: :w! overwrites that, :e! takes it.')
endfunc

func! s:label(member) abort
  for [label, member] in s:fields
    if member ==# a:member | return 'the field ' .. label | endif
  endfor
  return 'the notes'
endfunc

func! s:place(buffer, member) abort
  try
    return get(get(s:parts(getbufline(a:buffer, 1, '$')), a:member, {}), 'lnum', 0)
  catch /^todostream:/
    return 1
  endtry
endfunc

" Whether the command that is carried out ends Vim. :wqa asks nobody after it has written, and where Vim
" does not tell that it was given, the history does.
let s:is_exiting = v:false

func! s:exit() abort
  call s:finish_saving()
  let s:is_exiting = v:true
  call timer_start(0, {-> s:stay()})
endfunc

func! s:stay() abort
  let s:is_exiting = v:false
endfunc

" Waits for what is being stored, for two seconds: a save that fails keeps the buffer changed, and Vim
" then does not end.
func! s:finish_saving() abort
  let start = reltime()
  while reltimefloat(reltime(start)) < 2.0
        \ && !empty(filter(s:buffers(), 'getbufvar(v:val, "todostream").is_saving'))
    sleep 5m
  endwhile
endfunc

" vim: foldmethod=marker
