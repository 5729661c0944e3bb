#ifndef CSQLITE_H
#define CSQLITE_H

// What SQLite offers in C alone: variadic functions, and the methods of the files that a connection has open.

struct sqlite3;

/// What the files are that a connection has open.
enum csqlite_files {
  /// A database with a write-ahead log, and the log that the shared memory describes.
  CSQLITE_FILES_MATCH,
  /// No database with a write-ahead log: another file was copied into it, or it was truncated.
  CSQLITE_NO_LOGGED_DATABASE,
  /// The log is not the one that the shared memory describes: it was truncated, or another one copied into it.
  CSQLITE_OTHER_LOG,
  /// A file can't be read.
  CSQLITE_UNREADABLE,
};

/// Compares the files that a connection has open, through the connection's own descriptors.
///
/// A descriptor of one's own would not do: closing it gives up all locks of the process on the file. The connection
/// has read or written before. Inside a transaction that writes the answer holds until the transaction ends.
enum csqlite_files csqlite_compare_files(struct sqlite3 *connection);

/// Finds out whether a database says that it is kept without a write-ahead log; not where that can't be told.
///
/// Takes no lock, and reads through SQLite, which closes no file that another connection of the process has locked.
int csqlite_is_kept_without_log(const char *path);

/// Has a connection leave the log as it is when it closes: not copied into the database, not deleted.
void csqlite_keep_log(struct sqlite3 *connection);

#endif
