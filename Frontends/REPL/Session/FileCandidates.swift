import EventCommands
import EventMVVM
import EventValues
import Foundation
import JSONText

/// Files, as candidates for an incomplete path.
struct FileCandidates {
  /// Returns the files whose path has a prefix, folders with a trailing slash; hidden ones if the
  /// prefix asks for them.
  static func beginning(with path: String) -> [Candidate] {
    if let there = HomeFolder.expanding(path) {
      return beginning(with: there).map { Candidate(HomeFolder.shortened($0.word) ?? $0.word) }
    }
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
  /// Creates a completion that replaces the incomplete path; after a folder the path continues.
  init(replacing replaced: Int, files: [Candidate]) {
    self.init(replacing: replaced, files)
    if files.count == 1, let only = files.first,
      only.word.hasSuffix("/") || only.word.hasSuffix("/'")
    {
      endsWord = false
    }
  }
}
