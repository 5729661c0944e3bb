import EventMVVM

/// The rules of the domain for what users write.
enum Rules {
  /// What is wrong with a title; nil if nothing is.
  static func problem(title: String) -> Failure? {
    guard !isBlank(title) else {
      return Failure(.validation, "Please add a title.", field: "title")
    }
    guard !title.contains(where: \.isNewline) else {
      return Failure(
        .validation,
        "A title is one line; put the rest into the subtitle.",
        field: "title"
      )
    }
    return nil
  }

  /// What is wrong with a name for a todo; nil if nothing is.
  static func problem(alias: String?) -> Failure? {
    guard alias == "last" else { return nil }
    return Failure(
      .validation,
      "@last is what was added or changed last; choose another name.",
      field: "alias"
    )
  }

  /// What is wrong with a tag; nil if nothing is.
  static func problem(tag: String) -> Failure? {
    guard isBlank(tag) || tag.contains(where: \.isNewline) else { return nil }
    return Failure(.validation, "A tag is one line and not empty.", field: "tags")
  }

  /// What is wrong with a project's name; nil if nothing is.
  static func problem(project: String) -> Failure? {
    guard isBlank(project) || project.contains(where: \.isNewline) else { return nil }
    return Failure(.validation, "A project's name is one line and not empty.", field: "project")
  }

  /// Whether there is nothing but white space (S70).
  private static func isBlank(_ text: String) -> Bool {
    text.allSatisfy(\.isWhitespace)
  }
}
