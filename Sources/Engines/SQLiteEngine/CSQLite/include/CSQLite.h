#ifndef CSQLITE_H
#define CSQLITE_H

// Functions of SQLite that only C can call: variadic ones, and the methods of a connection's open files.

struct sqlite3;

/// The state of the files that a connection has open.
enum csqlite_files {
  /// A database with a write-ahead log, and the log that the shared memory describes.
  CSQLITE_FILES_MATCH,
  /// Not a database with a write-ahead log: another file was copied into it, or it was truncated.
  CSQLITE_NO_LOGGED_DATABASE,
  /// Not the log that the shared memory describes: it was truncated, or another one copied into it.
  CSQLITE_OTHER_LOG,
  /// A file can't be read.
  CSQLITE_UNREADABLE,
};

/// Compares the files that a connection has open, through the connection's own descriptors.
///
/// A new descriptor would not do: closing it releases all locks of the process on the file. The connection must have
/// read or written before. Inside a transaction that writes the result holds until the transaction ends.
enum csqlite_files csqlite_compare_files(struct sqlite3 *connection);

/// Returns whether a database has no write-ahead log, by its header; 0 also if that is unknown.
///
/// Takes no lock, and reads through SQLite, which closes no file that another connection of the process has locked.
int csqlite_is_kept_without_log(const char *path);

/// Makes a connection leave the log as it is when it closes: neither copied into the database nor deleted.
void csqlite_keep_log(struct sqlite3 *connection);

#endif
