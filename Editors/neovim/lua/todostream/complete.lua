--- Completion of tags, projects and other words, as the server knows them; never waited for.
local client = require('todostream.client')
local text = require('todostream.text')

local M = {}

-- What a buffer's text up to the cursor means, by buffer: `prefix` and `text` are a line of
-- todostream, `text` begins at byte `at`; `is_raw` where the buffer has words without their quotes.
local readers = {}

--- Has a buffer completed by what `read` makes of a line of it up to the cursor.
function M.attach(buffer, read)
  readers[buffer] = read
  vim.bo[buffer].omnifunc = "v:lua.require'todostream.complete'.omnifunc"
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = buffer,
    callback = function() readers[buffer] = nil end,
  })
end

local function here()
  local buffer, position = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)
  local line = vim.api.nvim_get_current_line():sub(1, position[2])
  return buffer, position[1], line
end

--- Asks for what could stand at the cursor; it is offered when the answer is there, if the
--- person is still there, too.
function M.offer()
  local buffer, row, line = here()
  local context = readers[buffer] and readers[buffer](line, row)
  if not context then return end
  local asked = context.prefix .. text.unline(context.text)
  client.get('line/complete', { line = asked }, function(result)
    local buffer_now, row_now, line_now = here()
    local is_typing = vim.api.nvim_get_mode().mode:sub(1, 1) == 'i'
    if not is_typing or buffer_now ~= buffer or row_now ~= row or line_now ~= line then return end
    local items = vim.tbl_map(function(candidate)
      local word = candidate.word
      if context.is_raw then word = (text.words(word)[1] or { text = '' }).text end
      return { word = text.line(word), menu = text.shown(candidate.summary) }
    end, result.candidates)
    if #items == 0 then return end
    local kept = context.is_raw and 0 or math.max(0, #result.keep - #context.prefix)
    vim.fn.complete(context.at + kept + 1, items)
  end)
end

--- For 'omnifunc': begins to ask, and leaves the rest to the answer.
function M.omnifunc(findstart)
  if findstart == 0 then return {} end
  M.offer()
  return -3
end

local known = { line = nil, candidates = {} }

--- For the command line: what is known at once; else it is asked for, and 'wildchar' is typed again
--- when the answer is there, if the line is still the same.
function M.command(start, lead, line, position)
  line = line:sub(1, position)
  local typed = line:match('Todo%a*!?%s+(.*)$') or ''
  local asked = start .. typed
  if known.line ~= asked then
    client.get('line/complete', { line = asked }, function(result)
      known = { line = asked, candidates = {} }
      for _, candidate in ipairs(result.candidates) do
        local whole = result.keep .. candidate.word
        table.insert(known.candidates, whole:sub(#asked - #lead + 1))
      end
      if #known.candidates > 0 and vim.fn.getcmdtype() == ':'
        and vim.fn.getcmdline():sub(1, vim.fn.getcmdpos() - 1) == line then
        vim.api.nvim_feedkeys(vim.fn.nr2char(vim.o.wildchar), 't', false)
      end
    end)
    return {}
  end
  known.line = nil
  return known.candidates
end

return M
