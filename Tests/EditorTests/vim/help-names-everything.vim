" Each command, key, <Plug>, option and colour is in the help.
let package = split(&runtimepath, ',')[0]
let help = join(readfile(package .. '/doc/todostream.txt'), "\n")
let source = join(map(glob(package .. '/**/*.vim', 0, 1), 'join(readfile(v:val), "\n")'), "\n")
func All(pattern, text)
  let found = []
  call substitute(a:text, a:pattern, '\=add(found, submatch(1))[-1]', 'g')
  return uniq(sort(found))
endfunc
func Documented(names, count)
  call assert_equal(a:count, len(a:names), string(a:names))
  for name in a:names | call assert_true(stridx(g:help, '*' .. name .. '*') >= 0, name) | endfor
endfunc
call Documented(map(split(execute('command Todo'), "\n")[1:], '":" .. matchstr(v:val, "Todo\\a*")'), 8)
call Documented(All('map <silent> \(<Plug>(todostream-[a-z-]\+)\)', source), 16)
call Documented(map(All('get(g:, .\(todostream_\w\+\)', source), '"g:" .. v:val'), 7)
call Documented(All('highlight default link \(todostream\w\+\)', source), 13)
let keys = All('[nxi]map <buffer> \%(<nowait> \)\?\(\S\+\)', source)
call assert_equal(20, len(keys), string(keys))
for key in filter(keys, 'v:val !=# "<Nul>"')
  call assert_match('\n\t\?' .. '\C\V' .. key .. '\m\%( \|\t\)', help, key)
endfor
" Tags that stand twice are an error, and those that are shipped are these.
call mkdir($HOME .. '/doc')
call writefile(split(help, "\n"), $HOME .. '/doc/todostream.txt')
execute 'helptags' $HOME .. '/doc'
call assert_equal(readfile($HOME .. '/doc/tags'), readfile(package .. '/doc/tags'))
