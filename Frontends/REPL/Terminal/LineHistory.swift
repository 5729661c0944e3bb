/// What has been entered before: in memory, and in a file that several processes share.
///
/// Used by one thread.
package final class LineHistory {
  /// The entries, the oldest first; none occurs twice.
  package private(set) var entries: [String] = []
  /// What is wrong with the file, as a sentence; told once, and nothing else fails.
  package private(set) var problem: String?

  /// A history in memory, or one that is also kept in a file.
  ///
  /// - Parameters:
  ///   - path: The file. It and its folder are made with the first entry, private to the user.
  ///   - limit: The number of entries that are kept.
  package init(path: String? = nil, limit: Int = 10_000) {}

  /// Adds an entry as the newest, unless it begins with a blank.
  package func add(_ entry: String) {}

  /// What the newest entry that begins with a text goes on with; empty if there is none.
  package func continuation(of text: String) -> String { "" }
}
