#include "CSQLite.h"

#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

void csqlite_keep_log(struct sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// The header of the shared memory ("WAL-mode File Format", §2.1), of which there are two copies.
struct index_header {
  uint32_t version, unused, change;
  uint8_t is_initialised, has_big_endian_checksums;
  uint16_t page_size;  // 1 stands for 65536
  uint32_t last_frame, page_count;
  uint32_t frame_checksum[2];
  unsigned char salt[8];
  uint32_t checksum[2];
};

enum { index_block = 32768, log_header = 32, frame_header = 24 };

static uint32_t big_endian(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// The result of a look at a file.
enum look { AS_WANTED, OTHERWISE, FAILED };

// Reads bytes that must exist; OTHERWISE if the file ends before them.
static enum look read_exactly(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  int code = file->pMethods->xRead(file, buffer, count, offset);
  return code == SQLITE_OK ? AS_WANTED : code == SQLITE_IOERR_SHORT_READ ? OTHERWISE : FAILED;
}

// The second copy is written first: two equal copies were read while no process wrote them.
static int read_index_header(const volatile struct index_header *memory, struct index_header *header) {
  struct index_header second;
  for (int attempt = 0; attempt < 1000; attempt++) {
    memcpy(header, (const void *)&memory[0], sizeof *header);
    __sync_synchronize();
    memcpy(&second, (const void *)&memory[1], sizeof second);
    if (memcmp(header, &second, sizeof second) == 0) return 1;
  }
  return 0;
}

// Whether a log has the header and the last committed frame that the shared memory describes ("Database File Format",
// §4.1, §4.2).
static enum look look_into_log(sqlite3_file *log, const struct index_header *header) {
  unsigned char bytes[log_header];
  sqlite3_int64 page_size = header->page_size == 1 ? 65536 : header->page_size;
  sqlite3_int64 last = log_header + (header->last_frame - 1) * (page_size + frame_header);
  enum look look = read_exactly(log, bytes, log_header, 0);
  if (look != AS_WANTED) return look;
  if (memcmp(bytes + 16, header->salt, 8) != 0) return OTHERWISE;
  look = read_exactly(log, bytes, frame_header, last);
  if (look != AS_WANTED) return look;
  return big_endian(bytes + 16) == header->frame_checksum[0] && big_endian(bytes + 20) == header->frame_checksum[1]
    ? AS_WANTED : OTHERWISE;
}

// Whether the header of a database has a version ("Database File Format", §1.3.3): 1 without a log, 2 with one.
static enum look look_for_version(struct sqlite3 *connection, int version) {
  sqlite3_file *database = 0;
  unsigned char start[20];
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &database);
  if (!database || !database->pMethods) return OTHERWISE;
  enum look look = read_exactly(database, start, sizeof start, 0);
  if (look != AS_WANTED) return look;
  return memcmp(start, "SQLite format 3", 16) == 0 && start[18] == version ? AS_WANTED : OTHERWISE;
}

int csqlite_is_kept_without_log(const char *path) {
  sqlite3 *connection = 0;
  enum look look = FAILED;
  if (sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, 0) == SQLITE_OK) look = look_for_version(connection, 1);
  sqlite3_close(connection);
  return look == AS_WANTED;
}

enum csqlite_files csqlite_compare_files(struct sqlite3 *connection) {
  enum look look = look_for_version(connection, 2);
  if (look == FAILED) return CSQLITE_UNREADABLE;
  if (look == OTHERWISE) return CSQLITE_NO_LOGGED_DATABASE;
  sqlite3_file *database = 0, *log = 0;
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &database);
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  void volatile *memory = 0;
  if (!log || !log->pMethods || database->pMethods->iVersion < 2
      || database->pMethods->xShmMap(database, 0, index_block, 0, &memory) != SQLITE_OK || !memory) {
    return CSQLITE_FILES_MATCH;
  }
  struct index_header before, after;
  do {
    if (!read_index_header(memory, &before)) return CSQLITE_FILES_MATCH;
    if (!before.is_initialised) return CSQLITE_OTHER_LOG;
    if (before.last_frame == 0) return CSQLITE_FILES_MATCH;
    look = look_into_log(log, &before);
    if (look != OTHERWISE) return look == FAILED ? CSQLITE_UNREADABLE : CSQLITE_FILES_MATCH;
    // Outside a transaction that writes, another process may just have restarted the log.
  } while (read_index_header(memory, &after) && memcmp(&before, &after, sizeof before) != 0);
  return CSQLITE_OTHER_LOG;
}
