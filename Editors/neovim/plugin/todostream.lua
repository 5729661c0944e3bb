-- Commands, buffers and colours; what they do is loaded when it is first asked for.
if vim.g.loaded_todostream then return end
vim.g.loaded_todostream = true

local function todostream() return require('todostream') end

local function command(name, run, options)
  vim.api.nvim_create_user_command(name, run, options)
end

local function completing(start)
  return function(lead, line, position)
    return require('todostream.complete').command(start, lead, line, position)
  end
end

command('Todo', function(call) todostream().list(call.args, call.mods) end,
  { nargs = '*', complete = completing('list '), desc = 'List todos' })
command('TodoAdd', function(call) todostream().add(call.args) end,
  { nargs = '*', complete = completing('add '), desc = 'Add a todo' })
command('TodoEdit', function(call) todostream().edit(call.args, call.mods) end,
  { nargs = 1, complete = completing('show '), desc = 'Open a todo with its notes' })
command('TodoOverdue', function() todostream().overdue() end,
  { desc = 'Overdue todos into the quickfix list' })
command('TodoUndo', function() todostream().undo() end, { desc = 'Take back what was done last' })
command('TodoRedo', function() todostream().redo() end, { desc = 'Do again what was undone' })
command('TodoRun', function(call) todostream().run(call.args) end,
  { nargs = '+', complete = completing(''), desc = 'Run a line of todostream' })
command('TodoRestart', function() todostream().restart() end, { desc = 'Start the server anew' })

local group = vim.api.nvim_create_augroup('todostream', {})
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'todostream://*',
  callback = function(event) todostream().read(event.buf) end,
})
vim.api.nvim_create_autocmd('BufWriteCmd', {
  group = group,
  pattern = 'todostream://*',
  callback = function(event) todostream().write(event.buf, event.match) end,
})

for name, link in pairs({
  TodostreamHeader = 'Title',
  TodostreamNumber = 'LineNr',
  TodostreamDone = 'Comment',
  TodostreamHigh = 'WarningMsg',
  TodostreamDue = 'Number',
  TodostreamOverdue = 'DiagnosticError',
  TodostreamTag = 'Identifier',
  TodostreamProject = 'Directory',
  TodostreamLabel = 'Statement',
  TodostreamNote = 'Comment',
  TodostreamEdit = 'CursorLine',
}) do
  vim.cmd(('highlight default link %s %s'):format(name, link))
end
