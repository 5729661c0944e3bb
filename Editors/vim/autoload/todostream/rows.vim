vim9script
# The lines of the list: what stands in them, and how it is coloured. This is compiled, as it is done for
# each todo whenever something changes.

scriptencoding utf-8

# By number, what a line is made of: kept while its todo is the same.
var cells: dict<dict<any>> = {}
# How many bytes stand before each title: the number, the check mark and the priority.
var indent = 0

export def Indent(): number
  return indent
enddef

# What stands behind the title: labels and project, each with its colour.
def LabelsOf(todo: dict<any>): list<list<string>>
  var labels: list<list<string>> = []
  for tag in todo.tags
    add(labels, ['todostreamTag', '+' .. tag])
  endfor
  if type(todo.project) == v:t_string
    add(labels, ['todostreamProject', 'project: ' .. todo.project])
  endif
  return labels
enddef

# The same as a text.
export def Labels(todo: dict<any>): string
  return LabelsOf(todo)->mapnew((_, label) => label[1])->join()
enddef

const weekdays = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

# The days from 1970-01-01 to a day that is written so, in the Gregorian calendar.
def Days(date: string): number
  var [year, month, day] = split(date, '-')->mapnew((_, part) => str2nr(part))
  # Years that begin in March have the leap day as their last.
  var from_march = month > 2 ? month - 3 : month + 9
  var years = month > 2 ? year : year - 1
  return years * 365 + years / 4 - years / 100 + years / 400 + (153 * from_march + 2) / 5 + day - 719469
enddef

# A date of todostream as people say it: today, tomorrow 09:00, Fri 4 Dec, with its year if that is another.
export def Date(due: string, today: string): string
  var date = strpart(due, 0, 10)
  var time = due =~# 'T' ? ' ' .. strpart(due, 11) : ''
  var days = Days(date)
  var apart = days - Days(today)
  if apart >= -1 && apart <= 1
    return ['yesterday', 'today', 'tomorrow'][apart + 1] .. time
  endif
  var [year, month, day] = split(date, '-')
  return weekdays[(days % 7 + 7) % 7] .. ' ' .. str2nr(day) .. ' ' .. months[str2nr(month) - 1]
    .. (year ==# strpart(today, 0, 4) ? '' : ' ' .. str2nr(year)) .. time
enddef

def Due(todo: dict<any>, today: string): string
  if type(todo.due) != v:t_string
    return ''
  endif
  return (!todo.complete && strpart(todo.due, 0, 10) <# today ? 'late ' : 'due  ')
    .. Date(todo.due, today)
enddef

# Cuts a text to a width of the screen, or fills it up.
def Fit(text: string, room: number): string
  var width = strdisplaywidth(text)
  if width <= room
    return text .. repeat(' ', room - width)
  endif
  var cut = printf('%.' .. (room - 1) .. 'S', text) .. '…'
  return cut .. repeat(' ', room - strdisplaywidth(cut))
enddef

def Cell(todo: dict<any>, today: string): dict<any>
  var cell = get(cells, todo.id, {})
  if !empty(cell) && cell.revision == todo.revision && cell.today ==# today
    return cell
  endif
  var due = Due(todo, today)
  cells[todo.id] = {revision: todo.revision, today: today, due: due, layout: [], row: {},
    title_width: strdisplaywidth(todo.title), due_width: strdisplaywidth(due),
    label_width: strdisplaywidth(Labels(todo))}
  return cells[todo.id]
enddef

# What stands before a title.
def Head(todo: dict<any>, digits: number): string
  var mark = todo.deleted ? '-' : todo.complete ? 'x' : ' '
  return printf('#%-*d [%s] %s ', digits, todo.id, mark, todo.priority ==# 'high' ? '!' : ' ')
enddef

# A title that could not be stored is shown whole, and nothing behind it.
def Unsaved(todo: dict<any>, digits: number): dict<any>
  var head = Head(todo, digits)
  return {text: head .. todo.edited, spans: [['todostreamUnsaved', len(head) + 1, len(todo.edited)]]}
enddef

def Row(todo: dict<any>, due: string, layout: list<number>): dict<any>
  var [digits, title_width, due_width] = layout
  var text = Head(todo, digits)
  var spans: list<list<any>> = [['todostreamNumber', 1, digits + 1], ['todostreamHigh', digits + 7, 1]]
  var title = Fit(todo.title, title_width)
  if todo.complete || todo.deleted
    add(spans, ['todostreamDone', len(text) + 1, len(title)])
  endif
  text ..= title
  if due_width > 0
    add(spans, [due =~# '^late' ? 'todostreamLate' : 'todostreamDue', len(text) + 3, len(due)])
    text ..= '  ' .. Fit(due, due_width)
  endif
  text ..= ' '
  for [group, label] in LabelsOf(todo)
    add(spans, [group, len(text) + 2, len(label)])
    text ..= ' ' .. label
  endfor
  return {text: trim(text, ' ', 2), spans: spans}
enddef

# The lines of todos: each with its text, and what is coloured in it. Columns stand below each other.
export def Of(todos: list<dict<any>>, width: number): list<dict<any>>
  # What the list has no longer is forgotten now and then.
  if len(cells) > 2 * len(todos) + 1000
    cells = {}
  endif
  var today = strftime('%Y-%m-%d')
  var longest = 10
  var due_width = 0
  var label_width = 0
  var most = 10
  for todo in todos
    var cell = Cell(todo, today)
    longest = max([longest, cell.title_width])
    due_width = max([due_width, cell.due_width])
    label_width = max([label_width, cell.label_width])
    most = max([most, todo.id])
  endfor
  var digits = len(string(most))
  indent = digits + 8
  var room = width - indent - (due_width > 0 ? due_width + 2 : 0) - min([width / 4, label_width + 2])
  var layout = [digits, min([max([20, room]), longest]), due_width]
  var rows: list<dict<any>> = []
  for todo in todos
    if has_key(todo, 'edited')
      add(rows, Unsaved(todo, digits))
      continue
    endif
    var cell = cells[todo.id]
    if cell.layout != layout
      cell.layout = layout
      cell.row = Row(todo, cell.due, layout)
    endif
    add(rows, cell.row)
  endfor
  return rows
enddef

# Colours what lines are made of, from the first to the last; what only looks like a label in a title is
# none. The first line of the buffer is no todo.
export def Colour(buffer: number, rows: list<dict<any>>, first: number, last: number)
  if first > last
    return
  endif
  prop_clear(first, last, {bufnr: buffer})
  var places: dict<list<list<number>>> = {todostreamHeader: first == 1 ? [[1, 1, 1, 6]] : []}
  for lnum in range(max([2, first]), last)
    var row = rows[lnum - 2]
    for [group, column, length] in row.spans
      # Blanks at the end are cut off.
      var end = min([column + length, len(row.text) + 1])
      if end > column
        if !has_key(places, group)
          places[group] = []
        endif
        add(places[group], [lnum, column, lnum, end])
      endif
    endfor
  endfor
  for [group, items] in items(places)
    if empty(prop_type_get(group))
      prop_type_add(group, {highlight: group})
    endif
    if !empty(items)
      prop_add_list({type: group, bufnr: buffer}, items)
    endif
  endfor
enddef
