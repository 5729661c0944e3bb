" The fields of a todo; its notes are plain text.
if exists('b:current_syntax')
  finish
endif

syntax region todostreamFields start=/\%1l/ end=/^$/ contains=todostreamField
syntax match todostreamField /^\a\+:/ contained nextgroup=todostreamYes,todostreamHighPriority skipwhite
syntax match todostreamYes /yes$/ contained
syntax match todostreamHighPriority /high$/ contained

highlight default link todostreamField Label
highlight default link todostreamYes Constant
highlight default link todostreamHighPriority WarningMsg

let b:current_syntax = 'todostreamdetail'
