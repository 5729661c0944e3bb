local support = require('support')

support.scenario(function()
  local sqlite = vim.fn.executable('sqlite3') == 1
  local long = ('x'):rep(300)
  support.todostream('add', '日本語のタスクはとても長いので切り取られるべきです、そうでしょう？日本語のタスクはとても長い', '--tag', 'home')
  support.todostream('add', '🎉 party', '--tag', 'home')
  support.todostream('add', 'red \27[31m and bell \7 and \226\128\174bidi', '--tag', 'home')
  support.todostream('add', long, '--tag', 'home')
  support.todostream('add', [["quoted" 'and' %s \n <CR> :quit | call system('x')]], '--tag', 'home')
  support.todostream('add', 'vim: set filetype=sh :', '--tag', 'home')
  support.todostream('add', 'two', '--tag', 'home')
  assert(sqlite, 'sqlite3 is not there')
  local change = "UPDATE record_todo SET title = 'two' || char(10) || 'lines' WHERE _number = 7"
  vim.fn.system({ 'sqlite3', vim.env.TODOSTREAM_STORE, change })
  local editor = support.editor()
  editor:list('', 'two')
  support.equal(8, #editor:lines())
  editor:sees('two^@lines')
  editor:sees('red ^[[31m and bell ^G and <202e>bidi')
  editor:sees([["quoted" 'and' %s \n <CR> :quit | call system('x')]])
  -- The tags are one below the other, in cells.
  local cells = editor:lua([[
    return vim.tbl_map(function(line)
      local before = line:match('^(.*)%+home$')
      return before and vim.fn.strdisplaywidth(before) or 0
    end, vim.list_slice(vim.api.nvim_buf_get_lines(0, 0, -1, false), 2))
  ]])
  for _, cell in ipairs(cells) do support.equal(cells[1], cell) end
  assert(cells[1] > 40 and cells[1] < 100)
  assert(editor:lines()[5]:find('x…  +home', 1, true))
  -- In its detail a title is as it is, for Neovim to show; saved unchanged, it stays so.
  editor:detail(3, 'red \27[31m and bell \7 and \226\128\174bidi')
  editor:type('Gothe notes<Esc>')
  editor:command('w')
  editor:says('#3 saved')
  local title = [["title":"red \u001b[31m and bell \u0007 and \u202ebidi"]]
  assert(support.todostream('--json', 'show', '3'):find(title, 1, true))
  editor:detail(7, 'two\0lines')
  editor:type('Goanother')
  editor:type('<Esc>')
  editor:command('w')
  editor:says('#7 saved')
  editor:detail(6, 'vim: set filetype=sh :')
  support.equal('todostream', editor:lua('return vim.bo.filetype'))
end)
