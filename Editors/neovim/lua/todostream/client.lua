--- The server: started when it is first needed, restarted once, ended with the editor.
---
--- Nothing here waits, but for the moment when the editor ends.
local config = require('todostream.config')
local text = require('todostream.text')

local uv = vim.uv or vim.loop
local M = { counts = nil, watchers = {} }

--- Within this many milliseconds behind a restart a server that ends again stays down.
local SOON = 30000

--- What nobody asked for by a key or a command.
local own = { initialize = true, ['state/subscribe'] = true }

local connection, is_down, restarted_at

local function strip(value)
  if value == vim.NIL then return nil end
  if type(value) ~= 'table' then return value end
  for key, member in pairs(value) do value[key] = strip(member) end
  return value
end

local function announce(ids)
  for _, watcher in ipairs(M.watchers) do watcher(ids) end
end

local function heard(method, params)
  params = strip(params)
  if method == 'todo/changed' then
    announce(params.ids)
  elseif method == 'state/changed' then
    M.counts = params.value
    announce({})
  elseif method == 'notice' then
    text.complain(params.message)
  end
end

local function ended(which, code, signal)
  local pending = which.pending
  which.pending, which.has_ended = {}, true
  if connection == which then connection = nil end
  if which.is_leaving then return end
  local methods = {}
  for _, request in pairs(pending) do
    if not own[request.method] then methods[request.method] = true end
  end
  local lost = vim.tbl_keys(methods)
  local unanswered = #lost > 0 and (' It has not answered %s.'):format(table.concat(lost, ', ')) or ''
  local how = signal ~= 0 and ('was ended by signal %d'):format(signal)
    or ('ended with status %d'):format(code)
  local now = uv.now()
  if restarted_at and now - restarted_at < SOON then
    is_down = true
    text.complain(('The server %s again; it stays down until :TodoRestart.%s'):format(how, unanswered))
  else
    restarted_at = now
    text.complain(('The server %s; it is started again.%s'):format(how, unanswered))
    M.start()
  end
  for _, request in pairs(pending) do request.answer({ is_told = true, message = unanswered }) end
  if connection then announce(nil) end
end

local function spawn(which)
  local dispatchers = {
    notification = function(method, params) heard(method, params) end,
    on_exit = vim.schedule_wrap(function(code, signal) ended(which, code, signal) end),
    on_error = function(_, problem)
      text.complain('What the server says cannot be read: ' .. vim.inspect(problem))
    end,
  }
  -- A list of words since 0.10, the program and its arguments apart before.
  if vim.fn.has('nvim-0.10') == 1 then return vim.lsp.rpc.start(config.cmd, dispatchers) end
  return vim.lsp.rpc.start(config.cmd[1], vim.list_slice(config.cmd, 2), dispatchers)
end

local function send(which, method, params, answer)
  local key = {}
  which.pending[key] = { method = method, answer = answer }
  local is_sent = which.rpc.request(method, params or vim.empty_dict(), function(problem, result)
    if not which.pending[key] then return end
    which.pending[key] = nil
    answer(strip(problem), strip(result))
  end)
  if not is_sent then which.pending[key] = nil end
  return is_sent
end

--- Starts the server, unless it runs; says why it cannot.
function M.start()
  if connection then return true end
  if vim.fn.executable(config.cmd[1]) == 0 then
    text.complain(("'%s' is not installed, or not in $PATH; see :help todostream-install.")
      :format(config.cmd[1]))
    return false
  end
  local which = { pending = {} }
  local works, rpc = pcall(spawn, which)
  if not works or not rpc then
    text.complain(("'%s' cannot be started: %s"):format(config.cmd[1], tostring(rpc)))
    return false
  end
  which.rpc, connection = rpc, which
  send(which, 'initialize', { processId = uv.os_getpid(), clientInfo = { name = 'neovim' } },
    function(problem) if problem then M.complain(problem) end end)
  which.rpc.notify('initialized', vim.empty_dict())
  send(which, 'state/subscribe', { name = 'todo/counts' }, function() end)
  return true
end

local function has_only_sendable(value)
  if type(value) == 'string' then return text.sendable(value) end
  if type(value) ~= 'table' then return true end
  for _, member in pairs(value) do
    if not has_only_sendable(member) then return false end
  end
  return true
end

--- Asks the server; `answer` gets what it says, or why it does not, once and never at once.
function M.ask(method, params, answer)
  local function refuse(problem) vim.schedule(function() answer(problem) end) end
  if not has_only_sendable(params) then
    return refuse({ message = 'That is no UTF-8, or has a NUL; it cannot be sent.' })
  end
  if is_down then return refuse({ message = 'The server is down; :TodoRestart starts it.' }) end
  if not M.start() then return refuse({ is_told = true }) end
  if not send(connection, method, params, answer) then
    refuse({ message = 'The server has just ended; try again.' })
  end
end

--- Shows a problem, unless the person knows.
function M.complain(problem)
  if not problem.is_told then text.complain(problem.message) end
end

--- Asks the server, and shows what is wrong as an error.
function M.get(method, params, use)
  M.ask(method, params, function(problem, result)
    if problem then return M.complain(problem) end
    use(result)
  end)
end

local function terminate(which)
  if which.has_ended then return end
  if which.rpc.terminate then which.rpc.terminate() else which.rpc.handle:kill('sigterm') end
end

--- Says good-bye; waits until what was asked is answered, for so many milliseconds at most.
function M.stop(milliseconds)
  local which, deadline = connection, uv.now() + milliseconds
  if not which then return end
  local function wait(condition)
    return vim.wait(math.max(0, deadline - uv.now()), condition, 5)
  end
  wait(function() return which.has_ended or not next(which.pending) end)
  connection, which.is_leaving = nil, true
  local is_over = false
  which.rpc.request('shutdown', vim.empty_dict(), function() is_over = true end)
  wait(function() return which.has_ended or is_over end)
  which.rpc.notify('exit', vim.empty_dict())
  if not wait(function() return which.has_ended end) then terminate(which) end
end

--- Starts the server anew, also when it is down.
---
--- The old one has two seconds to end what it was asked for.
function M.restart()
  local which = connection
  connection, is_down, restarted_at = nil, nil, nil
  if which then
    which.is_leaving = true
    which.rpc.request('shutdown', vim.empty_dict(), function()
      which.rpc.notify('exit', vim.empty_dict())
    end)
    vim.defer_fn(function() terminate(which) end, 2000)
    local pending = which.pending
    which.pending = {}
    for _, request in pairs(pending) do
      local message = ("The server was restarted before it answered '%s'."):format(request.method)
      vim.schedule(function() request.answer({ message = message }) end)
    end
  end
  if M.start() then
    text.tell('todostream: the server is started anew.')
    announce(nil)
  end
end

return M
