#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSupervisor.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

// The supervisor's descriptor of the line: after the streams of the program.
enum { LINE = CS_MOST_STREAMS };
// The time between the request to end and the kill, in milliseconds.
enum { PATIENCE = 500 };

void cs_use_one_arena(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

static void on_child(int number) { (void)number; }

static void report(int line, int32_t kind, int32_t value) {
  struct cs_report said = {kind, value};
  // An error means that the reader is gone, and needs no report.
  ssize_t ignored = write(line, &said, sizeof said);
  (void)ignored;
}

// Closes all descriptors from one on, or has exec close them.
static void close_from(int first, bool at_exec) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)first, ~0U, at_exec ? 4U : 0U) == 0) return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  if (most < 0 || most > 65536) most = 65536;
  for (int number = first; number < most; number++) {
    if (at_exec) {
      int flags = fcntl(number, F_GETFD);
      if (flags >= 0) fcntl(number, F_SETFD, flags | FD_CLOEXEC);
    } else {
      close(number);
    }
  }
}

// Resets every signal to its default action, and blocks none.
static void reset_signals(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

// MARK: The program

static void become(
    const struct cs_program *program, const int *streams, int count, pid_t supervisor) {
  // A session of its own: without the terminal, and with a group that can be signalled as one.
  setsid();
#ifdef __linux__
  // If the supervisor itself is killed, at least the program is killed with it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(127);
#else
  (void)supervisor;
#endif
  for (int number = 0; number < count; number++) {
    if (dup2(streams[number], number) < 0) goto failed;
  }
  close_from(count, true);
  reset_signals();
  if (chdir(program->folder) != 0 && chdir("/") != 0) goto failed;
  execve(program->path, program->arguments, program->environment);
failed:
  report(LINE, CS_NOT_STARTED, errno);
  _exit(127);
}

// MARK: The supervisor

static void pause_for(int milliseconds) { poll(NULL, 0, milliseconds); }

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Signals the children of this process except for the program and its group: orphans of the program
// have become its children. Those that have ended are reaped.
//
// Returns whether there are any besides the program, as far as that can be determined.
static bool signal_children(pid_t program, int signal) {
  bool found = false;
#ifdef __linux__
  int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return false;
  char text[4096];
  pid_t number = 0;
  for (ssize_t count; (count = read(list, text, sizeof text)) > 0;) {
    for (ssize_t index = 0; index < count; index++) {
      if (text[index] >= '0' && text[index] <= '9') {
        number = number * 10 + (text[index] - '0');
      } else {
        if (number > 1 && number != program && waitpid(number, NULL, WNOHANG) == 0) {
          found = true;
          if (program == 0 || getpgid(number) != program) kill(number, signal);
        }
        number = 0;
      }
    }
  }
  close(list);
#else
  // A group with none but unreaped processes can't be signalled.
  found = program > 0 && kill(-program, 0) == 0;
  (void)signal;
#endif
  return found;
}

// Kills all remaining processes, in any group or session, and reaps them.
static _Noreturn void end_all(pid_t group) {
  if (group > 0) kill(-group, SIGKILL);
  int64_t limit = now() + 5000;
  int status;
  pid_t buried;
  while ((buried = waitpid(-1, &status, WNOHANG)) >= 0 || errno == EINTR) {
    if (buried == group && buried > 0) report(LINE, CS_ENDED, status);
    if (buried > 0) continue;
    if (now() > limit) break;
    signal_children(0, SIGKILL);
    pause_for(1);
  }
  _exit(0);
}

// Returns whether the program itself has ended; it stays unreaped, so that its group id is not
// reused.
static bool has_ended(pid_t program) {
  siginfo_t found = {0};
  return waitid(P_PID, (id_t)program, &found, WEXITED | WNOHANG | WNOWAIT) == 0
         && found.si_pid == program;
}

// Reaps orphans, so that they don't accumulate, but not the program itself, which has_ended needs.
static void bury_orphans(pid_t program) {
  for (;;) {
    siginfo_t found = {0};
    if (waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT) != 0 || found.si_pid == 0
        || found.si_pid == program)
      return;
    waitpid(found.si_pid, NULL, 0);
  }
}

static _Noreturn void supervise(pid_t program, const sigset_t *unblocked) {
  // Keeps no descriptor of the parent open: a reader of its output would wait for this process,
  // too.
  int nowhere = open("/dev/null", O_RDWR);
  for (int number = 0; number < LINE; number++) dup2(nowhere, number);
  close_from(LINE + 1, false);
  int64_t limit = -1;
  bool is_over = false;
  for (;;) {
    struct pollfd place = {.fd = LINE, .events = POLLIN};
    struct timespec wait = {0};
    if (limit >= 0) {
      int64_t left = limit - now();
      if (left <= 0) end_all(program);
      wait = (struct timespec){.tv_sec = left / 1000, .tv_nsec = left % 1000 * 1000000};
    }
#ifdef __linux__
    int found = ppoll(&place, 1, limit < 0 ? NULL : &wait, unblocked);
#else
    (void)unblocked;
    int found = poll(&place, 1, 50);
#endif
    bury_orphans(program);
    if (has_ended(program)) {
      // Remaining processes may finish first; they are signalled once.
      if (limit < 0) {
        kill(-program, SIGTERM);
        limit = now() + PATIENCE;
      }
      if (!signal_children(program, is_over ? 0 : SIGTERM)) end_all(program);
      is_over = true;
    }
    if (found <= 0 || limit >= 0) {
      // While it ends, only "kill" has an effect; a closed line is not read again.
      char word;
      if (found > 0) {
        if (read(LINE, &word, 1) == 1 && word == CS_KILL) end_all(program);
        pause_for(10);
      }
      continue;
    }
    char word = CS_TERMINATE;
    if (read(LINE, &word, 1) < 0 && errno == EINTR) continue;
    if (word == CS_KILL) end_all(program);
    kill(-program, SIGTERM);
    limit = now() + PATIENCE;
  }
}

static _Noreturn void run(
    const struct cs_program *program, const int *streams, int count, int line) {
  // A session of its own, which no ^C of a terminal reaches.
  setsid();
  int copies[CS_MOST_STREAMS];
  for (int number = 0; number < count; number++) {
    copies[number] = fcntl(streams[number], F_DUPFD_CLOEXEC, 16);
    if (copies[number] < 0) _exit(127);
  }
  if (dup2(line, LINE) < 0) _exit(127);
  fcntl(LINE, F_SETFD, FD_CLOEXEC);
  // It ends when its work is done, and not by a signal.
  const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTOU, SIGTTIN};
  reset_signals();
  for (size_t index = 0; index < sizeof ignored / sizeof *ignored; index++)
    signal(ignored[index], SIG_IGN);
  struct sigaction action = {.sa_handler = on_child};
  sigemptyset(&action.sa_mask);
  sigaction(SIGCHLD, &action, NULL);
  sigset_t blocked, unblocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  sigprocmask(SIG_BLOCK, &blocked, &unblocked);
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "supervising");
#endif
  pid_t self = getpid();
  pid_t child = fork();
  if (child < 0) {
    report(LINE, CS_NOT_STARTED, errno);
    _exit(127);
  }
  if (child == 0) become(program, copies, count, self);
  supervise(child, &unblocked);
}

// MARK: Starting

int cs_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  for (int number = 0; number < 2; number++) fcntl(ends[number], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

pid_t cs_start(const struct cs_program *program, const int *streams, int count, int *line) {
  int ends[2];
  if (count < 3 || count > CS_MOST_STREAMS) {
    errno = EINVAL;
    return -1;
  }
#ifdef __linux__
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
#else
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
  for (int number = 0; number < 2; number++) fcntl(ends[number], F_SETFD, FD_CLOEXEC);
#endif
  // A signal handler of the parent must not run in the child.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t supervisor = fork();
  if (supervisor == 0) run(program, streams, count, ends[1]);
  int code = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (supervisor < 0) {
    close(ends[0]);
    errno = code;
    return -1;
  }
  *line = ends[0];
  return supervisor;
}
