import EventCommands
import EventMVVM
import Foundation
import JSONText

/// Files, as candidates for a path that has been begun.
struct FileCandidates {
  /// The files whose path begins so, folders with a trailing slash; hidden ones where that is asked
  /// for.
  static func beginning(with path: String) -> [Candidate] {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
    let folder = String(path[..<start])
    let begun = String(path[start...])
    let showsHidden = begun.starts(withText: ".")
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    return (names ?? []).sorted()
      .filter { $0.starts(withText: begun) && (showsHidden || !$0.starts(withText: ".")) }
      .map { Candidate(folder + $0 + (isFolder(folder + $0) ? "/" : "")) }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}

extension LineCompletion {
  /// Files in place of what has been begun; after a folder the path goes on.
  init(replacing replaced: Int, files: [Candidate]) {
    self.init(replacing: replaced, files)
    if files.count == 1, let only = files.first,
      only.word.hasSuffix("/") || only.word.hasSuffix("/'")
    {
      endsWord = false
    }
  }
}
