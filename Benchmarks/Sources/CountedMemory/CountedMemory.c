#include "CountedMemory.h"

#include <stddef.h>

#if defined(__linux__)
#include <features.h>
#endif

// An executable's own malloc takes precedence over the C library's, in every library that the
// process loads; glibc keeps its own within reach under other names. Elsewhere nothing is counted.
#if defined(__GLIBC__)

#include <errno.h>
#include <stdatomic.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic int64_t allocations;

static void count(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

int64_t counted_allocations(void) {
  return atomic_load_explicit(&allocations, memory_order_relaxed);
}

#else

int64_t counted_allocations(void) { return -1; }

#endif
