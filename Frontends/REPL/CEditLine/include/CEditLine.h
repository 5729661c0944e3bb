// What Swift can call of libedit, whose own functions are variadic, and what must be written in C: a
// handler of signals that puts the terminal right.
#ifndef CEDITLINE_H
#define CEDITLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The editor

/// What a key does that libedit does not do alone.
enum ce_action {
  CE_ACCEPT,
  CE_NEWLINE,
  CE_INTERRUPT,
  CE_SUSPEND,
  CE_QUIT,
  CE_END,
  CE_CLEAR,
  CE_SEARCH,
  CE_COMPLETE,
  CE_PASTE,
  CE_UP,
  CE_DOWN,
  CE_FORWARD,
  CE_FORWARD_WORD,
  CE_BACK,
  CE_LINE_END,
  CE_LINE_START,
  CE_DELETE_PREVIOUS,
  CE_DELETE_NEXT,
  CE_ACTION_COUNT
};

/// What comes of an action.
enum ce_result { CE_DONE, CE_ENDED, CE_REFUSED };

/// Functions of libedit that an action can ask for: characters that no key types.
enum ce_builtin {
  CE_OLDER = 0x90,
  CE_NEWER = 0x91,
  CE_NEXT_WORD = 0x92,
  /// What follows an escape that nothing followed.
  CE_NOTHING = 0x93
};

/// Who is asked; every function gets the context.
struct ce_callbacks {
  void *context;
  /// The next character, or -1: the line ends.
  int32_t (*next)(void *context);
  enum ce_result (*act)(void *context, enum ce_action action);
  /// An entry of the history, zero for the newest, ended by a zero; null if there is none.
  const int32_t *(*entry)(void *context, int index);
};

struct ce_editor;

/// Starts libedit on the terminal at descriptors 0 and 1; null if it is one without escape sequences.
///
/// What libedit would show is thrown away: who reads, paints.
struct ce_editor *ce_make(const char *program, struct ce_callbacks callbacks);

/// Ends libedit, and gives the terminal back.
void ce_free(struct ce_editor *editor);

/// Carries out a line of .editrc.
void ce_configure(struct ce_editor *editor, const char *line);

/// Whether the keys are those of vi.
bool ce_is_vi(struct ce_editor *editor);

/// Reads a line by calling `next`, until an action has ended it or `next` has.
void ce_read(struct ce_editor *editor);

/// The line as it stands: its characters, their number, and where the cursor is.
const int32_t *ce_line(struct ce_editor *editor, int *count, int *cursor);

/// Inserts characters, ended by a zero, at the cursor.
void ce_insert(struct ce_editor *editor, const int32_t *text);

/// Deletes so many characters before the cursor.
void ce_delete(struct ce_editor *editor, int count);

/// Moves the cursor by so many characters.
void ce_move(struct ce_editor *editor, int by);

/// Has a function of libedit be called next.
void ce_call(struct ce_editor *editor, enum ce_builtin builtin);

/// Whether libedit has rung the bell since it was asked last.
bool ce_has_rung(struct ce_editor *editor);

// MARK: The terminal

/// Remembers how the terminal is, and has signals be noted or the terminal restored by them.
///
/// Returns the descriptor at which a byte can be read for each signal that was noted, its number, and a
/// zero for each call of `ce_wake`; -1 if there are no descriptors left.
int ce_watch(void);

/// Wakes who polls the descriptor that `ce_watch` gave; from any thread.
void ce_wake(void);

/// How the terminal is held: as it was found; for entries; or for what comes between them, when nothing
/// is echoed, ^C is a signal, and what is typed waits for the next entry.
enum ce_mode { CE_GIVEN_BACK, CE_READING, CE_WAITING };

/// Takes the terminal, or gives it back as it was found; by the thread that reads.
void ce_hold(struct ce_editor *editor, enum ce_mode mode);

/// Gives the terminal back and stops, with the whole process group if it is told to; takes it again
/// when the process is continued.
void ce_stop(struct ce_editor *editor, bool group);

/// Gives the terminal back, and ends the process by a signal.
void ce_die(int number);

#endif
