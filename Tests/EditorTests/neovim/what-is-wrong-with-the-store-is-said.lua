local support = require('support')

support.scenario(function()
  support.todostream('add', 'Buy milk')
  local editor = support.editor()
  editor:list('', 'Buy milk')
  local store = vim.env.TODOSTREAM_STORE
  assert(vim.loop.fs_rename(store, store .. '.away'))
  editor:says('was deleted, moved or replaced while it was open')
  support.equal(nil, editor:messages():match('stack traceback'))
  assert(vim.loop.fs_rename(store .. '.away', store))
end)
