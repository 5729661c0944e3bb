-- The program is the built one, and the store is empty and nobody else's.
local support = require('support')

support.scenario(function()
  support.equal('Added #1 Buy milk', support.todostream('add', 'Buy milk'))
  support.equal(1, vim.fn.filereadable(vim.env.TODOSTREAM_STORE))
end)
