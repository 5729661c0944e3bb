local support = require('support')

support.scenario(function()
  support.todostream('add', 'Buy milk')
  support.todostream('add', 'Ring the bank')
  support.todostream('done', '1')
  local editor = support.editor()
  editor:lua([[
    require('todostream').setup({
      filter = '--open',
      open = 'vsplit',
      keys = { list = { toggle = '<F5>', delete = false }, line = { give_up = { '<F6>', '<C-c>' } } },
    })
  ]])
  editor:list('', '--open · 1 shown · 1 open')
  editor:go('Ring the bank')
  editor:type('dd')
  editor:type('<CR>')
  editor:sees('Title: Ring the bank')
  support.equal(2, editor:lua('return #vim.api.nvim_list_wins()'))
  editor:command('close')
  editor:type('A and the post<F6>')
  editor:mode('n')
  editor:sees('#2 [ ]   Ring the bank')
  editor:type('<F5>')
  editor:sees('Nothing to show')
  support.equal('#2 [x] Ring the bank\n#1 [x] Buy milk', support.todostream('list', '--all'))
  local function refused(options)
    return editor:lua("return { pcall(require('todostream').setup, ...) }", options)[2]
  end
  support.equal("todostream.setup: there is no option 'kyes'; see :help todostream-options", refused({ kyes = {} }))
  support.equal("todostream.setup: 'limit' takes a number", refused({ limit = 'many' }))
  support.equal("todostream.setup: there is no option 'keys.list.ad'; see :help todostream-options",
    refused({ keys = { list = { ad = 'b' } } }))
end)
