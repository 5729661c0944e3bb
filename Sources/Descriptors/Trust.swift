import Foundation

/// Whether a file may be used that is only found, and that no command names.
///
/// It may if nobody but its user and root can change it, or put another in its place: it, the
/// folders through which the way to it leads, and the links that are followed belong to them, and
/// nobody else may write to the file or the folders. A group may if it is the user's own: their
/// first, with their name and no other member. A folder on the way may be open to others where its
/// sticky bit is set, since what belongs to the user stays in its place there.
package enum Trust {
  /// Why a file may not be used.
  ///
  /// - Parameter path: Its path from the root.
  /// - Returns: The end of a sentence, which says what to do; nil if it may be used.
  package static func doubt(aboutFile path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "\(String(cString: strerror(errno)))." }
    guard status.st_mode & S_IFMT == S_IFREG else { return "it is no ordinary file." }
    guard isOwn(status) else { return "it belongs to another user; make a copy of your own." }
    guard isClosed(status) else { return "other users can change it; 'chmod go-w' forbids that." }
    return doubt(aboutWayTo: path)
  }

  /// Why the files in a folder may not be used, whatever they are themselves.
  ///
  /// - Parameter path: Its path from the root.
  /// - Returns: The end of a sentence, which says what to do; nil if they may be used.
  package static func doubt(aboutFolder path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "\(String(cString: strerror(errno)))." }
    guard isOwn(status) else {
      return "that folder belongs to another user; make one of your own."
    }
    guard isClosed(status) else {
      return "other users can change that folder; 'chmod go-w' forbids that."
    }
    return doubt(aboutWayTo: path)
  }

  private static func doubt(aboutWayTo path: String) -> String? {
    let way = FolderWay(to: path)
    for link in way.links {
      var status = stat()
      guard lstat(link, &status) == 0, isOwn(status) else {
        return
          "'\(link)', which the way to it follows, belongs to another user; "
          + "make a link of your own."
      }
    }
    for folder in way {
      var status = stat()
      guard stat(folder, &status) == 0, isOwn(status) else {
        return "'\(folder)', through which the way to it leads, belongs to another user; "
          + "make a folder of your own."
      }
      guard isClosed(status) || status.st_mode & S_ISVTX != 0 else {
        return "other users can change '\(folder)', through which the way to it leads; "
          + "'chmod go-w' forbids that."
      }
    }
    return nil
  }

  private static func isOwn(_ status: stat) -> Bool {
    status.st_uid == geteuid() || status.st_uid == 0
  }

  /// Whether only the user and root may write.
  private static func isClosed(_ status: stat) -> Bool {
    status.st_mode & S_IWOTH == 0
      && (status.st_mode & S_IWGRP == 0 || isUsersOwn(group: status.st_gid))
  }

  private static func isUsersOwn(group number: gid_t) -> Bool {
    guard let user = getpwuid(geteuid()), user.pointee.pw_gid == number,
      let name = user.pointee.pw_name, let group = getgrgid(number),
      strcmp(group.pointee.gr_name, name) == 0
    else { return false }
    var member = group.pointee.gr_mem
    while let next = member?.pointee {
      guard strcmp(next, name) == 0 else { return false }
      member = member?.advanced(by: 1)
    }
    return true
  }
}
