#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CEditLine.h"
#include "Held.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

// The original state of the terminal. Written once, before a handler can read it.
static struct termios found;
static volatile sig_atomic_t mode = CE_GIVEN_BACK;
static int pipe_ends[2] = {-1, -1};
// Whether this process stops itself, and so can detect that it was continued.
static volatile sig_atomic_t is_stopping = false;

// MARK: Safe in a handler of signals

static void put(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(1, bytes, count);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) bytes += written, count -= (size_t)written;
  }
}

static void set(const struct termios *modes, int when) {
  while (tcsetattr(0, when, modes) != 0 && errno == EINTR) continue;
}

// Colours off, no more marks around pasted text, and a new line.
static void give_back(void) {
  static const char leaving[] = "\033[0m\033[?2004l\r\n";
  if (mode == CE_GIVEN_BACK) return;
  if (mode == CE_READING) put(leaving, sizeof leaving - 1);
  mode = CE_GIVEN_BACK;
  set(&found, TCSANOW);
}

static void note(int number) {
  int error = errno;
  unsigned char byte = (unsigned char)number;
  (void)!write(pipe_ends[1], &byte, 1);
  errno = error;
}

static void act_by_default(int number, struct sigaction *before) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, before);
}

static void let_through(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

// Stops the process here, and returns when it is continued.
static void stop_here(void) {
  struct sigaction before;
  act_by_default(SIGTSTP, &before);
  let_through(SIGTSTP);
  is_stopping = true;
  raise(SIGTSTP);
  is_stopping = false;
  sigaction(SIGTSTP, &before, NULL);
}

static void on_continue(int number) {
  if (!is_stopping) note(number);
}

static void on_stop(int number) {
  int error = errno;
  if (mode == CE_GIVEN_BACK) stop_here();
  else note(number);
  errno = error;
}

static void on_end(int number) {
  give_back();
  act_by_default(number, NULL);
  let_through(number);
  raise(number);
}

// The former handlers, of the runtime's crash reports.
static struct sigaction crash_handlers[NSIG];

static void on_crash(int number, siginfo_t *information, void *context) {
  (void)context;
  give_back();
  sigaction(number, &crash_handlers[number], NULL);
  // A fault happens again as soon as this returns; a signal that was sent has to be sent again.
  if (information->si_code <= 0 || number == SIGABRT) {
    let_through(number);
    raise(number);
  }
}

// MARK: By the thread that reads

static void handle(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  struct sigaction before;
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN) return;
  sigaction(number, &action, NULL);
}

int ce_watch(void) {
  if (pipe_ends[0] >= 0) return pipe_ends[0];
  if (tcgetattr(0, &found) != 0 || pipe(pipe_ends) != 0) return -1;
  for (int end = 0; end < 2; end++) {
    fcntl(pipe_ends[end], F_SETFD, FD_CLOEXEC);
    fcntl(pipe_ends[end], F_SETFL, O_NONBLOCK);
  }
  atexit(give_back);

  // A stack that overflows leaves no room for its handler.
  static char stack[65536];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack}, before;
  if (sigaltstack(NULL, &before) == 0 && before.ss_flags & SS_DISABLE) sigaltstack(&alternate, NULL);
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
  for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++) {
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaction(crashes[index], &action, &crash_handlers[crashes[index]]);
  }
  handle(SIGTERM, on_end);
  handle(SIGHUP, on_end);
  handle(SIGQUIT, on_end);
  handle(SIGINT, note);
  handle(SIGWINCH, note);
  handle(SIGCONT, on_continue);
  handle(SIGTSTP, on_stop);
  return pipe_ends[0];
}

void ce_wake(void) { note(0); }

void ce_hold(struct ce_editor *editor, enum ce_mode wanted) {
  static const char marks[] = "\033[?2004h", no_marks[] = "\033[?2004l";
  // Without libedit the terminal stays as it was found: it edits the lines itself.
  if (!editor) return;
  if (mode == CE_READING && wanted != CE_READING) put(no_marks, sizeof no_marks - 1);
  switch (wanted) {
  case CE_READING:
    mode = CE_READING;
    ce_prepare(editor, true);
    put(marks, sizeof marks - 1);
    break;
  case CE_WAITING: {
    // The mode in which libedit leaves it after an entry; it may have been restored since.
    struct termios waiting = found;
    waiting.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    waiting.c_lflag |= ISIG;
    waiting.c_cc[VMIN] = 1;
    waiting.c_cc[VTIME] = 0;
    mode = CE_WAITING;
    ce_prepare(editor, false);
    set(&waiting, TCSADRAIN);
    break;
  }
  case CE_GIVEN_BACK:
    ce_prepare(editor, false);
    set(&found, TCSADRAIN);
    mode = CE_GIVEN_BACK;
    break;
  }
}

void ce_stop(struct ce_editor *editor, bool group) {
  struct sigaction told;
  // A process that was started to ignore the signal could not be continued.
  if (sigaction(SIGTSTP, NULL, &told) == 0 && told.sa_handler == SIG_IGN) return;
  enum ce_mode before = (enum ce_mode)mode;
  ce_hold(editor, CE_GIVEN_BACK);
  if (group) {
    // The other processes first: then this thread, and with it the process, stops here and nowhere
    // else.
    struct sigaction ignoring = {.sa_handler = SIG_IGN}, handling;
    sigemptyset(&ignoring.sa_mask);
    sigaction(SIGTSTP, &ignoring, &handling);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &handling, NULL);
  }
  stop_here();
  tcgetattr(0, &found);
  ce_hold(editor, before);
}

void ce_die(int number) {
  on_end(number);
}
