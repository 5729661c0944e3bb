" The fields of a todo; notes are plain.
if exists('b:current_syntax')
  finish
endif
syntax match TodostreamLabel /\%<7l^\a\+:/
highlight default link TodostreamLabel Statement
let b:current_syntax = 'todostream'
