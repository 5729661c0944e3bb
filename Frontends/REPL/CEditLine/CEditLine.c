#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CEditLine.h"
#include "Held.h"

#include <histedit.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

_Static_assert(sizeof(wchar_t) == sizeof(int32_t), "a character is a scalar of Unicode");

struct ce_editor {
  EditLine *line;
  HistoryW *history;
  struct ce_callbacks callbacks;
  int entry;
  bool has_rung;
};

// MARK: Output of libedit

// It is discarded, except for the terminal's alert.
#ifdef __APPLE__
static int take_output(void *cookie, const char *bytes, int count) {
#else
static ssize_t take_output(void *cookie, const char *bytes, size_t count) {
#endif
  struct ce_editor *editor = cookie;
  if (memchr(bytes, '\a', (size_t)count)) editor->has_rung = true;
  return count;
}

static FILE *open_output(struct ce_editor *editor) {
#ifdef __APPLE__
  return funopen(editor, NULL, take_output, NULL, NULL);
#else
  return fopencookie(editor, "w", (cookie_io_functions_t){.write = take_output});
#endif
}

static wchar_t *no_prompt(EditLine *line) {
  (void)line;
  static wchar_t empty[] = L"";
  return empty;
}

// MARK: Callbacks of libedit

static struct ce_editor *editor_of(EditLine *line) {
  void *editor = NULL;
  el_wget(line, EL_CLIENTDATA, &editor);
  return editor;
}

static int next(EditLine *line, wchar_t *character) {
  struct ce_editor *editor = editor_of(line);
  int32_t scalar = editor->callbacks.next(editor->callbacks.context);
  *character = scalar < 0 ? 0 : scalar;
  return scalar < 0 ? 0 : 1;
}

static unsigned char act(EditLine *line, enum ce_action action) {
  struct ce_editor *editor = editor_of(line);
  switch (editor->callbacks.act(editor->callbacks.context, action)) {
  case CE_DONE: return CC_REFRESH;
  case CE_ENDED: return CC_EOF;
  case CE_REFUSED: return CC_ERROR;
  }
  return CC_ERROR;
}

#define ACTION(name, action) \
  static unsigned char name(EditLine *line, wint_t key) { (void)key; return act(line, action); }
ACTION(accept_entry, CE_ACCEPT)
ACTION(begin_line, CE_NEWLINE)
ACTION(interrupt_entry, CE_INTERRUPT)
ACTION(suspend, CE_SUSPEND)
ACTION(quit, CE_QUIT)
ACTION(end_or_delete, CE_END)
ACTION(clear_screen, CE_CLEAR)
ACTION(search, CE_SEARCH)
ACTION(complete, CE_COMPLETE)
ACTION(paste, CE_PASTE)
ACTION(up, CE_UP)
ACTION(down, CE_DOWN)
ACTION(forward, CE_FORWARD)
ACTION(forward_word, CE_FORWARD_WORD)
ACTION(back, CE_BACK)
ACTION(line_end, CE_LINE_END)
ACTION(line_start, CE_LINE_START)
ACTION(delete_previous, CE_DELETE_PREVIOUS)
ACTION(delete_next, CE_DELETE_NEXT)

static const struct {
  const wchar_t *name, *help;
  unsigned char (*function)(EditLine *, wint_t);
} functions[CE_ACTION_COUNT] = {
  {L"entry-accept", L"Run the entry, or begin its next line", accept_entry},
  {L"entry-newline", L"Begin a line of the entry", begin_line},
  {L"entry-interrupt", L"Drop the entry", interrupt_entry},
  {L"entry-suspend", L"Stop the program", suspend},
  {L"entry-quit", L"Quit the program", quit},
  {L"entry-end", L"Leave, or delete the next character", end_or_delete},
  {L"entry-clear", L"Clear the screen", clear_screen},
  {L"entry-search", L"Search the history as you type", search},
  {L"entry-complete", L"Complete the word", complete},
  {L"entry-paste", L"Insert what is pasted", paste},
  {L"entry-up", L"The line above, or the older entry", up},
  {L"entry-down", L"The line below, or the newer entry", down},
  {L"entry-forward", L"The next character, or take the hint", forward},
  {L"entry-forward-word", L"The next word, or take one of the hint", forward_word},
  {L"entry-back", L"The previous character", back},
  {L"entry-line-end", L"The end of the line, or take the hint", line_end},
  {L"entry-line-start", L"The start of the line", line_start},
  {L"entry-delete-previous", L"Delete the previous character", delete_previous},
  {L"entry-delete-next", L"Delete the next character", delete_next},
};

// MARK: Keys

struct binding {
  const wchar_t *key, *command;
};

// Bindings in every mode.
static const struct binding everywhere[] = {
  {L"^M", L"entry-accept"}, {L"^J", L"entry-accept"}, {L"^C", L"entry-interrupt"},
  {L"^Z", L"entry-suspend"}, {L"^\\\\", L"entry-quit"}, {L"^L", L"entry-clear"},
  {L"^R", L"entry-search"}, {L"^D", L"entry-end"},
  {L"\\e[200~", L"entry-paste"},
  {L"\\e[A", L"entry-up"}, {L"\\eOA", L"entry-up"}, {L"^P", L"entry-up"},
  {L"\\e[B", L"entry-down"}, {L"\\eOB", L"entry-down"}, {L"^N", L"entry-down"},
  {L"\\e[C", L"entry-forward"}, {L"\\eOC", L"entry-forward"},
  {L"\\e[D", L"entry-back"}, {L"\\eOD", L"entry-back"},
  {L"\\e[F", L"entry-line-end"}, {L"\\eOF", L"entry-line-end"}, {L"\\e[4~", L"entry-line-end"},
  {L"\\e[8~", L"entry-line-end"},
  {L"\\e[H", L"entry-line-start"}, {L"\\eOH", L"entry-line-start"},
  {L"\\e[1~", L"entry-line-start"}, {L"\\e[7~", L"entry-line-start"},
  {L"\\e[3~", L"entry-delete-next"},
  {L"\\e[1;5C", L"entry-forward-word"}, {L"\\e[1;3C", L"entry-forward-word"},
  {L"\\e[1;5D", L"ed-prev-word"}, {L"\\e[1;3D", L"ed-prev-word"},
  {L"\\220", L"ed-prev-history"}, {L"\\221", L"ed-next-history"}, {L"\\222", L"em-next-word"},
  {NULL, NULL},
};

// Bindings for typing.
static const struct binding typing[] = {
  {L"^I", L"entry-complete"}, {L"^E", L"entry-line-end"}, {L"^A", L"entry-line-start"},
  {L"^F", L"entry-forward"}, {L"^B", L"entry-back"},
  {L"^H", L"entry-delete-previous"}, {L"^?", L"entry-delete-previous"},
  {L"\\e^M", L"entry-newline"}, {L"\\e^J", L"entry-newline"},
  {NULL, NULL},
};

// libedit's own command line can switch editing off, and its `v` starts vi without the painter's
// knowledge.
static const struct binding emacs[] = {
  {L"\\ef", L"entry-forward-word"}, {L"\\ex", L"ed-unassigned"}, {NULL, NULL},
};

// A lone escape: the reader reports it, by a character that no key types. Sequences are the same
// for both maps of vi, so this one stands for a key, which has a meaning in each.
static const struct binding vi_insert[] = {{L"\\224", L"vi-command-mode"}, {NULL, NULL}};
static const struct binding vi_command[] = {
  {L"\\224", L"ed-ignore"}, {L"v", L"ed-unassigned"}, {L":", L"ed-unassigned"}, {NULL, NULL},
};

static void bind_all(EditLine *line, const struct binding *bindings, bool in_commands) {
  for (; bindings->key; bindings++) {
    if (in_commands) el_wset(line, EL_BIND, L"-a", bindings->key, bindings->command, NULL);
    else el_wset(line, EL_BIND, bindings->key, bindings->command, NULL);
  }
}

// Binds the control characters of the terminal's settings here as well.
static void bind_control(EditLine *line, cc_t character, const wchar_t *command) {
  if (character == _POSIX_VDISABLE || character == 0 || character >= 0x20) return;
  wchar_t key[] = {L'^', (wchar_t)(character + '@'), 0};
  if (key[1] == L'\\') return;
  el_wset(line, EL_BIND, key, command, NULL);
  el_wset(line, EL_BIND, L"-a", key, command, NULL);
}

bool ce_is_vi(struct ce_editor *editor) {
  const wchar_t *name = NULL;
  return el_wget(editor->line, EL_EDITOR, &name) == 0 && name && name[0] == L'v';
}

static void bind_keys(struct ce_editor *editor) {
  EditLine *line = editor->line;
  bool is_vi = ce_is_vi(editor);
  bind_all(line, everywhere, false);
  bind_all(line, everywhere, true);
  bind_all(line, typing, false);
  bind_all(line, is_vi ? vi_insert : emacs, false);
  if (is_vi) {
    bind_all(line, vi_command, true);
    el_wset(line, EL_BIND, L"-s", L"\\e\\223", L"\\224", NULL);
  }
  struct termios modes;
  if (tcgetattr(0, &modes) != 0) return;
  bind_control(line, modes.c_cc[VINTR], L"entry-interrupt");
  bind_control(line, modes.c_cc[VSUSP], L"entry-suspend");
  bind_control(line, modes.c_cc[VEOF], L"entry-end");
}

// `bind -v` and `bind -e` drop every binding, so the keys are bound again; later bindings of the
// file take precedence.
void ce_configure(struct ce_editor *editor, const char *text) {
  Tokenizer *words = tok_init(NULL);
  int count = 0;
  const char **values = NULL;
  if (words && tok_str(words, text, &count, &values) == 0 && count > 0) {
    el_parse(editor->line, count, values);
    for (int index = 1; index < count; index++) {
      if (!strcmp(values[index], "-v") || !strcmp(values[index], "-e")) bind_keys(editor);
    }
  }
  if (words) tok_end(words);
  el_wset(editor->line, EL_EDITMODE, 1);
}

// MARK: History

// libedit's own history is replaced by functions: with those, it also refuses the effect of
// `history size` in .editrc or after M-x. It loses their argument, though (history_set_fun), so
// that is stored here: there is one editor.
static struct ce_editor *asked;

static int tell(HistEventW *event, int index) {
  const int32_t *text =
    index < 0 ? NULL : asked->callbacks.entry(asked->callbacks.context, index);
  if (!text) return -1;
  asked->entry = index;
  event->num = index;
  event->str = (const wchar_t *)text;
  return 0;
}

static int newest(void *none, HistEventW *event) { (void)none; return tell(event, 0); }
static int older(void *none, HistEventW *event) { (void)none; return tell(event, asked->entry + 1); }
static int newer(void *none, HistEventW *event) { (void)none; return tell(event, asked->entry - 1); }
static int current(void *none, HistEventW *event) { (void)none; return tell(event, asked->entry); }
static int oldest(void *none, HistEventW *event) {
  (void)none;
  int index = 0;
  while (tell(event, index) == 0) index++;
  return tell(event, index - 1);
}
static int go(void *none, HistEventW *event, const int index) { (void)none; return tell(event, index); }
static void forget(void *none, HistEventW *event) { (void)none, (void)event; }
static int refuse(void *none, HistEventW *event, const wchar_t *text) {
  (void)none, (void)event, (void)text;
  return -1;
}
static int refuse_one(void *none, HistEventW *event, const int index) {
  (void)none, (void)event, (void)index;
  return -1;
}

// MARK: Beginning and reading

struct ce_editor *ce_make(const char *program, struct ce_callbacks callbacks) {
  const char *locale = setlocale(LC_CTYPE, "");
  // libedit drops characters that the locale can't represent.
  if (!locale || MB_CUR_MAX < 4) setlocale(LC_CTYPE, "C.UTF-8");
  struct ce_editor *editor = calloc(1, sizeof *editor);
  if (!editor) return NULL;
  editor->callbacks = callbacks;
  FILE *output = open_output(editor);
  EditLine *line = output ? el_init_fd(program, stdin, output, output, 0, 1, 1) : NULL;
  const char *clear = NULL;
  // A terminal without a description, or without the sequences that all have today.
  if (!line || el_wget(line, EL_GETTC, "ce", &clear) != 0 || !clear || strncmp(clear, "\033[", 2)) {
    if (line) el_end(line);
    if (output) fclose(output);
    free(editor);
    return NULL;
  }
  editor->line = line;
  el_wset(line, EL_CLIENTDATA, editor);
  el_wset(line, EL_SIGNAL, 0);
  el_wset(line, EL_GETCFN, next);
  el_wset(line, EL_PROMPT, no_prompt);
  // ^C and ^Z are keys, in order with the others; ^S and ^Q, too. Pasted text arrives unchanged.
  el_wset(line, EL_SETTY, L"-d", L"-isig", L"-ixon", L"-icrnl", L"-inlcr", NULL);
  el_wset(line, EL_SETTY, L"-q", L"-isig", L"-ixon", L"-icrnl", L"-inlcr", NULL);
  asked = editor;
  // Between two entries nothing is echoed either, and input is not line-buffered: it is for the
  // next.
  el_wset(line, EL_SETTY, L"-x", L"-icanon", L"-echo", NULL);
  HistEventW event;
  editor->history = history_winit();
  if (editor->history) {
    history_w(
      editor->history, &event, H_FUNC, (void *)editor, newest, older, oldest, newer, current, go,
      forget, refuse, refuse, refuse_one);
    el_wset(line, EL_HIST, history_w, editor->history);
  }
  for (int index = 0; index < CE_ACTION_COUNT; index++) {
    el_wset(
      line, EL_ADDFN, functions[index].name, functions[index].help, functions[index].function);
  }
  el_wset(line, EL_EDITOR, L"emacs");
  bind_keys(editor);
  return editor;
}

void ce_free(struct ce_editor *editor) {
  ce_hold(editor, CE_GIVEN_BACK);
  FILE *output = NULL;
  el_wget(editor->line, EL_GETFP, 1, &output);
  el_end(editor->line);
  if (editor->history) history_wend(editor->history);
  if (output) fclose(output);
  free(editor);
}

void ce_read(struct ce_editor *editor) {
  int count = 0;
  el_wgets(editor->line, &count);
}

const int32_t *ce_line(struct ce_editor *editor, int *count, int *cursor) {
  const LineInfoW *line = el_wline(editor->line);
  *count = (int)(line->lastchar - line->buffer);
  *cursor = (int)(line->cursor - line->buffer);
  return (const int32_t *)line->buffer;
}

void ce_insert(struct ce_editor *editor, const int32_t *text) {
  el_winsertstr(editor->line, (const wchar_t *)text);
}

void ce_delete(struct ce_editor *editor, int count) {
  if (count > 0) el_deletestr(editor->line, count);
}

void ce_move(struct ce_editor *editor, int by) { el_cursor(editor->line, by); }

void ce_call(struct ce_editor *editor, enum ce_builtin builtin) {
  wchar_t key[] = {(wchar_t)builtin, 0};
  el_wpush(editor->line, key);
}

bool ce_has_rung(struct ce_editor *editor) {
  bool has_rung = editor->has_rung;
  editor->has_rung = false;
  return has_rung;
}

void ce_prepare(struct ce_editor *editor, bool is_reading) {
  // Cooked first: libedit does nothing if it assumes that the mode is set.
  el_wset(editor->line, EL_PREP_TERM, 0);
  if (is_reading) el_wset(editor->line, EL_PREP_TERM, 1);
}
