--- A todo as text: a line for each field, an empty line, its notes.
local text = require('todostream.text')

local M = { labels = {}, rows = {} }

local order = {
  { 'title', 'Title' }, { 'priority', 'Priority' }, { 'due', 'Due' }, { 'tags', 'Tags' },
  { 'project', 'Project' }, { 'complete', 'Completed' },
}
for row, field in ipairs(order) do
  M.labels[field[2]], M.rows[field[1]] = field[1], row
end
M.rows.subtitle = #order + 2

--- What of a todo is edited; a field that is not there is empty.
function M.of(todo)
  return {
    title = todo.title, priority = todo.priority, due = todo.due or '', tags = todo.tags,
    project = todo.project or '', complete = todo.complete, subtitle = todo.subtitle,
  }
end

--- A field's value as its line has it.
function M.value(field, value)
  if field == 'tags' then value = table.concat(vim.tbl_map(text.quoted, value), ' ') end
  if field == 'complete' then value = value and 'yes' or 'no' end
  return value
end

--- The lines of a buffer.
function M.lines(fields)
  local lines = {}
  for row, field in ipairs(order) do
    local value = M.value(field[1], fields[field[1]])
    lines[row] = vim.trim(('%s: %s'):format(field[2], text.line(value)))
  end
  lines[#lines + 1] = ''
  return vim.list_extend(lines, vim.split(fields.subtitle, '\n'))
end

local function read(field, value)
  if field == 'tags' then
    local words, quote = text.words(value)
    if quote then return nil, ('The quote %s is never closed.'):format(quote) end
    return vim.tbl_map(function(word) return word.text end, words)
  elseif field == 'complete' then
    if value == 'yes' or value == 'no' then return value == 'yes' end
    return nil, "Write 'yes' or 'no'."
  elseif field == 'priority' and value == '' then
    return 'normal'
  end
  return value
end

--- The fields that the lines stand for; or nil, what is wrong, and the row.
function M.parse(lines)
  local fields, row = {}, 1
  while lines[row] and lines[row] ~= '' do
    local label, value = lines[row]:match('^(%a+):%s*(.-)%s*$')
    local field = M.labels[label]
    if not field then
      return nil, 'This is no field; notes stand below an empty line.', row
    elseif fields[field] ~= nil then
      return nil, ("'%s' stands here twice."):format(label), row
    end
    local problem
    fields[field], problem = read(field, text.unline(value))
    if problem then return nil, problem, row end
    row = row + 1
  end
  for _, field in ipairs(order) do
    if fields[field[1]] == nil then
      return nil, ("The line '%s:' is missing; leave it empty to clear it."):format(field[2]),
        math.max(1, math.min(row - 1, #lines))
    end
  end
  fields.subtitle = table.concat(lines, '\n', row + 1)
  return fields
end

local function normal(field, value)
  if field ~= 'tags' then
    return field == 'title' and vim.trim(value) or value
  end
  local sorted = vim.list_extend({}, value)
  table.sort(sorted)
  return sorted
end

--- Whether a field has the same value in both.
function M.same(field, one, other)
  return vim.deep_equal(normal(field, one[field]), normal(field, other[field]))
end

--- The names of the fields in which the two differ, in their order.
function M.changed(one, other)
  local names = {}
  for _, name in ipairs({ 'title', 'priority', 'due', 'tags', 'project', 'complete', 'subtitle' }) do
    if not M.same(name, one, other) then names[#names + 1] = name end
  end
  return names
end

local function without(tags, others)
  return vim.tbl_filter(function(tag) return not vim.tbl_contains(others, tag) end, tags)
end

--- What `todo/edit` is to be told so that `base` becomes `mine`, where the person has seen `theirs`;
--- but for completing. Its tags are all that the todo is to have.
function M.edit(base, mine, theirs)
  local edit = {}
  for _, name in ipairs(M.changed(base, mine)) do
    if name == 'tags' then
      local added = without(without(mine.tags, base.tags), theirs.tags)
      local tags = vim.list_extend(vim.list_extend({}, theirs.tags), added)
      edit.tags = without(tags, without(base.tags, mine.tags))
    elseif name ~= 'complete' then
      local value = mine[name]
      if value == '' and (name == 'due' or name == 'project') then value = vim.NIL end
      edit[name] = value
    end
  end
  return edit
end

--- `theirs` with what was changed between `base` and `mine`.
function M.merge(base, mine, theirs)
  local merged = vim.deepcopy(theirs)
  for _, name in ipairs(M.changed(base, mine)) do merged[name] = mine[name] end
  return merged
end

return M
