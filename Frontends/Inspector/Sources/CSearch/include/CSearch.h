// Regular expressions by PCRE2, and a search at the speed of memory.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stddef.h>

/// Bytes that are searched for.
typedef struct {
  const unsigned char *bytes;
  size_t count;
  /// The indices of the two bytes by which places are found: the rarer, the faster.
  size_t first, second;
  /// Whether ASCII letters fit in either case; then those of the bytes are in lower case.
  int ignores_case;
} csearch_needle;

/// The first occurrence in some bytes; null if there is none, or nothing is searched for.
const void *csearch_find(const void *bytes, size_t count, const csearch_needle *needle);
