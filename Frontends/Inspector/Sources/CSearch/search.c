#include <CSearch.h>
#include <stdint.h>
#include <string.h>

// Sixteen bytes, which every machine compares at once; compilers have them without naming one.
typedef uint8_t lanes __attribute__((vector_size(16)));
typedef uint64_t halves __attribute__((vector_size(16)));

enum { width = sizeof(lanes), step = 4 * width };

static inline lanes load(const uint8_t *from) {
  lanes bytes;
  memcpy(&bytes, from, width);
  return bytes;
}

static inline lanes repeated(uint8_t byte) {
  lanes bytes;
  memset(&bytes, byte, width);
  return bytes;
}

static inline int is_letter(uint8_t byte) { return (uint8_t)((byte | 32) - 'a') < 26; }

/// The bit in which both cases of a byte differ, where they are not told apart.
static inline uint8_t case_bit(const csearch_needle *needle, size_t index) {
  return needle->ignores_case && is_letter(needle->bytes[index]) ? 32 : 0;
}

/// Eight bytes of memory as a number whose lowest byte is the first of them.
static inline uint64_t ascending(uint64_t bytes) {
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? bytes : __builtin_bswap64(bytes);
}

static int is_at(const uint8_t *place, const csearch_needle *needle) {
  if (!needle->ignores_case) return memcmp(place, needle->bytes, needle->count) == 0;
  for (size_t index = 0; index < needle->count; index++) {
    if ((place[index] | case_bit(needle, index)) != needle->bytes[index]) return 0;
  }
  return 1;
}

const void *csearch_find(const void *bytes, size_t count, const csearch_needle *needle) {
  if (count < needle->count || needle->count == 0) return NULL;
  const uint8_t *place = bytes, *last = place + (count - needle->count);
  const size_t one = needle->first, two = needle->second;
  const uint8_t case_one = case_bit(needle, one), case_two = case_bit(needle, two);
  const lanes cases_one = repeated(case_one), cases_two = repeated(case_two);
  const lanes wanted_one = repeated(needle->bytes[one]), wanted_two = repeated(needle->bytes[two]);
  for (; last - place >= step - 1; place += step) {
    lanes hits[4], any = {0};
    for (int part = 0; part < 4; part++) {
      const uint8_t *from = place + part * width;
      hits[part] = (lanes)((load(from + one) | cases_one) == wanted_one)
                   & (lanes)((load(from + two) | cases_two) == wanted_two);
      any |= hits[part];
    }
    if ((((halves)any)[0] | ((halves)any)[1]) == 0) continue;
    uint64_t words[step / 8];
    memcpy(words, hits, step);
    for (int word = 0; word < step / 8; word++) {
      // One bit for each place.
      for (uint64_t marks = ascending(words[word]) & 0x0101010101010101; marks; marks &= marks - 1) {
        const uint8_t *hit = place + word * 8 + __builtin_ctzll(marks) / 8;
        if (is_at(hit, needle)) return hit;
      }
    }
  }
  for (; place <= last; place++) {
    if ((place[one] | case_one) == needle->bytes[one] && is_at(place, needle)) return place;
  }
  return NULL;
}
