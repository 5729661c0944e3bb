// The functions of libedit for Swift, as its own are variadic, and the parts that must be written
// in C: a signal handler that restores the terminal.
#ifndef CEDITLINE_H
#define CEDITLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: The editor

/// An action of a key that libedit does not implement alone.
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

/// The result of an action.
enum ce_result { CE_DONE, CE_ENDED, CE_REFUSED };

/// Functions of libedit that an action can request: characters that no key types.
enum ce_builtin {
  CE_OLDER = 0x90,
  CE_NEWER = 0x91,
  CE_NEXT_WORD = 0x92,
  /// The character after an escape without a following one.
  CE_NOTHING = 0x93
};

/// The callbacks; every function gets the context.
struct ce_callbacks {
  void *context;
  /// Returns the next character, or -1 to end the line.
  int32_t (*next)(void *context);
  enum ce_result (*act)(void *context, enum ce_action action);
  /// Returns an entry of the history, zero for the newest, ended by a zero; null if there is none.
  const int32_t *(*entry)(void *context, int index);
};

struct ce_editor;

/// Starts libedit on the terminal at descriptors 0 and 1; null if it is one without escape sequences.
///
/// The output of libedit is discarded: the reader paints.
struct ce_editor *ce_make(const char *program, struct ce_callbacks callbacks);

/// Ends libedit, and restores the terminal.
void ce_free(struct ce_editor *editor);

/// Carries out a line of .editrc.
void ce_configure(struct ce_editor *editor, const char *line);

/// Returns whether the keys are those of vi.
bool ce_is_vi(struct ce_editor *editor);

/// Reads a line by calling `next`, until an action has ended it or `next` has.
void ce_read(struct ce_editor *editor);

/// Returns the current line: its characters, their number, and the position of the cursor.
const int32_t *ce_line(struct ce_editor *editor, int *count, int *cursor);

/// Inserts characters, ended by a zero, at the cursor.
void ce_insert(struct ce_editor *editor, const int32_t *text);

/// Deletes a number of characters before the cursor.
void ce_delete(struct ce_editor *editor, int count);

/// Moves the cursor by a number of characters.
void ce_move(struct ce_editor *editor, int by);

/// Calls a function of libedit next.
void ce_call(struct ce_editor *editor, enum ce_builtin builtin);

/// Returns whether libedit has sent the terminal's alert since the last call.
bool ce_has_rung(struct ce_editor *editor);

// MARK: The terminal

/// Stores the state of the terminal, and installs handlers that record signals or restore the
/// terminal.
///
/// Returns the descriptor at which a byte can be read for each signal that was noted, its number, and a
/// zero for each call of `ce_wake`; -1 if there are no descriptors left.
int ce_watch(void);

/// Wakes the thread that polls the descriptor of `ce_watch`; from any thread.
void ce_wake(void);

/// The mode of the terminal: the original one; for entries; or between entries, when nothing
/// is echoed, ^C is a signal, and typed text waits for the next entry.
enum ce_mode { CE_GIVEN_BACK, CE_READING, CE_WAITING };

/// Takes the terminal, or restores its original state; by the thread that reads.
void ce_hold(struct ce_editor *editor, enum ce_mode mode);

/// Restores the terminal and stops, with the whole process group if `group` is set; takes it again
/// when the process is continued.
void ce_stop(struct ce_editor *editor, bool group);

/// Restores the terminal, and ends the process by a signal.
void ce_die(int number);

#endif
