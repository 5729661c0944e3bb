local support = require('support')

support.scenario(function()
  local lines = {}
  for number = 1, 1001 do lines[number] = 'add "Todo ' .. number .. '" --tag home' end
  vim.fn.system('todostream run', lines)
  local editor = support.editor()
  editor:list('--all', 'Todo 1001')
  support.equal(1001, #editor:lines())
  support.equal('todostream  --all · 1000 shown, there may be more · 1001 open', editor:lines()[1])
  -- Each is a step of its own, as from a person in a hurry; what is typed meanwhile counts.
  -- One that has ended already is no job any more, so that its status is noted when it does.
  local status
  local storm = 'for n in 2 3 4 5 6 7 8 9; do todostream done $n || exit; done'
  vim.fn.jobstart({ 'sh', '-c', storm }, { on_exit = function(_, code) status = code end })
  editor:go('Todo 500')
  editor:type('A and more<CR>')
  editor:sees('[ ]   Todo 500 and more')
  support.wait('the storm is over', function() return status ~= nil end)
  support.equal(0, status)
  editor:type('G')
  support.wait('the last is done', function() return editor:line() == '   #2 [x]   Todo 2             +home' end)
end)
