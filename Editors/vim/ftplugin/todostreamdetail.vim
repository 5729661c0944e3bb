" The detail of a todo. See :help todostream-detail
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal nonumber norelativenumber textwidth=0 formatoptions-=t
let b:undo_ftplugin = 'setlocal number< relativenumber< textwidth< formatoptions<'

highlight default link todostreamProblem ErrorMsg

if get(g:, 'todostream_no_default_mappings', 0)
  finish
endif

imap <buffer> <C-Space> <C-x><C-o>
imap <buffer> <Nul> <C-x><C-o>
