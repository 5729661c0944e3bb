--- The list of todos: a buffer that follows what anybody does.
local client = require('todostream.client')
local config = require('todostream.config')
local line = require('todostream.line')
local text = require('todostream.text')

local M = { name = 'todostream://list', filter = nil }

local space = vim.api.nvim_create_namespace('todostream-list')
local beneath = vim.api.nvim_create_namespace('todostream-list-problem')
local buffer, rows, editor, prompt
local title_cells = 0
local asked, answered, is_stale = 0, 0, false
local drawn_at, is_resting = 0, false

--- So long, in milliseconds, the list stands at least before it is drawn anew, so that who types
--- while a script changes much is not held up.
local REST = 100

local function is_there() return buffer and vim.api.nvim_buf_is_loaded(buffer) end

--- The todo on a row of the buffer; the first has the header.
local function todo_at(row) return rows[row - 1] end

local function row_of(id)
  for index, todo in ipairs(rows) do
    if todo.id == id then return index + 1 end
  end
end

local function header()
  if prompt then return prompt end
  local counts = client.counts
  local parts = { M.filter ~= '' and text.shown(M.filter) or 'open todos' }
  parts[2] = #rows .. (#rows == config.limit and ' shown, there may be more' or ' shown')
  if counts then
    parts[3] = ('%d open'):format(counts.open)
    if counts.overdue > 0 then parts[4] = ('%d overdue'):format(counts.overdue) end
  end
  return 'todostream  ' .. table.concat(parts, ' · ')
end

local function draw_header()
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, 1, false, { header() })
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
  vim.api.nvim_buf_clear_namespace(buffer, space, 0, 1)
  vim.api.nvim_buf_set_extmark(buffer, space, 0, 0, { end_row = 1, hl_group = 'TodostreamHeader', strict = false })
end

local function widest(of)
  local width = 0
  for _, todo in ipairs(rows) do
    width = math.max(width, text.width(text.shown(of(todo))))
  end
  return width
end

local function rest_of(todo)
  local words = vim.tbl_map(function(tag) return '+' .. tag end, todo.tags)
  return table.concat(words, ' '), todo.project
end

--- The lines, and what of them is coloured: {row, from, to, group}.
local function draw(width)
  local today = os.date('%Y-%m-%d')
  local number = math.max(2, widest(function(todo) return '#' .. todo.id end))
  local function said(todo) return todo.due and text.date(todo.due) or '' end
  local due = widest(said)
  local rest = widest(function(todo)
    local tags, project = rest_of(todo)
    return tags .. (project and '  ' .. project or '')
  end)
  title_cells = number + 7
  local taken = title_cells + (due > 0 and due + 2 or 0)
  local room = width - taken - (rest > 0 and math.min(rest, math.floor(width / 3)) + 2 or 0)
  local title = math.min(widest(function(todo) return todo.title end), math.max(20, room))
  local lines, colours = {}, {}
  for index, todo in ipairs(rows) do
    local drawn = ''
    local function put(piece, group)
      if group and piece ~= '' then
        table.insert(colours, { index, #drawn, #drawn + #piece, group })
      end
      drawn = drawn .. piece
    end
    local is_late = todo.due and not todo.complete and todo.due:sub(1, 10) < today
    put((' '):rep(number - #tostring(todo.id) - 1))
    put('#' .. todo.id, 'TodostreamNumber')
    put(todo.complete and ' [x] ' or ' [ ] ', todo.complete and 'TodostreamDone')
    put(todo.priority == 'high' and '! ' or '  ', 'TodostreamHigh')
    put(text.fit(todo.title, title), todo.complete and 'TodostreamDone' or todo.deleted and 'TodostreamNote')
    if due > 0 then
      put('  ')
      put(text.fit(said(todo), due), is_late and 'TodostreamOverdue' or 'TodostreamDue')
    end
    local tags, project = rest_of(todo)
    if tags ~= '' then
      put('  ')
      put(text.shown(tags), 'TodostreamTag')
    end
    if project then
      put('  ')
      put(text.shown(project), 'TodostreamProject')
    end
    lines[index] = drawn:gsub('%s+$', '')
  end
  return lines, colours
end

--- What is wrong with the title that is edited, beneath it.
local function draw_problem()
  vim.api.nvim_buf_clear_namespace(buffer, beneath, 0, -1)
  if not editor or not editor.problem then return end
  local row = editor:row()
  local width = vim.api.nvim_win_get_width(editor.options.window) - title_cells
  local lines = vim.tbl_map(function(piece)
    return { { (' '):rep(title_cells) }, { piece, 'ErrorMsg' } }
  end, text.wrapped(editor.problem, width))
  vim.api.nvim_buf_set_extmark(buffer, beneath, row, 0, { virt_lines = lines })
end

--- Puts the rows into the buffer; each cursor stays on its todo, at its height in the window.
local function show(todos)
  local windows = vim.fn.win_findbuf(buffer)
  local views = {}
  for _, window in ipairs(windows) do
    local view = vim.api.nvim_win_call(window, vim.fn.winsaveview)
    views[window] = { view = view, todo = rows and todo_at(view.lnum) }
  end
  rows = todos
  local first = windows[1] and vim.fn.getwininfo(windows[1])[1]
  local lines, colours = draw(first and first.width - first.textoff or vim.o.columns)
  if #lines == 0 then
    local key = config.keys_of('list', 'add')[1]
    lines[1] = key and ("Nothing to show; '%s' adds a todo."):format(key) or 'Nothing to show.'
    colours[1] = { 1, 0, #lines[1], 'TodostreamNote' }
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 1, -1, false, lines)
  vim.api.nvim_buf_clear_namespace(buffer, space, 1, -1)
  for _, colour in ipairs(colours) do
    local row, from, to, group = unpack(colour)
    vim.api.nvim_buf_set_extmark(buffer, space, row, from,
      { end_col = math.min(to, #lines[row]), hl_group = group, strict = false })
  end
  draw_header()
  for window, saved in pairs(views) do
    local view = saved.view
    local row = saved.todo and row_of(saved.todo.id) or math.min(view.lnum, #lines + 1)
    -- Where there are todos, the cursor is on one.
    if not saved.todo and view.lnum == 1 and #rows > 0 then row = 2 end
    if view.topline > 1 then view.topline = math.max(1, view.topline + row - view.lnum) end
    view.lnum = row
    vim.api.nvim_win_call(window, function() vim.fn.winrestview(view) end)
  end
  if editor then
    editor:follow()
    draw_problem()
  end
end

local function is_selecting()
  return vim.api.nvim_get_current_buf() == buffer and vim.fn.mode():match('^[vV\22]')
end

--- Asks for the rows anew; only one request is under way at a time.
function M.refresh()
  if not is_there() then return end
  if asked > answered then is_stale = true return end
  if #vim.fn.win_findbuf(buffer) == 0 then is_stale = true return end
  if rows and vim.loop.now() - drawn_at < REST then
    if is_resting then return end
    is_resting = true
    return vim.defer_fn(function()
      is_resting = false
      M.refresh()
    end, REST)
  end
  is_stale, asked = false, asked + 1
  local words, limit = M.filter, ''
  if not words:find('--limit', 1, true) then limit = '--limit ' .. config.limit .. ' ' end
  client.ask('line/run', { line = 'list ' .. limit .. words }, function(problem, result)
    answered = asked
    if not is_there() then return end
    if problem then
      client.complain(problem)
    elseif result.method ~= 'todo/list' then
      text.tell(type(result.value) == 'table' and result.value.text or 'That lists no todos.')
    elseif is_selecting() then
      -- A selection is of rows: they stay where they are until it is over.
      is_stale = true
      return
    else
      show(result.value)
      drawn_at = vim.loop.now()
    end
    if is_stale and not problem then M.refresh() end
  end)
end

local function refresh_if_stale()
  if is_stale and is_there() then vim.schedule(M.refresh) end
end

table.insert(client.watchers, function(ids)
  if not is_there() then return end
  if ids and #ids == 0 then
    if rows then draw_header() end
  else
    M.refresh()
  end
end)

--- The todos that an action is for: the selection's, or from the cursor on as many as the count.
local function chosen()
  local first, last = vim.fn.line('.'), vim.fn.line('.') + vim.v.count1 - 1
  if is_selecting() then
    first, last = vim.fn.line('v'), vim.fn.line('.')
    if first > last then first, last = last, first end
    vim.api.nvim_feedkeys('\27', 'nx', false)
    vim.api.nvim_win_set_cursor(0, { first, 0 })
  end
  local todos = {}
  for row = first, math.min(last, #rows + 1) do todos[#todos + 1] = todo_at(row) end
  return todos
end

local function ids_of(todos) return vim.tbl_map(function(todo) return todo.id end, todos) end

local function toggle()
  local todos = chosen()
  local open = vim.tbl_filter(function(todo) return not todo.complete end, todos)
  if #todos == 0 then return end
  -- What a person sees open is to be done, even if somebody else has done it meanwhile.
  if #open > 0 then
    client.get('todo/done', { ids = ids_of(open) }, function() end)
  else
    client.get('todo/reopen', { ids = ids_of(todos) }, function() end)
  end
end

--- Asks the person before many are deleted.
function M.may_delete(count)
  return count <= config.confirm_above
    or vim.fn.confirm(('Delete %d todos?'):format(count), '&Yes\n&No', 2) == 1
end

local function delete()
  local todos = chosen()
  if #todos == 0 or not M.may_delete(#todos) then return end
  client.get('todo/delete', { ids = ids_of(todos) }, function()
    local what = #todos == 1 and '#' .. todos[1].id or #todos .. ' todos'
    text.tell(('Deleted %s; undo brings it back.'):format(what))
  end)
end

--- Edits the title on its line.
local function edit_title(cursor)
  local todo = todo_at(vim.fn.line('.'))
  if not todo or editor then return end
  editor = line.open({
    name = '#' .. todo.id .. ' title',
    window = vim.api.nvim_get_current_win(),
    text = cursor == 'empty' and '' or todo.title,
    cursor = cursor,
    leaving = 'accept',
    place = function()
      local row = row_of(todo.id) or vim.fn.line('.', vim.fn.bufwinid(buffer))
      return row - 1, title_cells
    end,
    closed = function()
      editor = nil
      if is_there() then draw_problem() end
    end,
    accept = function(title, done)
      if title == todo.title then return done(true) end
      local change = { id = todo.id, title = title, expectedRevision = todo.revision }
      client.ask('todo/edit', change, function(problem)
        done(not problem)
        if not problem then return end
        client.complain(problem)
        if editor then
          editor.problem = problem.code == 4
            and ("You saw '%s', now it is '%s'; accept yours again, or give it up."):format(problem.data.expected,
              problem.data.actual) or problem.message
          draw_problem()
        end
        if problem.code ~= 4 then return end
        -- Both are known now: who writes again means it.
        client.get('todo/show', { id = todo.id }, function(now) todo = now end)
      end)
    end,
  })
end

--- Has a line typed in the place of the header.
local function ask_line(label, prefix, start, accept)
  if editor then return end
  prompt = label
  draw_header()
  editor = line.open({
    name = prefix .. '…',
    window = vim.api.nvim_get_current_win(),
    text = start,
    leaving = 'give_up',
    prefix = prefix,
    place = function() return 0, vim.fn.strdisplaywidth(label) end,
    closed = function()
      editor, prompt = nil, nil
      if is_there() then draw_header() end
    end,
    accept = accept,
  })
end

--- Adds what the words say; `done` gets whether it worked.
function M.add(words, done)
  client.ask('line/run', { line = 'add ' .. words, as = 'text' }, function(problem, result)
    if problem then client.complain(problem) else text.tell(vim.trim(result.text)) end
    if done then done(not problem) end
  end)
end

local function filter()
  local words = M.filter ~= '' and M.filter .. ' ' or ''
  ask_line('Filter: ', 'list ', words, function(typed, done)
    -- It is tried first: a filter with a mistake is mended, and the list stays as it is.
    typed = vim.trim(typed)
    client.ask('line/run', { line = 'list --limit 1 ' .. typed:gsub('%-%-limit%s+%S+', '') },
      function(problem)
        done(not problem)
        if problem then return client.complain(problem) end
        M.filter = typed
        M.refresh()
      end)
  end)
end

local actions = {
  add = function() ask_line('Add: ', 'add ', '', M.add) end,
  toggle = toggle,
  change = function() edit_title('empty') end,
  insert = function() edit_title('start') end,
  append = function() edit_title('end') end,
  delete = delete,
  delete_selection = delete,
  undo = function() require('todostream').undo() end,
  redo = function() require('todostream').redo() end,
  filter = filter,
  detail = function()
    local todo = todo_at(vim.fn.line('.'))
    if todo then require('todostream').open(todo.id) end
  end,
  refresh = M.refresh,
  overdue = function() require('todostream').overdue() end,
  close = function()
    if pcall(vim.cmd, 'close') then return end
    -- It is the only window.
    text.command(vim.fn.buflisted('#') == 1 and 'buffer #' or 'enew')
  end,
  help = function() text.command('help todostream-list') end,
}

local function map()
  for action, run in pairs(actions) do
    local modes = action == 'delete_selection' and 'x' or action == 'toggle' and { 'n', 'x' } or 'n'
    for _, key in ipairs(config.keys_of('list', action)) do
      vim.keymap.set(modes, key, function() if rows then run() end end,
        { buffer = buffer, nowait = true, desc = 'todostream: ' .. action })
    end
  end
end

--- Makes a buffer the list.
function M.read(into)
  buffer, rows = into, nil
  M.filter = M.filter or config.filter
  local options = vim.bo[buffer]
  options.buftype, options.bufhidden, options.swapfile = 'nofile', 'hide', false
  options.modeline, options.buflisted, options.filetype = false, false, 'todostreamlist'
  options.modifiable, options.undolevels = false, -1
  map()
  local group = vim.api.nvim_create_augroup('todostream-list', {})
  local function on(event, run)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = buffer, callback = run })
  end
  local function lay_out()
    local look = vim.opt_local
    look.wrap, look.cursorline, look.list, look.spell = false, true, false, false
    look.number, look.relativenumber, look.signcolumn = false, false, 'no'
  end
  lay_out()
  on('BufWinEnter', function()
    lay_out()
    -- What is under way has only just been asked for.
    if asked == answered then M.refresh() end
  end)
  on('ModeChanged', refresh_if_stale)
  vim.api.nvim_create_autocmd('VimResized', { group = group, callback = function() M.refresh() end })
  M.refresh()
end

return M
