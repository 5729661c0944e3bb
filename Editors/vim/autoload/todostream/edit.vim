" Editing a title in the list, on its own line.
"
" While it is typed nothing is drawn. What could not be stored stays on its line, until it is stored or
" given up; the rest of the list goes on around it.

" By number: the title as it was seen, its revision, the text that is to be stored.
let s:edits = {}
" The number of the todo whose title is being typed; 0 if none is.
let s:typed = 0

" Whether a title is being typed.
func! todostream#edit#is_typing() abort
  return s:typed != 0
endfunc

" Whether there are titles that are not stored: Vim does not end without being told to.
func! todostream#edit#is_unsaved() abort
  return !empty(s:edits)
endfunc

" Stores, once more, the titles that were refused.
func! todostream#edit#store() abort
  for [id, edit] in items(s:edits)
    if has_key(edit, 'text') && !edit.is_sent | call s:send(str2nr(id), edit) | endif
  endfor
endfunc

" Waits, before Vim ends, for the titles that are being stored, for two seconds.
func! todostream#edit#finish() abort
  let start = reltime()
  while reltimefloat(reltime(start)) < 2.0 && !empty(filter(copy(s:edits), "get(v:val, 'is_sent', v:false)"))
    sleep 5m
  endwhile
endfunc

" Begins to type: `change` from nothing, `insert` at the cursor, `append` at the end.
func! todostream#edit#begin(how) abort
  let todo = todostream#list#todo(line('.'))
  if empty(todo) | return todostream#error('There is no todo on this line.') | endif
  let indent = todostream#rows#Indent()
  let column = max([col('.'), indent + 1])
  let edit = get(s:edits, todo.id, {'title': todo.title, 'revision': todo.revision, 'todo': todo})
  let edit.head = getline('.')[: indent - 1]
  let edit.lnum = line('.')
  let edit.lines = line('$')
  let text = a:how ==# 'change' ? '' : get(edit, 'text', todo.title)
  let s:edits[todo.id] = edit
  let s:typed = todo.id
  setlocal modifiable
  call setline('.', edit.head .. text)
  for key in ['<BS>', '<C-h>', '<C-w>', '<C-u>', '<Home>', '<Left>']
    execute 'inoremap <buffer>' key '<Cmd>call todostream#edit#key("<lt>' .. key[1:] .. '")<CR>'
  endfor
  for key in ['<Up>', '<Down>', '<PageUp>', '<PageDown>', '<C-Home>', '<C-End>']
    execute 'inoremap <buffer>' key '<Nop>'
  endfor
  augroup todostream_edit
    autocmd! * <buffer>
    autocmd TextChangedI,CursorMovedI <buffer> call s:guard()
    autocmd InsertLeave,BufLeave <buffer> call s:end()
  augroup END
  if a:how ==# 'insert' && column < col('$')
    call cursor(line('.'), column)
    startinsert
  else
    startinsert!
  endif
endfunc

" What a key does that could leave the title: it stays in it. This is no mapping with <expr>, which
" Vim may ask for what to do before it has inserted what was typed before.
func! todostream#edit#key(key) abort
  if !s:typed | return | endif
  let head = s:edits[s:typed].head
  let [before, after] = [strpart(getline('.'), len(head), col('.') - 1 - len(head)), strpart(getline('.'), col('.') - 1)]
  if a:key ==# '<C-u>' || a:key ==# '<Home>'
    let kept = ''
  elseif a:key ==# '<C-w>'
    let kept = substitute(before, '\%(\k\+\|\%(\k\@!\S\)\+\|\)\s*$', '', '')
  else
    let kept = strcharpart(before, 0, strchars(before, 1) - 1, 1)
  endif
  if a:key !=# '<Home>' && a:key !=# '<Left>' | call setline('.', head .. kept .. after) | endif
  call cursor(line('.'), len(head .. kept) + 1)
endfunc

" Keeps what stands before the title, and the cursor behind it; a pasted line end becomes a blank.
func! s:guard() abort
  if !s:typed | return | endif
  let edit = s:edits[s:typed]
  let more = line('$') - edit.lines
  if more > 0
    let after = col('$') - col('.')
    call setline(edit.lnum, join(getline(edit.lnum, edit.lnum + more), ' '))
    call deletebufline('%', edit.lnum + 1, edit.lnum + more)
    call cursor(edit.lnum, len(getline(edit.lnum)) + 1 - after)
  elseif line('.') != edit.lnum
    call cursor(edit.lnum, col('.'))
  endif
  let text = getline(edit.lnum)
  if strpart(text, 0, len(edit.head)) !=# edit.head
    call setline(edit.lnum, edit.head .. strpart(text, col('.') - 1))
    call cursor(edit.lnum, len(edit.head) + 1)
  elseif col('.') <= len(edit.head)
    call cursor(edit.lnum, len(edit.head) + 1)
  endif
endfunc

" Insert mode is left: what was typed is stored.
func! s:end() abort
  " CTRL-O comes back.
  if mode(1) =~# '^ni' || !s:typed | return | endif
  call s:guard()
  let [id, s:typed] = [s:typed, 0]
  autocmd! todostream_edit * <buffer>
  setlocal nomodifiable
  let edit = s:edits[id]
  let edit.text = strpart(getline(edit.lnum), len(edit.head))
  if edit.text ==# edit.title
    call remove(s:edits, id)
  elseif !get(edit, 'is_sent', v:false)
    call s:send(id, edit)
  endif
  " Insert mode is left only behind this.
  call timer_start(0, {-> todostream#list#draw()})
endfunc

func! s:send(id, edit) abort
  let a:edit.is_sent = v:true
  let text = a:edit.text
  call todostream#request('todo/edit',
        \ {'id': a:id, 'title': text, 'expectedRevision': a:edit.revision},
        \ {reply -> s:answered(a:id, a:edit, text, reply)})
endfunc

func! s:answered(id, edit, sent, reply) abort
  let a:edit.is_sent = v:false
  if has_key(a:reply, 'result')
    let todo = a:reply.result
    call extend(a:edit, {'title': todo.title, 'revision': todo.revision})
    if get(s:edits, a:id, {}) is a:edit && s:typed != a:id
      " It may have been edited once more before the answer came.
      if a:edit.text ==# a:sent | call remove(s:edits, a:id) | else | call s:send(a:id, a:edit) | endif
    endif
    return todostream#list#replace(todo)
  endif
  if a:reply.error.code == 4
    " The person has seen both titles: what is stored next is meant to replace this one.
    call todostream#ask('todo/show', {'id': a:id},
          \ {todo -> extend(a:edit, {'revision': todo.revision, 'title': todo.title})})
  endif
  call todostream#error(todostream#message(a:reply.error) .. ' Edit again, or u gives up.')
  call todostream#list#draw()
endfunc

" Gives up what is typed, or what could not be stored on this line; false if there is nothing.
func! todostream#edit#give_up() abort
  if s:typed
    let edit = s:edits[s:typed]
    call setline(edit.lnum, edit.head .. edit.title)
    return v:true
  endif
  let id = get(todostream#list#todo(line('.')), 'id', 0)
  let id = id ? id : get(b:todostream_ids, line('.') - 2, 0)
  if !has_key(s:edits, id) | return v:false | endif
  call remove(s:edits, id)
  call todostream#list#draw()
  return v:true
endfunc

" The todos with the titles that are not stored yet. One that the list has no longer comes last: what
" somebody has typed into it is still there.
func! todostream#edit#with_kept(todos) abort
  if empty(s:edits) | return a:todos | endif
  let left = copy(s:edits)
  let todos = []
  for todo in a:todos
    if has_key(left, todo.id)
      let edit = remove(left, todo.id)
      call add(todos, has_key(edit, 'text') ? extend({'edited': edit.text}, todo) : todo)
    else
      call add(todos, todo)
    endif
  endfor
  for edit in values(left)
    if has_key(edit, 'text') | call add(todos, extend({'edited': edit.text}, edit.todo)) | endif
  endfor
  return todos
endfunc
