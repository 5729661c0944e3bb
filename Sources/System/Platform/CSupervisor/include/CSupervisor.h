// Starts a program under a supervising process, which ends it and all that it has started when this
// process ends, in any way. In C, as no Swift may run between fork and exec.
#ifndef CSUPERVISOR_H
#define CSUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

// The program to start: absolute path, arguments, environment, and working folder.
struct cs_program {
  const char *path;
  char *const *arguments;
  char *const *environment;
  const char *folder;
};

// A report about the program: the error number that kept it from starting, or how it ended, as
// waitpid returns it.
enum cs_kind { CS_NOT_STARTED = 1, CS_ENDED = 2 };
struct cs_report {
  int32_t kind;
  int32_t value;
};

// The commands to the supervisor; closing the line means the first, and soon the second.
enum cs_word { CS_TERMINATE = 'T', CS_KILL = 'K' };

// Creates a pipe that no program inherits: its read end, then its write end.
int cs_pipe(int ends[2]);

// Makes all threads allocate from one arena, where each would else reserve 64 MiB of addresses.
void cs_use_one_arena(void);

// The most descriptors that a program can have.
enum { CS_MOST_STREAMS = 4 };

// Starts a program with that many descriptors, its standard streams first, and no others.
//
// Returns the process number of its supervisor, to be waited for, and a line to it, which carries
// reports and ends when no process of the program is left; -1 with errno on failure. The
// descriptors stay open.
pid_t cs_start(const struct cs_program *program, const int *streams, int count, int *line);

#endif
