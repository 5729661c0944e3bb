" The words of todostream's language: apart by blanks, quoted where they contain some.
scriptencoding utf-8

" Takes a text apart: its words, each with its `text` and the byte at which it has its `start`; the
" quote that is still open at the end, or nothing; and whether a word that is typed on is a new one.
func! todostream#words#split(text) abort
  let [words, quote, is_between, start] = [[], '', v:true, 0]
  let characters = split(a:text, '\zs')
  let index = 0
  while index < len(characters)
    let [character, at] = [characters[index], start]
    let start += len(character)
    let index += 1
    if quote ==# '' && character =~# '\s'
      let is_between = v:true
      continue
    elseif is_between
      call add(words, {'text': '', 'start': at})
      let is_between = v:false
    endif
    if character ==# quote
      let quote = ''
    elseif quote ==# '' && character =~# '[''"]'
      let quote = character
    elseif character ==# '\' && quote !=# "'" && index < len(characters)
      let character = characters[index]
      let start += len(character)
      let index += 1
      let words[-1].text ..= quote !=# '' && character ==# 'n' ? "\n" : character
    else
      let words[-1].text ..= character
    endif
  endwhile
  return [words, quote, is_between]
endfunc

" A word as the language needs it.
func! todostream#words#quote(word) abort
  if a:word =~# '^\%([-[:alnum:]_+./:@,]\|[^\x00-\x7f]\)\+$' | return a:word | endif
  return "'" .. substitute(a:word, "'", "'\\\\''", 'g') .. "'"
endfunc
