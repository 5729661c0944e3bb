local support = require('support')

support.scenario(function()
  local help = table.concat(vim.fn.readfile(vim.opt.runtimepath:get()[1] .. '/doc/todostream.txt'), '\n')
  local function has(tag) assert(help:find('*' .. tag .. '*', 1, true), 'the help has no *' .. tag .. '*') end
  local commands = 0
  for name in pairs(vim.api.nvim_get_commands({})) do
    if name:match('^Todo') then
      commands = commands + 1
      has(':' .. name)
    end
  end
  support.equal(8, commands)
  local config = require('todostream.config')
  for option, value in pairs(config) do
    if type(value) ~= 'function' then has('todostream-' .. option) end
  end
  for place, actions in pairs(config.keys) do
    for action in pairs(actions) do
      has(('todostream-%s-%s'):format(place, (action:gsub('_', '-'))))
      for _, key in ipairs(config.keys_of(place, action)) do
        assert(help:find('\n' .. key, 1, true) or help:find(', ' .. key, 1, true), 'the help has no key ' .. key)
      end
    end
  end
  for group in vim.api.nvim_exec('highlight', true):gmatch('Todostream%a+') do
    assert(help:find('\n' .. group, 1, true), 'the help has no colour ' .. group)
  end
  -- Its tags can be found: those that are shipped are its own.
  local copy = vim.fn.tempname()
  vim.fn.mkdir(copy .. '/doc', 'p')
  vim.fn.writefile(vim.split(help, '\n'), copy .. '/doc/todostream.txt')
  vim.cmd('helptags ' .. copy .. '/doc')
  local shipped = vim.opt.runtimepath:get()[1] .. '/doc/tags'
  support.equal(vim.fn.readfile(copy .. '/doc/tags'), vim.fn.readfile(shipped))
end)
