local support = require('support')

support.scenario(function()
  -- Since 0.10 the client takes a list of words, gives no process, and leaves null as it is.
  local newer = vim.fn.tempname() .. '.lua'
  vim.fn.writefile(vim.split([[
    local has, start, decode = vim.fn.has, vim.lsp.rpc.start, vim.json.decode
    vim.fn.has = function(what) return what == 'nvim-0.10' and 1 or has(what) end
    vim.json.decode = function(text) return decode(text) end
    vim.lsp.rpc.start = function(cmd, dispatchers)
      vim.validate({ cmd = { cmd, 'table' }, dispatchers = { dispatchers, 'table' } })
      local client = start(cmd[1], vim.list_slice(cmd, 2), dispatchers)
      return {
        request = client.request,
        notify = client.notify,
        is_closing = function() return client.handle:is_closing() end,
        terminate = function() client.handle:kill('sigterm') end,
      }
    end
  ]], '\n'), newer)
  support.todostream('add', 'Buy milk')
  local editor = support.editor({ words = { '--cmd', 'luafile ' .. newer } })
  editor:list('', '#1 [ ]   Buy milk')
  editor:go('Buy milk')
  editor:type('<CR>')
  editor:sees('Title: Buy milk')
  editor:sees('Project:')
  editor:type('A and bread<Esc>')
  editor:command('w')
  editor:says('#1 saved')
  local server = editor:has_server()
  support.signal(server, 'sigstop')
  editor:command('qa')
  editor:ends()
  support.signal(server, 'sigcont')
  support.gone(server)
  support.equal('#1 [ ] Buy milk and bread', support.todostream('list', '--all'))
end)
