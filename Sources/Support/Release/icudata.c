// Replaces ICU's data, of which the program uses nothing and which would be half of it: a table of contents without an
// entry, like ICU's own `stubdata` ("ICU Data", Building ICU Data). It is linked under another name (`ld --wrap`), and
// the linker omits what is no longer referenced.

#include <stdint.h>

const struct {
  uint16_t header_size;
  uint8_t magic1, magic2;
  struct {
    uint16_t size, reserved;
    uint8_t is_big_endian, charset_family, size_of_uchar, reserved_byte;
    uint8_t data_format[4], format_version[4], data_version[4];
  } info;
  char padding[8];
  uint32_t count, reserved;
} ICU_DATA __attribute__((aligned(16))) = {
  .header_size = 32,
  .magic1 = 0xda,
  .magic2 = 0x27,
  .info = {
    .size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .size_of_uchar = 2,
    .data_format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
  },
};
