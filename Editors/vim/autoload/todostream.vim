" The server: one process for this Vim, what is asked of it, and what it tells.
"
" Nothing here waits for it, but for the end of Vim, and that for a second. Whoever asks gives a
" function, and that is called once: with what the server answers, or with the error that nobody will.

let s:job = v:null
" Why there is no server and none is started; empty when one may be.
let s:down = ''
let s:pending = {}
let s:number = 0
let s:listeners = []
let s:restarted = []
let s:last_error = ''
let s:is_leaving = v:false
" A server that ends again within so many seconds is not started again.
let s:patience = 30.0

" Messages {{{1

func! s:show(group, text) abort
  execute 'echohl' a:group
  for line in split(a:text, "\n")
    echomsg 'todostream: ' .. line
  endfor
  echohl None
endfunc

func! todostream#error(text) abort
  call s:show('ErrorMsg', a:text)
endfunc

func! todostream#tell(text) abort
  call s:show('None', a:text)
endfunc

" Asking {{{1

" Asks the server, and starts it if need be. Done is called with a dictionary: `result` or `error`.
func! todostream#request(method, params, Done) abort
  if s:job is v:null && !s:start()
    return a:Done({'error': {'code': 0, 'message': s:down}})
  endif
  call s:send(a:method, a:params, a:Done)
endfunc

" What an error says to a person: a place in the JSON that was sent is nothing to them.
func! todostream#message(error) abort
  return substitute(a:error.message, '^/[a-zA-Z/0-9]*: ', '', '')
endfunc

" Asks the server; an error is shown, a result is given to Done.
func! todostream#ask(method, params, Done) abort
  call todostream#request(a:method, a:params, {reply -> has_key(reply, 'error')
        \ ? todostream#error(todostream#message(reply.error)) : a:Done(reply.result)})
endfunc

" Listener is called with each notification: its method and its parameters. `started` is one of ours:
" what was asked for before must be asked for again.
func! todostream#listen(Listener) abort
  call add(s:listeners, a:Listener)
endfunc

" Runs a line of todostream's language, and shows what a person would read.
func! todostream#run(line) abort
  call todostream#ask('line/run', {'line': a:line, 'as': 'text'}, {result -> s:show_text(result)})
endfunc

" Undoes or redoes, and shows on one line what that did: what it says first, and the first change.
func! todostream#step(command) abort
  call todostream#ask('line/run', {'line': a:command, 'as': 'text'}, {result ->
        \ todostream#tell(join(map(split(result.text, "\n")[:1], 'trim(v:val)')))})
endfunc

func! s:show_text(result) abort
  let lines = split(a:result.text, "\n")
  if len(lines) < 2 | return todostream#tell(get(lines, 0, 'Done.')) | endif
  execute 'botright' min([len(lines), 12]) .. 'new'
  setlocal buftype=nofile bufhidden=wipe noswapfile nobuflisted nowrap
  call setline(1, lines)
  setlocal nomodifiable
  nnoremap <buffer> <silent> q :<C-u>close<CR>
endfunc

func! s:send(method, params, Done) abort
  let s:number += 1
  let number = s:number
  let s:pending[number] = a:Done
  try
    call ch_sendexpr(s:job, {'method': a:method, 'params': a:params},
          \ {'callback': {_, reply -> s:answered(number, reply)}})
  catch /^Vim\%((\a\+)\)\=:E\%(630\|631\|906\)/
    " It has just ended: all that is pending fails when Vim learns of it.
  endtry
endfunc

func! s:answered(number, reply) abort
  if has_key(s:pending, a:number)
    call remove(s:pending, a:number)(a:reply)
  endif
endfunc

func! s:heard(channel, message) abort
  let method = get(a:message, 'method', '')
  let params = get(a:message, 'params', {})
  if method ==# 'notice' | call todostream#error(params.message) | endif
  call s:pass_on(method, params)
endfunc

func! s:pass_on(method, params) abort
  for Listener in s:listeners
    call Listener(a:method, a:params)
  endfor
endfunc

" Its life {{{1

" The words by which the server is started.
func! s:command() abort
  let command = get(g:, 'todostream_command', 'todostream')
  let words = type(command) == v:t_list ? copy(command) : [command]
  let store = get(g:, 'todostream_store', '')
  " Who is asked before many are deleted is the person, and here, not there.
  return words + ['serve', '--stdio', '--yes'] + (store ==# '' ? [] : ['--store', expand(store)])
endfunc

func! s:start() abort
  if s:down !=# '' | return v:false | endif
  let command = s:command()
  if !executable(command[0])
    " It may be installed by the time it is asked for again, so this is not kept.
    return s:refuse("There is no program '" .. command[0]
          \ .. "'. Install todostream, or name it in g:todostream_command.")
  endif
  let s:last_error = ''
  let s:job = job_start(command, {'in_mode': 'lsp', 'out_mode': 'lsp', 'err_mode': 'nl',
        \ 'noblock': 1, 'out_cb': function('s:heard'), 'err_cb': function('s:complained'),
        \ 'exit_cb': {job, status -> timer_start(20, {-> s:ended(job, status)})}})
  call s:send('initialize', {'processId': getpid(),
        \ 'clientInfo': {'name': 'vim', 'version': string(v:version)}}, {reply -> v:null})
  call s:notify('initialized')
  call s:send('state/subscribe', {'name': 'todo/counts'}, {reply -> v:null})
  augroup todostream_leave
    autocmd!
    autocmd VimLeavePre * call s:leave()
  augroup END
  return v:true
endfunc

" Says why there is no server this once.
func! s:refuse(text) abort
  let s:down = a:text
  call timer_start(0, {-> s:forget()})
  return v:false
endfunc

func! s:forget() abort
  let s:down = ''
endfunc

func! s:notify(method) abort
  try
    call ch_sendexpr(s:job, {'method': a:method, 'params': {}})
  catch /^Vim\%((\a\+)\)\=:E\%(630\|631\|906\)/
  endtry
endfunc

func! s:complained(channel, line) abort
  if a:line !=# '' | let s:last_error = a:line | endif
endfunc

" The server has ended without being asked: what is pending fails, and it is started once more.
func! s:ended(job, status) abort
  if s:job isnot a:job | return | endif
  let s:job = v:null
  let pending = s:pending
  let s:pending = {}
  let how = 'The server has ended ('
        \ .. (s:last_error !=# '' ? s:last_error : 'exit status ' .. a:status) .. ')'
  let is_again = !empty(s:restarted) && reltimefloat(reltime(s:restarted)) < s:patience
  if is_again && !s:is_leaving
    let s:down = how .. ' again and stays down; :TodoRestart starts it.'
  endif
  for Done in values(pending)
    call Done({'error': {'code': 0, 'message': 'The server ended before it answered.'}})
  endfor
  if s:is_leaving | return | endif
  if is_again | return todostream#error(s:down) | endif
  let s:restarted = reltime()
  " Whoever's request has just failed may have started it already.
  if s:job isnot v:null || s:start()
    call todostream#error(how .. '; it was started again.')
    call s:pass_on('started', {})
  else
    call todostream#error(s:down)
  endif
endfunc

" Ends the server, if there is one, and starts another.
func! todostream#restart() abort
  let s:down = ''
  let s:restarted = []
  if s:job isnot v:null
    let job = s:job
    let s:job = v:null
    let [pending, s:pending] = [s:pending, {}]
    call job_stop(job)
    for Done in values(pending)
      call Done({'error': {'code': 0, 'message': 'The server was restarted before it answered.'}})
    endfor
  endif
  if s:job is v:null && !s:start() | return todostream#error(s:down) | endif
  call todostream#tell('The server was started.')
  call s:pass_on('started', {})
endfunc

" The number of the server's process; 0 if there is none.
func! todostream#process() abort
  return s:job is v:null ? 0 : job_info(s:job).process
endfunc

" Ends the server with Vim. It has stored what it was asked to when it answers `shutdown`.
func! s:leave() abort
  let s:is_leaving = v:true
  if s:job is v:null | return | endif
  let job = s:job
  call s:send('shutdown', {}, {reply -> s:notify('exit')})
  let start = reltime()
  while job_status(job) ==# 'run' && reltimefloat(reltime(start)) < 1.0
    sleep 5m
  endwhile
endfunc

" Buffers {{{1

" Reads a buffer whose name is todostream://list, or todostream:// and a number.
func! todostream#read(name) abort
  let reference = substitute(a:name, '^todostream://', '', '')
  if reference ==# 'list'
    call todostream#list#read()
  elseif reference =~# '^\d\+$'
    call todostream#detail#read(str2nr(reference))
  else
    call todostream#error("There is no buffer '" .. a:name .. "'; :TodoEdit opens a todo.")
  endif
endfunc

" Stores what is in such a buffer: of the list the titles that are not stored yet.
func! todostream#write(name, is_forced) abort
  if a:name ==# 'todostream://list' | return todostream#edit#store() | endif
  call todostream#detail#save(bufnr(), a:is_forced)
endfunc

" Sets the file type, and the keys and colours that go with it: without `:filetype plugin on`, too.
func! todostream#set_type(type) abort
  let &l:filetype = a:type
  if !exists('b:did_ftplugin') | execute 'runtime! ftplugin/' .. a:type .. '.vim' | endif
endfunc

" Shows a buffer of ours: in its window, else in this one, or in a new one if modifiers say which or
" this one's buffer may not be left.
func! todostream#show(name, modifiers) abort
  let buffer = bufnr('^' .. a:name .. '$')
  let windows = buffer < 0 ? [] : win_findbuf(buffer)
  let here = filter(copy(windows), {_, window -> win_id2win(window) > 0})
  if !empty(here) | return win_gotoid(here[0]) | endif
  if a:modifiers !=# ''
    execute a:modifiers 'split'
  elseif &modified && !&hidden && &bufhidden !=# 'hide'
    split
  endif
  execute bufloaded(a:name) ? 'buffer' : 'edit' fnameescape(a:name)
endfunc

" Makes the lines of a buffer these, and touches only those that differ; gives the first and the
" last of them.
func! todostream#set_lines(buffer, lines) abort
  let old = getbufline(a:buffer, 1, '$')
  let [common, most] = [0, min([len(old), len(a:lines)])]
  while common < most && old[common] ==# a:lines[common] | let common += 1 | endwhile
  let tail = 0
  while tail < most - common && old[-1 - tail] ==# a:lines[-1 - tail] | let tail += 1 | endwhile
  let [gone, new] = [len(old) - common - tail, len(a:lines) - common - tail]
  let both = min([gone, new])
  if both > 0 | call setbufline(a:buffer, common + 1, a:lines[common : common + both - 1]) | endif
  if new > both
    call appendbufline(a:buffer, common + both, a:lines[common + both : common + new - 1])
  elseif gone > both
    silent call deletebufline(a:buffer, common + both + 1, common + gone)
  endif
  return [common + 1, common + new]
endfunc

" vim: foldmethod=marker
