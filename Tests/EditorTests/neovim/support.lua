--- What scenarios share: an editor that is typed into like a person does, and waiting by condition.
local M = {}

local package_folder = vim.opt.runtimepath:get()[1]
local editors = {}

--- Waits until the condition holds; fails after half a minute.
function M.wait(what, condition)
  local last
  local patience = tonumber(os.getenv('EVENTMVVM_PATIENCE')) or 1
  local holds = vim.wait(30000 * patience, function()
    last = condition()
    return last
  end, 10)
  if holds then return last end
  local said = {}
  for _, editor in ipairs(editors) do
    if not editor.is_over then
      local answered, state = pcall(editor.state, editor)
      said[#said + 1] = answered and state or 'an editor that does not answer'
    end
  end
  error(('waited in vain until %s\n%s'):format(what, table.concat(said, '\n')), 2)
end

--- Fails unless both are the same.
function M.equal(expected, actual)
  if vim.deep_equal(expected, actual) then return end
  error(('expected %s\ngot %s'):format(vim.inspect(expected), vim.inspect(actual)), 2)
end

--- Runs the program as another process does, with these words; gives what it prints.
function M.todostream(...)
  local printed = vim.fn.system({ 'todostream', ... })
  assert(vim.v.shell_error == 0, printed)
  return vim.trim(printed)
end

local Editor = {}
Editor.__index = Editor

--- Starts an editor with the package.
function M.editor(options)
  options = options or {}
  -- On a terminal, and spoken to beside it. A Neovim that is another one's screen says that it can't draw, to
  -- which the other says that it can't be told so, and both go on for ever.
  local socket = vim.fn.tempname()
  local words = { 'nvim', '--listen', socket, '--clean', '-n', '--cmd', 'set runtimepath^=' .. package_folder }
  vim.list_extend(words, options.words or {})
  local self = setmetatable({}, Editor)
  self.job = vim.fn.jobstart(words, {
    pty = true,
    width = 100,
    height = 24,
    env = vim.tbl_extend('keep', options.env or {}, { TERM = 'xterm' }),
    on_exit = function(_, status) self.is_over, self.status = true, status end,
  })
  M.wait('it listens', function()
    local listens, channel = pcall(vim.fn.sockconnect, 'pipe', socket, { rpc = true })
    self.channel = channel
    return listens and channel > 0
  end)
  editors[#editors + 1] = self
  return self
end

function Editor:request(...) return vim.rpcrequest(self.channel, ...) end

--- Types keys; they may end the editor before it answers.
function Editor:type(keys)
  local works, problem = pcall(self.request, self, 'nvim_input', keys)
  if not works and not problem:find('closed', 1, true) then error(problem, 2) end
end

--- Types a command line.
function Editor:command(line) self:type((':%s<CR>'):format(line:gsub('<', '<lt>'))) end

--- Evaluates Lua in it.
function Editor:lua(code, ...) return self:request('nvim_exec_lua', code, { ... }) end

--- The lines of the current buffer, or of one with a name.
function Editor:lines(name)
  return self:lua([[
    local buffer = ... and vim.fn.bufnr('^' .. ... .. '$') or 0
    return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  ]], name)
end

--- The text of the current line.
function Editor:line() return self:lua('return vim.api.nvim_get_current_line()') end

--- The name of the current buffer.
function Editor:name() return self:lua("return vim.fn.bufname('%')") end

--- What it has said.
function Editor:messages() return self:lua("return vim.api.nvim_exec('messages', true)") end

--- How it stands, for whoever reads a failure.
function Editor:state()
  local mode = self:request('nvim_get_mode')
  if mode.blocking then return 'an editor that asks: mode ' .. mode.mode end
  return ('mode %s, buffer %s:\n%s\nmessages:\n%s'):format(mode.mode, self:name(),
    table.concat(self:lines(), '\n'), self:messages())
end

--- Waits until some line of the current buffer has the text; gives its row.
function Editor:sees(text)
  return M.wait(('a line has %q'):format(text), function()
    for row, line in ipairs(self:lines()) do
      if line:find(text, 1, true) then return row end
    end
  end)
end

--- Waits until no line of the current buffer has the text.
function Editor:misses(text)
  M.wait(('no line has %q'):format(text), function()
    return not table.concat(self:lines(), '\n'):find(text, 1, true)
  end)
end

--- Waits until it has said the text.
function Editor:says(text)
  M.wait(('it says %q'):format(text), function() return self:messages():find(text, 1, true) end)
end

--- Waits until it is in a mode such as 'n' or 'i'.
function Editor:mode(mode)
  M.wait('its mode is ' .. mode, function() return self:request('nvim_get_mode').mode == mode end)
end

--- The screen's text.
function Editor:screen()
  return self:lua([[
    vim.cmd('redraw')
    local rows = {}
    for row = 1, vim.o.lines do
      local cells = {}
      for column = 1, vim.o.columns do cells[column] = vim.fn.screenstring(row, column) end
      rows[row] = table.concat(cells)
    end
    return table.concat(rows, '\n')
  ]])
end

--- Opens the list and waits until it shows a text.
function Editor:list(words, text)
  self:command('Todo ' .. words)
  self:sees(text)
end

--- Puts the cursor on the line with the text.
function Editor:go(text)
  local row = self:sees(text)
  self:lua('vim.api.nvim_win_set_cursor(0, { ..., 0 })', row)
end

--- Opens a todo and waits until it is there.
function Editor:detail(number, title)
  self:command('TodoEdit ' .. number)
  self:sees('Title: ' .. title)
end

--- The messages of the marks at a row.
function Editor:marks(row)
  return self:lua([[
    return vim.tbl_map(function(mark) return mark.message end, vim.diagnostic.get(0, { lnum = ... - 1 }))
  ]], row)
end

--- The process of its server; nil while there is none.
function Editor:server()
  return self:lua('return vim.api.nvim_get_proc_children(vim.fn.getpid())')[1]
end

--- Waits until it has a server other than `former`; gives its process.
function Editor:has_server(former)
  return M.wait('it has a server', function()
    local now = self:server()
    return now and now ~= former and now
  end)
end

--- Waits until it has ended.
function Editor:ends() M.wait('it has ended', function() return self.is_over end) end

--- Sends a signal such as 'sigkill' to a process; whether it is there.
function M.signal(pid, name) return vim.loop.kill(pid, name) == 0 end

--- Waits until a process is no more.
function M.gone(pid)
  M.wait('the process has gone', function() return not M.signal(pid, 0) end)
end

--- Carries out a scenario; prints what failed and ends with 1, else with 0.
function M.scenario(run)
  local works, problem = xpcall(run, debug.traceback)
  for _, editor in ipairs(editors) do
    if not editor.is_over then vim.fn.jobstop(editor.job) end
  end
  -- Only this is the end: a Neovim that has ended before it has failed.
  if works then
    vim.fn.writefile({}, vim.env.HOME .. '/finished')
    return vim.cmd('qall!')
  end
  io.stderr:write(problem, '\n')
  vim.cmd('cquit 1')
end

return M
