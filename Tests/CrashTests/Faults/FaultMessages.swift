import Foundation

/// What may be said about a fault: the path, the cause, what to do.
///
/// SQLite does not say why it can't open a file, opens one for reading alone that it can't open
/// otherwise, and takes for damaged what it can't read.
enum FaultMessages {
  static func allowed(_ fault: Fault) -> Set<String> {
    fault.code == EIO ? opening.union(error) : opening.union(full)
  }

  private static let error: Set = [
    "STORE: the disk reports an error (SQLite N); nothing was written, check it",
    "STORE: the disk reports an error (SQLite N); check it, and look whether the change is there "
      + "before you repeat it",
    "STORE: is damaged (database disk image is malformed); 'doctor' says more, restore it from a "
      + "backup",
    "STORE: can't be created: Input/output error; check the disk, or name another file",
    "STORE-bell: can't be opened: Input/output error; nothing was written, check the disk",
    "FOLDER/data: the folder can't be made: Input/output error; make it, or name a file with --store",
    "FOLDER/data/todostream: the folder can't be made: Input/output error; make it, or name a file "
      + "with --store",
    "COPY: the disk reports an error (SQLite N); nothing was written, check it",
    "COPY: can't be written: Input/output error; name another",
    "COPY: can't be written; name another file",
  ]

  private static let full: Set = [
    "STORE: the disk is full; nothing was written, make room and try again",
    "STORE: the disk is full; make room, and look whether the change is there before you repeat it",
    "COPY: the disk is full; nothing was written, make room and try again",
  ]

  private static let opening: Set = [
    "STORE: can't be opened; check that you may read and write it and its folder",
    "STORE: is read-only, or its folder is; nothing was written, change their permissions",
    "COPY: can't be opened; check that you may read and write it and its folder",
    "COPY: is read-only, or its folder is; nothing was written, change their permissions",
  ]
}
