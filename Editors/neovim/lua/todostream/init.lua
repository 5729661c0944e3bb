--- todostream in Neovim: |todostream|.
local client = require('todostream.client')
local config = require('todostream.config')
local text = require('todostream.text')

local M = {}

local list = require('todostream.list')
local detail = require('todostream.detail')

--- So long, in milliseconds, the editor waits at its end: for what is being saved, for the server.
local SAVING, GOODBYE = 2000, 1000

--- Chooses options: |todostream-options|.
function M.setup(chosen) config.choose(chosen or {}) end

local function open(name, mods)
  local how = (mods and mods ~= '') and mods .. ' split' or 'edit'
  text.command(how .. ' ' .. vim.fn.fnameescape(name))
end

--- Opens the list; words filter it, none leave it as it was.
function M.list(words, mods)
  words = vim.trim(words or '')
  if words ~= '' then list.filter = words end
  local window = vim.fn.bufwinid('^' .. list.name .. '$')
  if window == -1 then return open(list.name, mods) end
  vim.api.nvim_set_current_win(window)
  list.refresh()
end

--- Adds a todo; without words they are asked for.
function M.add(words)
  words = vim.trim(words or '')
  if words ~= '' then return list.add(words) end
  vim.ui.input({ prompt = 'Add: ' }, function(typed)
    if typed and vim.trim(typed) ~= '' then list.add(typed) end
  end)
end

--- Opens a todo from the list: where one is shown already, else as 'open' says.
function M.open(id)
  local name = 'todostream://' .. id
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local shown = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window))
    if shown:match('^todostream://%d+$') then
      vim.api.nvim_set_current_win(window)
      return open(name)
    end
  end
  text.command(config.open .. ' ' .. name)
end

--- Opens a todo.
function M.edit(reference, mods)
  local number = reference:match('^#?(%d+)$')
  if number then return open('todostream://' .. number, mods) end
  client.get('todo/show', { id = reference }, function(todo)
    open('todostream://' .. todo.id, mods)
  end)
end

--- Shows what is overdue in the quickfix list.
function M.overdue()
  local window = vim.api.nvim_get_current_win()
  client.get('todo/list', { open = true, dueBefore = 'today', sort = 'due' }, function(todos)
    local items = vim.tbl_map(function(todo)
      local said = ('due %s  %s'):format(text.date(todo.due), text.shown(todo.title))
      return { filename = 'todostream://' .. todo.id, lnum = 1, text = said }
    end, todos)
    local what = { title = 'todostream: overdue', items = items }
    local is_local = config.overdue == 'location' and vim.api.nvim_win_is_valid(window)
    if is_local then vim.fn.setloclist(window, {}, ' ', what) else vim.fn.setqflist({}, ' ', what) end
    if #todos == 0 then return text.tell('Nothing is overdue.') end
    vim.cmd('botright ' .. (is_local and 'lopen' or 'copen'))
  end)
end

local function tell_step(verb)
  return function(step)
    local change = step.changes[1]
    local more = step.count > 1 and (' and %d more'):format(step.count - 1) or ''
    text.tell(change and ('%s: #%d %s %s%s'):format(verb, change.id, change.title, change.change, more) or verb)
  end
end

--- Undoes what was done last.
function M.undo() client.get('history/undo', nil, tell_step('Undid')) end

--- Does again what was undone last.
function M.redo() client.get('history/redo', nil, tell_step('Redid')) end

local function show_text(said, title)
  local lines = vim.tbl_map(text.shown, vim.split(said, '\n'))
  if #lines == 1 and #lines[1] < vim.v.echospace then return text.tell(lines[1]) end
  vim.cmd('botright new')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  local options = vim.bo[0]
  options.buftype, options.bufhidden, options.modifiable = 'nofile', 'wipe', false
  options.modeline, options.swapfile = false, false
  vim.api.nvim_win_set_height(0, math.min(#lines, 15))
  vim.b.todostream_line = title
end

--- Runs a line of todostream and shows what it prints.
function M.run(line)
  local words = text.words(line)
  if words[1] and words[1].text == 'delete' and not list.may_delete(#words - 1) then return end
  client.get('line/run', { line = line, as = 'text' }, function(result)
    local said = result.text:gsub('\n+$', '')
    if said ~= '' then show_text(said, line) end
  end)
end

--- Starts the server anew.
function M.restart() client.restart() end

--- Fills a buffer 'todostream://…'.
function M.read(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  local number = name:match('^todostream://#?(%d+)$')
  if name == list.name then
    list.read(buffer)
  elseif number and #number < 16 then
    detail.read(buffer, tonumber(number))
  else
    text.complain(("'%s' is no todo; a number stands behind 'todostream://', or 'list'."):format(name))
  end
end

--- Stores a buffer 'todostream://…'.
function M.write(buffer, name)
  if name ~= vim.api.nvim_buf_get_name(buffer) then
    return text.complain(("Only its own buffer is written to '%s'."):format(name))
  end
  detail.write(buffer, vim.v.cmdbang == 1)
end

vim.api.nvim_create_autocmd('VimLeavePre', {
  group = vim.api.nvim_create_augroup('todostream-leave', {}),
  callback = function()
    detail.leave(SAVING)
    client.stop(GOODBYE)
  end,
})

vim.schedule(detail.tell_rescued)

return M
