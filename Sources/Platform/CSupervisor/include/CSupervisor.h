// Starts a program under a process that ends it, and all that it has started, when this one is gone,
// however it went. In C, as between fork and exec no Swift may run.
#ifndef CSUPERVISOR_H
#define CSUPERVISOR_H

#include <stdint.h>
#include <sys/types.h>

// What is to be started: absolute path, words, environment, and the folder to start in.
struct cs_program {
  const char *path;
  char *const *arguments;
  char *const *environment;
  const char *folder;
};

// What is said of the program: the number of an error that kept it from starting, or how it ended, as
// waitpid says it.
enum cs_kind { CS_NOT_STARTED = 1, CS_ENDED = 2 };
struct cs_report {
  int32_t kind;
  int32_t value;
};

// What the supervisor can be told; the end of the line means the first, and soon the second.
enum cs_word { CS_TERMINATE = 'T', CS_KILL = 'K' };

// Makes a pipe that no program inherits: its end to read from, then the one to write to.
int cs_pipe(int ends[2]);

// How many descriptors a program can be given.
enum { CS_MOST_STREAMS = 4 };

// Starts a program with so many descriptors, its standard streams first, and no others.
//
// Gives the number of its supervisor, to be waited for, and a line to it, which brings reports and ends
// when nothing of the program is left; -1 with errno if there is none. The descriptors stay open.
pid_t cs_start(const struct cs_program *program, const int *streams, int count, int *line);

#endif
