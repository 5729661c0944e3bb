-- Renamed in 0.10.
local is_list = vim.islist or vim.tbl_islist

--- What can be chosen; |todostream-options| says what each means.
local M = {
  cmd = { 'todostream', '--yes', 'serve', '--stdio' },
  filter = '',
  limit = 1000,
  open = 'belowright split',
  overdue = 'quickfix',
  confirm_above = 3,
  keys = {
    list = {
      add = 'a',
      toggle = { 'x', '<Space>' },
      change = 'cc',
      insert = 'i',
      append = 'A',
      delete = { 'dd', 'D' },
      delete_selection = { 'd', 'D' },
      undo = 'u',
      redo = '<C-r>',
      filter = 'f',
      detail = '<CR>',
      refresh = 'R',
      overdue = 'o',
      close = 'q',
      help = 'g?',
    },
    line = { accept = '<CR>', give_up = '<C-c>', dismiss = { '<Esc>', 'u' }, complete = '<Tab>' },
  },
}

--- Takes over what a person has chosen; says what cannot be.
function M.choose(chosen, mine, path)
  mine, path = mine or M, path or ''
  for name, value in pairs(chosen) do
    local at, known = path .. tostring(name), mine[name]
    local isKeys = path:match('^keys%.%a+%.$') ~= nil
    if known == nil or type(known) == 'function' then
      error(("todostream.setup: there is no option '%s'; see :help todostream-options"):format(at), 0)
    elseif isKeys and (value == false or type(value) == 'string' or is_list(value)) then
      mine[name] = value
    elseif type(known) ~= type(value) then
      error(("todostream.setup: '%s' takes a %s"):format(at, type(known)), 0)
    elseif type(known) == 'table' and not is_list(known) then
      M.choose(value, known, at .. '.')
    else
      mine[name] = value
    end
  end
end

--- The keys of an action: a list, empty if it is switched off.
function M.keys_of(place, action)
  local keys = M.keys[place][action]
  return type(keys) == 'string' and { keys } or keys or {}
end

return M
