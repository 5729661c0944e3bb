--- One line to edit, in a window of its own that lies where the line belongs.
---
--- What stands beneath may be drawn anew meanwhile, the text is the person's.
local complete = require('todostream.complete')
local config = require('todostream.config')
local text = require('todostream.text')

local M = {}

local Line = {}
Line.__index = Line

--- Opens it: at `place()` = row from 0 on and cells from the left in `window`, with `text`.
---
--- `accept(text, done)` is called with the text; `done(true)` closes, `done(false)` leaves it as it
--- is to be mended. `leaving` says what leaving insert mode means: 'accept' or 'give_up'. `closed`
--- is called at the end; `prefix` is what a line of todostream has before the text.
function M.open(options)
  local self = setmetatable({ options = options }, Line)
  self.buffer = vim.api.nvim_create_buf(false, true)
  local buffer = vim.bo[self.buffer]
  buffer.buftype, buffer.bufhidden, buffer.modeline = 'acwrite', 'wipe', false
  vim.api.nvim_buf_set_name(self.buffer, ('todostream://%s (%d)'):format(options.name, self.buffer))
  vim.api.nvim_buf_set_lines(self.buffer, 0, -1, false, { text.line(options.text) })
  buffer.modified = false
  self.window = vim.api.nvim_open_win(self.buffer, true, self:place())
  vim.wo[self.window].winhighlight = 'NormalFloat:TodostreamEdit'
  vim.wo[self.window].wrap = false
  if options.prefix then
    complete.attach(self.buffer, function(before)
      return { prefix = options.prefix, text = before, at = 0 }
    end)
  end
  self:map()
  if options.cursor == 'start' then
    vim.cmd('startinsert')
  else
    vim.cmd('startinsert!')
  end
  return self
end

function Line:place()
  local row, cells = self.options.place()
  local window = vim.fn.getwininfo(self.options.window)[1]
  local column = cells + window.textoff
  -- Not by a place in the buffer: what was put into that and is not drawn yet has none.
  return {
    relative = 'win', win = self.options.window,
    row = math.max(0, math.min(row + 1 - window.topline, window.height - 1)), col = column,
    width = math.max(20, window.width - column), height = 1, style = 'minimal',
    border = 'none', zindex = 40,
  }
end

--- The row on which it lies, from 0 on.
function Line:row() return (self.options.place()) end

--- Follows what it lies on.
function Line:follow()
  if self:is_open() and vim.api.nvim_win_is_valid(self.options.window) then
    vim.api.nvim_win_set_config(self.window, self:place())
  end
end

function Line:is_open() return vim.api.nvim_win_is_valid(self.window) end

function Line:map()
  local function map(action, modes, run, options)
    options = vim.tbl_extend('force', { buffer = self.buffer, nowait = true }, options or {})
    for _, key in ipairs(config.keys_of('line', action)) do vim.keymap.set(modes, key, run, options) end
  end
  local function accept() self:accept() end
  local function give_up() self:close() end
  map('accept', { 'n', 'i' }, accept)
  map('give_up', { 'n', 'i' }, give_up)
  map('dismiss', 'n', give_up)
  map('complete', 'i', function()
    if vim.fn.pumvisible() == 1 then return '<C-n>' end
    vim.schedule(complete.offer)
    return ''
  end, { expr = true, replace_keycodes = true })
  local function on(event, run)
    vim.api.nvim_create_autocmd(event, { buffer = self.buffer, callback = run })
  end
  on('BufWriteCmd', accept)
  on('InsertLeave', function()
    vim.schedule(function()
      if not self:is_open() or self.is_waiting then return end
      -- Not for one command with <C-o>, nor when the window was left.
      if vim.api.nvim_get_current_win() ~= self.window then return end
      if vim.api.nvim_get_mode().mode ~= 'n' then return end
      if self.options.leaving == 'accept' then self:accept() else self:close() end
    end)
  end)
  -- However its window was closed, such as by ':q' or with the one beneath.
  on('BufWipeout', function()
    if self.is_closed then return end
    self.is_closed = true
    vim.schedule(function()
      -- What is beneath takes no text.
      if not vim.bo.modifiable then vim.cmd('stopinsert') end
      if self.options.closed then self.options.closed() end
    end)
  end)
  on('WinLeave', function()
    if not vim.bo[self.buffer].modified then vim.schedule(function() self:close() end) end
  end)
end

function Line:accept()
  if self.is_waiting or not self:is_open() then return end
  self.is_waiting = true
  vim.cmd('stopinsert')
  vim.bo[self.buffer].modifiable = false
  local lines = vim.api.nvim_buf_get_lines(self.buffer, 0, -1, false)
  self.options.accept(text.unline(table.concat(lines, '\n')), function(is_done)
    self.is_waiting = false
    if not vim.api.nvim_buf_is_valid(self.buffer) then return end
    vim.bo[self.buffer].modifiable = true
    if is_done then self:close() end
  end)
end

--- Closes it; what was typed is given up.
function Line:close()
  if self.is_closed then return end
  self.is_closed = true
  if self:is_open() then
    if vim.api.nvim_get_current_win() == self.window then
      vim.cmd('stopinsert')
      if vim.api.nvim_win_is_valid(self.options.window) then
        vim.api.nvim_set_current_win(self.options.window)
      end
    end
    vim.bo[self.buffer].modified = false
    vim.api.nvim_win_close(self.window, true)
  end
  if self.options.closed then self.options.closed() end
end

return M
