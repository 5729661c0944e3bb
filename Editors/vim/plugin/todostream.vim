" todostream: the todos of todostream in Vim; see :help todostream
if exists('g:loaded_todostream') || &compatible || has('nvim')
  finish
endif
let g:loaded_todostream = 1

if v:version < 900 || !has('job') || !has('channel') || !has('textprop')
  command! -nargs=* Todo echoerr 'todostream needs Vim 9 with +job, +channel and +textprop.'
  finish
endif

command! -nargs=* -complete=customlist,todostream#complete#words Todo
      \ call todostream#list#open(<q-args>, <q-mods>)
command! -nargs=+ -complete=customlist,todostream#complete#words TodoAdd
      \ call todostream#run('add ' .. <q-args>)
command! -nargs=1 -complete=customlist,todostream#complete#words TodoEdit
      \ call todostream#detail#open(<q-args>, <q-mods>)
command! -nargs=+ -complete=customlist,todostream#complete#words TodoRun
      \ call todostream#run(<q-args>)
command! -nargs=0 -bar TodoOverdue call todostream#list#overdue()
command! -nargs=0 -bar TodoUndo call todostream#step('undo')
command! -nargs=0 -bar TodoRedo call todostream#step('redo')
command! -nargs=0 -bar TodoRestart call todostream#restart()

nnoremap <silent> <Plug>(todostream-add) :<C-u>call todostream#list#add()<CR>
nnoremap <silent> <Plug>(todostream-toggle)
      \ :<C-u>call todostream#list#toggle(line('.'), line('.') + v:count1 - 1)<CR>
xnoremap <silent> <Plug>(todostream-toggle)
      \ :<C-u>call todostream#list#toggle(line("'<"), line("'>"))<CR>
nnoremap <silent> <Plug>(todostream-delete)
      \ :<C-u>call todostream#list#delete(line('.'), line('.') + v:count1 - 1)<CR>
xnoremap <silent> <Plug>(todostream-delete)
      \ :<C-u>call todostream#list#delete(line("'<"), line("'>"))<CR>
nnoremap <silent> <Plug>(todostream-change) :<C-u>call todostream#edit#begin('change')<CR>
nnoremap <silent> <Plug>(todostream-insert) :<C-u>call todostream#edit#begin('insert')<CR>
nnoremap <silent> <Plug>(todostream-append) :<C-u>call todostream#edit#begin('append')<CR>
nnoremap <silent> <Plug>(todostream-give-up) :<C-u>call todostream#edit#give_up()<CR>
inoremap <silent> <Plug>(todostream-give-up) <Cmd>call todostream#edit#give_up()<CR><Esc>
inoremap <silent> <Plug>(todostream-save) <Esc>
nnoremap <silent> <Plug>(todostream-undo) :<C-u>call todostream#list#undo()<CR>
nnoremap <silent> <Plug>(todostream-redo) :<C-u>TodoRedo<CR>
nnoremap <silent> <Plug>(todostream-filter) :<C-u>call todostream#list#filter()<CR>
nnoremap <silent> <Plug>(todostream-detail) :<C-u>call todostream#list#detail()<CR>
nnoremap <silent> <Plug>(todostream-refresh) :<C-u>call todostream#list#refresh()<CR>
nnoremap <silent> <Plug>(todostream-overdue) :<C-u>TodoOverdue<CR>
nnoremap <silent> <Plug>(todostream-close) :<C-u>call todostream#list#close()<CR>
nnoremap <silent> <Plug>(todostream-help) :<C-u>help todostream-keys<CR>

augroup todostream
  autocmd!
  autocmd BufReadCmd todostream://* nested call todostream#read(expand('<amatch>'))
  autocmd BufWriteCmd todostream://* call todostream#write(expand('<amatch>'), v:cmdbang)
  autocmd CmdlineChanged : if getcmdline() =~# '^\s*Todo\a* ' | call todostream#complete#ahead() | endif
  autocmd CmdlineChanged @ if exists('*todostream#complete#ahead') | call todostream#complete#ahead() | endif
augroup END
