local support = require('support')

support.scenario(function()
  support.todostream('add', 'Buy milk', '--tag', 'home')
  local editor = support.editor()
  editor:list('', 'Buy milk')
  support.equal('#1 [ ]   Buy milk  +home', editor:line())
  support.wait('the header counts it', function()
    return editor:lines()[1] == 'todostream  open todos · 1 shown · 1 open'
  end)
  support.todostream('add', 'Ring the bank')
  editor:sees('Ring the bank')
  support.equal('#1 [ ]   Buy milk       +home', editor:line())
  support.wait('the header counts both', function()
    return editor:lines()[1] == 'todostream  open todos · 2 shown · 2 open'
  end)
end)
