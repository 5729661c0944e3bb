import Foundation

/// Decides whether a file may be used that was found by searching, and that no command names.
///
/// It may if only its user and root can change or replace it: the file, the folders on its path
/// and the links that are followed belong to one of them, and no other user may write to the file
/// or the folders. A group may if it is the user's own: their first, with their name and no other
/// member, and no access list extends its rights. A folder on the path may be writable by others
/// where its sticky bit is set, as they can't replace the user's files there.
package enum Trust {
  /// Why a file may not be used.
  ///
  /// - Parameter path: Its path from the root.
  /// - Returns: The end of a sentence, with what to do; nil if it may be used.
  package static func doubt(aboutFile path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "\(SystemProblem(errno).text)." }
    guard status.st_mode & S_IFMT == S_IFREG else { return "it is no ordinary file." }
    guard isOwn(status) else { return "it belongs to another user; make a copy of your own." }
    guard isClosed(status, path) else {
      return "other users can change it; 'chmod go-w' forbids that."
    }
    return doubt(aboutWayTo: path)
  }

  /// Why no file in a folder may be used.
  ///
  /// - Parameter path: Its path from the root.
  /// - Returns: The end of a sentence, with what to do; nil if they may be used.
  package static func doubt(aboutFolder path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "\(SystemProblem(errno).text)." }
    guard isOwn(status) else {
      return "that folder belongs to another user; make one of your own."
    }
    guard isClosed(status, path) else {
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
      guard isClosed(status, folder) || status.st_mode & S_ISVTX != 0 else {
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
  private static func isClosed(_ status: stat, _ path: String) -> Bool {
    guard status.st_mode & S_IWOTH == 0 else { return false }
    guard status.st_mode & S_IWGRP != 0 else { return true }
    return isUsersOwn(group: status.st_gid) && !hasAccessList(path)
  }

  /// Whether a file has an access list: the rights of those it names are shown as the group's.
  ///
  /// That is so on Linux (acl(5)).
  private static func hasAccessList(_ path: String) -> Bool {
    guard let file = realpath(path, nil) else { return true }
    defer { free(file) }
    let all = try? FileManager.default.attributesOfItem(atPath: String(cString: file))
    let extended = all?[FileAttributeKey(rawValue: "NSFileExtendedAttributes")] as? [String: Data]
    return extended?["system.posix_acl_access"] != nil
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
