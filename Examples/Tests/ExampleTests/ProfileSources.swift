import Foundation

/// The files of the profile, each of which plays a role (S88).
enum ProfileSources {
  struct Role: Sendable {
    let file: String
    /// What it is about.
    let own: String
    /// What it must not know.
    let hiddenNames: [String]
  }

  private static let views = ["Page", "EncodedResult"]
  private static let viewModels = ["ProfileViewModel", "Profiles", "ShownProfile"]
  private static let controllers = [
    "NetworkController", "ImageController", "Web", "HTTP", "ImageCache",
  ]

  static let roles = [
    Role(
      file: "ProfileView.swift",
      own: "Page",
      hiddenNames: viewModels + controllers + ["User", "Kept", "RawUser"]
    ),
    Role(
      file: "ProfileViewModel.swift",
      own: "ProfileViewModel",
      hiddenNames: views + controllers + ["RawUser", "Profiles"]
    ),
    Role(
      file: "Controllers.swift",
      own: "NetworkController",
      hiddenNames: views + viewModels + ["ProfileDisplay", "EventStream", "Kept"]
    ),
    Role(
      file: "User.swift",
      own: "User",
      hiddenNames: views + viewModels + controllers + ["RawUser", "ProfileDisplay"]
    ),
    Role(
      file: "RawUser.swift",
      own: "RawUser",
      hiddenNames: views + viewModels + controllers + ["ProfileDisplay", "Kept"]
    ),
  ]

  /// A file, without its comments.
  static func text(_ file: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Profile/Sources/todostream-profile").standardizedFileURL
    return try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
      .joined(separator: "\n")
  }

  /// Whether a text names something.
  static func names(_ name: String, in text: String) -> Bool {
    let word = { (character: Character?) in character?.isLetter == true || character == "_" }
    return text.ranges(of: name)
      .contains { range in
        let before =
          range.lowerBound == text.startIndex ? nil : text[text.index(before: range.lowerBound)]
        let after = range.upperBound == text.endIndex ? nil : text[range.upperBound]
        return !word(before) && !word(after)
      }
  }
}
