#ifndef COUNTED_MEMORY_H
#define COUNTED_MEMORY_H

#include <stdint.h>

/// How many allocations the process has made so far, in all threads; -1 where they can't be counted.
int64_t counted_allocations(void);

#endif
