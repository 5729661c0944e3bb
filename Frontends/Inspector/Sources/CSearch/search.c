#define _GNU_SOURCE
#include <CSearch.h>
#include <string.h>

const void *csearch_find(const void *bytes, size_t count, const void *needle, size_t needle_count) {
  return memmem(bytes, count, needle, needle_count);
}

void csearch_lowercase(const unsigned char *bytes, size_t count, unsigned char *lowercase) {
  for (size_t index = 0; index < count; index++) {
    unsigned char byte = bytes[index];
    lowercase[index] = byte | ((unsigned char)(byte - 'A') < 26 ? 32 : 0);
  }
}
