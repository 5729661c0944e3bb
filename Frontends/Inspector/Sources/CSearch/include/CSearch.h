// Regular expressions by PCRE2, and what Swift does not see of the C library.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stddef.h>

/// The first occurrence of some bytes in others; null if there is none.
const void *csearch_find(const void *bytes, size_t count, const void *needle, size_t needle_count);

/// Writes some bytes with ASCII letters in lower case.
void csearch_lowercase(const unsigned char *bytes, size_t count, unsigned char *lowercase);
