" Completion: the server knows what could stand at the end of a line of its language.
"
" Vim wants candidates for its command line at once, and waiting is out of the question. So they are
" asked for with each key, ahead of <Tab>; a <Tab> that comes before the answer is pressed again when
" the answer is there.
scriptencoding utf-8

" The last line that was asked for, what was answered (empty until then), and the line that a <Tab>
" wants.
let s:line = ''
let s:answer = {}
let s:wanted = ''
" What stands before the words of the prompt that is open, if one is.
let s:prompt = ''

let s:verbs = {'Todo': 'list ', 'TodoAdd': 'add ', 'TodoEdit': 'show ', 'TodoRun': ''}

" Asks for words in todostream's language, which follow those in `prompt`.
func! todostream#complete#prompt(prompt, question, text) abort
  let s:prompt = a:prompt
  try
    return input(a:question, a:text, 'customlist,todostream#complete#words')
  catch /^Vim:Interrupt$/
    return ''
  finally
    let s:prompt = ''
    redraw
  endtry
endfunc

" The line of todostream's language for what stands before the cursor; empty if it is none.
func! s:line_of(text) abort
  if s:prompt !=# '' | return s:prompt .. a:text | endif
  let found = matchlist(a:text, '\C\<\(Todo\a*\)\s\+\(.*\)$')
  return empty(found) || !has_key(s:verbs, found[1]) ? '' : s:verbs[found[1]] .. found[2]
endfunc

" Asks for what could complete the command line as it is now.
func! todostream#complete#ahead() abort
  if getcmdtype() ==# '@' && s:prompt ==# '' | return | endif
  call s:ask(s:line_of(strpart(getcmdline(), 0, getcmdpos() - 1)))
endfunc

func! s:ask(line) abort
  if a:line ==# '' || a:line ==# s:line | return | endif
  let [s:line, s:answer, s:wanted] = [a:line, {}, '']
  call todostream#request('line/complete', {'line': a:line}, {reply -> s:answered(a:line, reply)})
endfunc

func! s:answered(line, reply) abort
  if a:line !=# s:line | return | endif
  let s:line = has_key(a:reply, 'result') ? s:line : ''
  let s:answer = get(a:reply, 'result', {})
  if s:wanted !=# a:line || getcmdtype() ==# '' | return | endif
  let s:wanted = ''
  if s:line_of(strpart(getcmdline(), 0, getcmdpos() - 1)) ==# a:line && !empty(s:answer.candidates)
    " Before what was typed since.
    call feedkeys(nr2char(&wildchar), 'it')
  endif
endfunc

" For `customlist`: the candidates for the word that Vim takes to be the last one.
func! todostream#complete#words(lead, line, position) abort
  let text = strpart(a:line, 0, a:position)
  let line = s:line_of(text)
  if line ==# '' | return [] | endif
  if line !=# s:line || empty(s:answer)
    call s:ask(line)
    let s:wanted = line
    return []
  endif
  " Vim replaces its own notion of a word, which may begin inside of one of ours.
  let head = strpart(line, 0, len(line) - len(a:lead))
  let whole = map(copy(s:answer.candidates), 's:answer.keep .. v:val.word')
  call filter(whole, 'strpart(v:val, 0, len(head)) ==# head')
  return map(whole, 'strpart(v:val, len(head))')
endfunc

" In a detail {{{1

let s:options = {'Priority': '--priority', 'Due': '--due', 'Tags': '--tag', 'Project': '--project'}

" For 'omnifunc': the menu opens when the server has answered.
func! todostream#complete#omni(findstart, base) abort
  if !a:findstart | return [] | endif
  let text = strpart(getline('.'), 0, col('.') - 1)
  let field = matchstr(text, '^\a\+\ze:')
  if field ==# 'Completed' || field ==# 'Deleted'
    let start = matchend(text, '^\a\+:\s*') + 1
    call timer_start(0, {-> s:offer(text, start, ['no', 'yes'])})
  elseif has_key(s:options, field)
    let start = matchend(text, '^\a\+:\s*')
    let value = strpart(text, start)
    if field ==# 'Tags'
      " The label that is typed is in the language already, quotes and all.
      let [words, _, is_between] = todostream#words#split(value)
      let start += is_between ? len(value) : words[-1].start
      let prefix = strpart(text, start)
    else
      let prefix = escape(value, " \t\\'\"#<")
    endif
    let line = 'edit ' .. b:todostream.id .. ' ' .. s:options[field] .. ' ' .. prefix
    call todostream#ask('line/complete', {'line': line}, {result -> s:offer(text, start + 1,
          \ map(copy(result.candidates), {_, candidate -> s:value(candidate.word, field)}))})
  endif
  return -3
endfunc

" What stands in a field for a word of the language.
func! s:value(word, field) abort
  return a:field ==# 'Tags' ? a:word : todostream#words#split(a:word)[0][0].text
endfunc

func! s:offer(text, start, words) abort
  if mode() !~# '^i' || strpart(getline('.'), 0, col('.') - 1) !=# a:text | return | endif
  if empty(a:words) | return todostream#tell('There is nothing to complete this with.') | endif
  call complete(a:start, a:words)
endfunc

" vim: foldmethod=marker
