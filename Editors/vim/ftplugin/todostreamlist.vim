" The list of todos: its look and its keys. See :help todostream-keys
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal nowrap nonumber norelativenumber nolist cursorline signcolumn=no foldcolumn=0 nospell

" What lines are made of.
highlight default link todostreamHeader Title
highlight default link todostreamNumber LineNr
highlight default link todostreamHigh WarningMsg
highlight default link todostreamDone Comment
highlight default link todostreamLate WarningMsg
highlight default link todostreamDue PreProc
highlight default link todostreamTag Identifier
highlight default link todostreamProject Type
highlight default link todostreamUnsaved DiffChange

if get(g:, 'todostream_no_default_mappings', 0)
  finish
endif

nmap <buffer> <nowait> a <Plug>(todostream-add)
nmap <buffer> <nowait> x <Plug>(todostream-toggle)
xmap <buffer> <nowait> x <Plug>(todostream-toggle)
nmap <buffer> <nowait> <Space> <Plug>(todostream-toggle)
xmap <buffer> <nowait> <Space> <Plug>(todostream-toggle)
nmap <buffer> cc <Plug>(todostream-change)
nmap <buffer> <nowait> i <Plug>(todostream-insert)
nmap <buffer> <nowait> A <Plug>(todostream-append)
nmap <buffer> dd <Plug>(todostream-delete)
nmap <buffer> <nowait> D <Plug>(todostream-delete)
xmap <buffer> <nowait> d <Plug>(todostream-delete)
xmap <buffer> <nowait> D <Plug>(todostream-delete)
nmap <buffer> <nowait> u <Plug>(todostream-undo)
nmap <buffer> <nowait> <C-r> <Plug>(todostream-redo)
nmap <buffer> <nowait> f <Plug>(todostream-filter)
nmap <buffer> <nowait> <CR> <Plug>(todostream-detail)
nmap <buffer> <nowait> R <Plug>(todostream-refresh)
nmap <buffer> <nowait> o <Plug>(todostream-overdue)
nmap <buffer> <nowait> q <Plug>(todostream-close)
nmap <buffer> <nowait> g? <Plug>(todostream-help)
nmap <buffer> <nowait> <C-c> <Plug>(todostream-give-up)
imap <buffer> <nowait> <C-c> <Plug>(todostream-give-up)
imap <buffer> <nowait> <CR> <Plug>(todostream-save)
