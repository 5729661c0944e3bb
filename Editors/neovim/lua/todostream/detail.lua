--- A todo in a buffer of its own: its fields and notes, saved by writing it.
---
--- A buffer remembers what it was read as, its base. What differs from it is what the person has
--- changed, and only that is sent, with the revision of the base.
local client = require('todostream.client')
local complete = require('todostream.complete')
local fields = require('todostream.fields')
local text = require('todostream.text')

--- Where edits are that could not be stored before the editor ended.
local M = { rescued = vim.fn.stdpath('data') .. '/todostream' }

local space = vim.api.nvim_create_namespace('todostream-detail')
local problems = vim.api.nvim_create_namespace('todostream')
vim.diagnostic.config({ virtual_text = true, signs = true, underline = false }, problems)

-- By buffer: `id`, `todo` as it was read, `base` = its fields; `seen` is the todo of which the
-- person knows that it is in conflict; `told` the one of which they know that it is there.
local details = {}

local function lines_of(buffer) return vim.api.nvim_buf_get_lines(buffer, 0, -1, false) end

--- Points at a row.
local function point(buffer, row, message)
  local last = vim.api.nvim_buf_line_count(buffer)
  return { lnum = math.min(row, last) - 1, col = 0, message = text.shown(message), source = 'todostream' }
end

local function mark(buffer, found, first)
  vim.diagnostic.set(problems, buffer, found)
  if first and vim.api.nvim_get_current_buf() == buffer then
    vim.api.nvim_win_set_cursor(0, { found[1].lnum + 1, 0 })
  end
end

local function annotate(buffer, todo)
  vim.api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  local function note(row, said)
    if row > vim.api.nvim_buf_line_count(buffer) then return end
    vim.api.nvim_buf_set_extmark(buffer, space, row - 1, 0, { virt_text = { { said, 'TodostreamNote' } } })
  end
  local restore = ('  deleted; :TodoRun restore %d brings it back'):format(todo.id)
  note(fields.rows.title, '  #' .. todo.id .. (todo.deleted and restore or ''))
  if todo.complete and todo.completedAt then
    note(fields.rows.complete, '  ' .. todo.completedAt:sub(1, 16):gsub('T', ' ') .. ' UTC')
  end
end

local function put(buffer, lines)
  if vim.deep_equal(lines, lines_of(buffer)) then return end
  local views = {}
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    views[window] = vim.api.nvim_win_call(window, vim.fn.winsaveview)
  end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  for window, view in pairs(views) do
    vim.api.nvim_win_call(window, function() vim.fn.winrestview(view) end)
  end
end

--- Has the buffer show the todo, as it is or with what the person has changed since `sent`.
local function show(buffer, todo, sent)
  local detail, stored = details[buffer], fields.of(todo)
  local now = sent and fields.parse(lines_of(buffer))
  if sent and not now then return end
  detail.todo, detail.base, detail.seen = todo, stored, nil
  local shown = now and fields.merge(sent, now, stored) or stored
  local levels = vim.bo[buffer].undolevels
  -- Nobody's undo takes back to what was never typed.
  if not sent then vim.bo[buffer].undolevels = -1 end
  vim.bo[buffer].modifiable = true
  put(buffer, fields.lines(shown))
  if not sent then vim.bo[buffer].undolevels = levels end
  vim.bo[buffer].modified = #fields.changed(stored, shown) > 0
  vim.diagnostic.reset(problems, buffer)
  annotate(buffer, todo)
end

local function is_live(buffer) return details[buffer] and vim.api.nvim_buf_is_loaded(buffer) end

--- Asks for the todo as it is stored.
local function look(buffer, use)
  client.ask('todo/show', { id = details[buffer].id }, function(problem, todo)
    if not is_live(buffer) then return end
    if problem then return client.complain(problem) end
    use(todo)
  end)
end

local function list(names) return table.concat(names, ', '):gsub('subtitle', 'notes') end

--- Follows what others have done: a buffer that is edited is left alone, and the person told.
local function follow(buffer)
  local detail = details[buffer]
  look(buffer, function(todo)
    if detail.is_saving or not detail.base then return end
    if todo.revision <= detail.todo.revision then return end
    local theirs = fields.changed(detail.base, fields.of(todo))
    if not vim.bo[buffer].modified then
      show(buffer, todo)
    elseif #theirs > 0 and detail.told ~= todo.revision then
      detail.told = todo.revision
      text.tell(('#%d was changed meanwhile (%s); your edit is left alone.'):format(detail.id, list(theirs)),
        vim.log.levels.WARN)
    end
    if todo.deleted then annotate(buffer, todo) end
  end)
end

table.insert(client.watchers, function(ids)
  for buffer, detail in pairs(details) do
    if is_live(buffer) and (not ids or vim.tbl_contains(ids, detail.id)) then
      if detail.base then follow(buffer) else M.read(buffer, detail.id) end
    end
  end
end)

--- What completes a line up to the cursor.
local function context(before, row)
  local label, gap, value = before:match('^(%a+):(%s*)(.*)$')
  local field = fields.labels[label]
  local option = ({ priority = '--priority ', due = '--due ', project = '--project ', tags = '--tag ' })[field]
  if not option or row > fields.rows.complete then return nil end
  local prefix, start = 'edit 0 ' .. option, #label + 1 + #gap
  if field ~= 'tags' then
    return { prefix = prefix, text = text.quoted(value), at = start, is_raw = true }
  end
  local words, quote = text.words(value)
  local last = words[#words]
  if not last or (not quote and value:match('%s$')) then last = { start = #value + 1 } end
  return { prefix = prefix, text = value:sub(last.start), at = start + last.start - 1 }
end

--- Makes a buffer the detail of a todo.
function M.read(buffer, id)
  if not details[buffer] then
    complete.attach(buffer, context)
    vim.api.nvim_create_autocmd('BufWipeout', {
      buffer = buffer,
      callback = function() details[buffer] = nil end,
    })
  end
  local options = vim.bo[buffer]
  options.buftype, options.bufhidden, options.swapfile = 'acwrite', 'hide', false
  options.modeline, options.filetype, options.modifiable = false, 'todostream', false
  details[buffer] = { id = id }
  look(buffer, function(todo) show(buffer, todo) end)
end

--- Shows both values of each field that two have changed.
local function show_conflict(buffer, mine)
  local detail = details[buffer]
  look(buffer, function(todo)
    detail.seen = todo
    local theirs, found = fields.of(todo), {}
    for _, name in ipairs(fields.changed(detail.base, mine)) do
      if not fields.same(name, detail.base, theirs) and not fields.same(name, mine, theirs) then
        local function said(of) return ("'%s'"):format(fields.value(name, of[name])) end
        table.insert(found, point(buffer, fields.rows[name],
          ('You saw %s, now it is %s; :w! writes yours, :e! takes theirs.'):format(said(detail.base), said(theirs))))
      end
    end
    if #found > 0 then mark(buffer, found, true) end
  end)
end

--- Writes an edit into a file.
local function rescue(detail)
  vim.fn.mkdir(M.rescued, 'p', tonumber('700', 8))
  local path = ('%s/%d-%s.txt'):format(M.rescued, detail.id, os.date('%Y%m%d-%H%M%S'))
  vim.fn.writefile(vim.tbl_map(text.unline, detail.sent), path)
  text.complain('The edit was not stored; it is in ' .. path)
end

--- An edit that could not be stored is the person's still, where they see it.
local function keep(buffer, detail)
  if M.is_leaving or not is_live(buffer) then return rescue(detail) end
  vim.bo[buffer].modified = true
  if #vim.fn.win_findbuf(buffer) == 0 then vim.cmd('sbuffer ' .. buffer) end
end

--- Stores what the person has changed; `is_forced` over what they have seen to be in conflict.
function M.write(buffer, is_forced)
  local detail = details[buffer]
  if not detail or not detail.base then return text.complain('It has not been read yet.') end
  if detail.is_saving then return text.complain('It is being saved.') end
  local mine, problem, row = fields.parse(lines_of(buffer))
  if not mine then
    mark(buffer, { point(buffer, row, problem) }, true)
    return text.complain(problem)
  end
  if #fields.changed(detail.base, mine) == 0 then
    vim.bo[buffer].modified = false
    return text.tell(('#%d has no changes.'):format(detail.id))
  end
  vim.diagnostic.reset(problems, buffer)
  -- So that ':wq' goes on, it counts as written; what leaves the editor waits for the answer.
  detail.is_saving, detail.sent = true, lines_of(buffer)
  vim.bo[buffer].modified = false

  local function fail(why)
    detail.is_saving = false
    client.complain(why)
    keep(buffer, detail)
    if not is_live(buffer) then return end
    local field = why.data and why.data.field
    if why.code == 4 then
      show_conflict(buffer, mine)
    elseif fields.rows[field] then
      mark(buffer, { point(buffer, fields.rows[field], why.message) }, true)
    end
  end
  local function save(method, params, sent, next_step)
    params.id = detail.id
    client.ask(method, params, function(why, todo)
      if why then return fail(why) end
      if is_live(buffer) then show(buffer, todo, sent) end
      next_step(todo)
    end)
  end
  local function finish()
    detail.is_saving = false
    text.tell(('#%d saved'):format(detail.id))
    if is_live(buffer) then follow(buffer) end
  end
  local function save_completion(todo)
    if mine.complete == todo.complete then return finish() end
    save(mine.complete and 'todo/done' or 'todo/reopen', { expectedRevision = todo.revision }, mine, finish)
  end
  local seen = is_forced and detail.seen or detail.todo
  local edit = fields.edit(detail.base, mine, fields.of(seen))
  if not next(edit) then return save_completion(detail.todo) end
  edit.expectedRevision = seen.revision
  -- Whether it is complete is asked of the person's edit, not of what the store had.
  local wants_completion = mine.complete ~= detail.base.complete
  local sent = vim.tbl_extend('force', mine, { complete = detail.base.complete })
  save('todo/edit', edit, sent, function(todo)
    if wants_completion then save_completion(todo) else finish() end
  end)
end

local function is_saving()
  for _, detail in pairs(details) do
    if detail.is_saving then return true end
  end
  return false
end

--- As the editor ends: waits until what is on its way is stored; what cannot be goes to files.
function M.leave(milliseconds)
  M.is_leaving = true
  vim.wait(milliseconds, function() return not is_saving() end, 5)
  for _, detail in pairs(details) do
    if detail.is_saving then rescue(detail) end
  end
end

--- Says where there are edits that could not be stored when an editor ended.
function M.tell_rescued()
  local count = #vim.fn.glob(M.rescued .. '/*.txt', true, true)
  if count > 0 then
    text.tell(('todostream: %d edits could not be stored; they are in %s'):format(count, M.rescued),
      vim.log.levels.WARN)
  end
end

return M
