local support = require('support')

support.scenario(function()
  support.todostream('add', 'Buy milk', '--tag', 'home', '--project', 'errands')
  local editor = support.editor()
  editor:detail(1, 'Buy milk')
  support.equal('todostream://1', editor:name())
  support.equal({
    'Title: Buy milk', 'Priority: normal', 'Due:', 'Tags: home', 'Project: errands', 'Completed: no', '', '',
  }, editor:lines())
  editor:lua([[vim.api.nvim_buf_set_lines(0, 0, -1, false, ...)]], {
    'Title: Buy milk and bread', 'Priority: high', 'Due: 2030-02-03', "Tags: 'two words' shop", 'Project:',
    'Completed: yes', '', 'One', '', 'Two: Title: three',
  })
  editor:command('w')
  editor:says('#1 saved')
  support.equal(false, editor:lua('return vim.bo.modified'))
  local todo = vim.fn.json_decode(support.todostream('--json', 'show', '1'))
  support.equal({
    'Buy milk and bread', 'high', '2030-02-03', { 'two words', 'shop' }, vim.NIL, true, 'One\n\nTwo: Title: three',
  }, { todo.title, todo.priority, todo.due, todo.tags, todo.project, todo.complete, todo.subtitle })
  -- What is shown is what is stored.
  editor:go('Due:')
  editor:type('CDue: tomorrow<Esc>')
  editor:command('w')
  local tomorrow = 'Due: ' .. os.date('%Y-%m-%d', os.time() + 86400)
  support.wait('it is as it is stored', function() return editor:line() == tomorrow end)
  support.equal(false, editor:lua('return vim.bo.modified'))
  editor:command('w')
  editor:says('#1 has no changes.')
end)
