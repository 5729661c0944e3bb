local support = require('support')

support.scenario(function()
  support.todostream('add', 'Buy milk', '--tag', 'home')
  local editor = support.editor()
  editor:detail(1, 'Buy milk')
  editor:type('A and bread<Esc>')
  support.todostream('edit', '1', '--priority', 'high', '--tag', 'shop', '--subtitle', 'Theirs')
  support.todostream('done', '1')
  editor:says('was changed meanwhile')
  editor:command('w')
  editor:says('#1 saved')
  support.equal({
    'Title: Buy milk and bread', 'Priority: high', 'Due:', 'Tags: home shop', 'Project:', 'Completed: yes',
    '', 'Theirs',
  }, editor:lines())
  support.equal('#1 [x] Buy milk and bread  !high  +home +shop', support.todostream('list', '--all'))
end)
