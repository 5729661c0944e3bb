--- Text as a screen, a buffer and todostream's language have it.
local M = {}

--- A line of a buffer: a newline in a title is a NUL there, which Neovim shows as ^@.
function M.line(text) return (text:gsub('\n', '\0')) end

--- What a line of a buffer stands for.
function M.unline(line) return (line:gsub('%z', '\n')) end

local function is_plain(text) return not text:find('[^ -~]') end

--- Text whose control characters show.
function M.shown(text) return is_plain(text) and text or vim.fn.strtrans(M.unline(text)) end

--- How many cells text takes that is shown; most is plain, and need not be asked about.
function M.width(text) return is_plain(text) and #text or vim.fn.strdisplaywidth(text) end

--- Text that is `width` cells wide; what does not fit ends in an ellipsis.
function M.fit(text, width)
  text = M.shown(text)
  local cells = M.width(text)
  if cells > width then
    local room = width - M.width('…')
    return vim.fn.printf(('%%-%d.%dS'):format(room, room), text) .. '…'
  end
  return text .. (' '):rep(width - cells)
end

--- Text in pieces that are `width` cells wide at most.
function M.wrapped(text, width)
  local pieces, rest = {}, M.shown(text)
  repeat
    local piece = vim.fn.printf(('%%.%dS'):format(math.max(2, width)), rest)
    pieces[#pieces + 1], rest = piece, rest:sub(#piece + 1)
  until rest == '' or piece == ''
  return pieces
end

local weekdays = { 'Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat' }
local months = { 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec' }

local function noon(date) return os.time({ year = date.year, month = date.month, day = date.day, hour = 12 }) end

--- A date of todostream as people say it: `today`, `tomorrow 09:00`, `Fri 4 Dec`, with its year if that is another.
function M.date(due)
  local year, month, day, time = due:match('^(%d+)-(%d+)-(%d+)T?(.*)$')
  local now = os.date('*t')
  local at = year and noon({ year = year, month = month, day = day })
  if not at then return due end
  local said = ({ [-1] = 'yesterday', [0] = 'today', 'tomorrow' })[math.floor((at - noon(now)) / 86400 + 0.5)]
  if not said then
    local date = os.date('*t', at)
    said = ('%s %d %s'):format(weekdays[date.wday], date.day, months[date.month])
    if date.year ~= now.year then said = said .. ' ' .. date.year end
  end
  return time == '' and said or said .. ' ' .. time
end

--- The words of a line of todostream: their text and where each begins; and the quote left open.
function M.words(line)
  local words, word, quote, i = {}, nil, nil, 1
  while i <= #line do
    local c = line:sub(i, i)
    local escapes = c == '\\' and quote ~= "'" and i < #line
    if not quote and c:match('%s') then
      word = nil
    else
      if not word then
        word = { text = '', start = i }
        words[#words + 1] = word
      end
      if escapes then
        i = i + 1
        local escaped = line:sub(i, i)
        word.text = word.text .. ((quote and escaped == 'n') and '\n' or escaped)
      elseif c == quote then
        quote = nil
      elseif not quote and (c == '"' or c == "'") then
        quote = c
      else
        word.text = word.text .. c
      end
    end
    i = i + 1
  end
  return words, quote
end

--- A word as todostream's language needs it.
function M.quoted(word)
  if word:match('^[%w%-_+./:@,\128-\255]+$') then return word end
  return "'" .. word:gsub("'", [['\'']]) .. "'"
end

--- Whether the server can take it: UTF-8 without U+0000.
function M.sendable(text)
  local i = 1
  while i <= #text do
    local _, last = text:find('^[\1-\127]+', i)
    if not last then _, last = text:find('^[\194-\223][\128-\191]', i) end
    if not last then _, last = text:find('^[\224-\239][\128-\191][\128-\191]', i) end
    if not last then _, last = text:find('^[\240-\244][\128-\191][\128-\191][\128-\191]', i) end
    if not last then return false end
    i = last + 1
  end
  return true
end

local highlights = { [vim.log.levels.ERROR] = 'ErrorMsg', [vim.log.levels.WARN] = 'WarningMsg' }

local function echo(text, level)
  -- Above a command line that is being typed there is no room: it comes after.
  if vim.api.nvim_get_mode().mode:sub(1, 1) == 'c' then
    vim.api.nvim_create_autocmd('CmdlineLeave', {
      once = true,
      callback = function() vim.schedule(function() echo(text, level) end) end,
    })
    return
  end
  vim.cmd('redraw')
  vim.cmd('echohl ' .. (highlights[level] or 'None'))
  vim.cmd('echomsg ' .. vim.fn.string(text))
  vim.cmd('echohl None')
end

--- Shows a message, as a plugin for notifications does if there is one.
---
--- What Neovim itself does with a long one, or one behind another, is to wait for a key, in the middle
--- of whatever is being typed; so each has a turn of its own, and is cut to the screen's width. In
--- `:messages` it is whole.
function M.tell(text, level)
  text = M.shown((text:gsub('\n', ' ')))
  level = level or vim.log.levels.INFO
  local is_built_in = debug.getinfo(vim.notify, 'S').source:match('^@vim/')
  local show = is_built_in and echo or vim.notify
  vim.schedule(function() show(text, level) end)
end

--- Shows a message as an error.
function M.complain(text) M.tell('todostream: ' .. text, vim.log.levels.ERROR) end

--- Does what a command line does; what is wrong with it is shown as its error.
function M.command(line)
  local works, problem = pcall(vim.cmd, line)
  if not works then M.complain((tostring(problem):gsub('^.-Vim[^:]*:', ''))) end
end

return M
