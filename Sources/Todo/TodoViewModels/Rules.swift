import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText
import RecordCommands
import TodoModels

/// The domain's rules for what users write: what must not be empty, what must be one line, and
/// limits of length.
///
/// The limits are far beyond what people write. They bound the cost of one todo to all: a list
/// shows titles, a search reads notes, and SQLite limits the depth of a statement. They are in the
/// manual page and change with a changelog entry.
enum Rules {
  /// The most bytes of UTF-8 in a title.
  static let longestTitle = 4096
  /// The most bytes of UTF-8 in a subtitle.
  static let longestSubtitle = 1_048_576
  /// The most bytes of UTF-8 in the name of a tag or of a project.
  static let longestName = 256

  /// Returns why a title is invalid; nil if it is valid.
  static func problem(title: String) -> Failure? {
    guard !isBlank(title) else {
      return Failure(.validation, "Please add a title.", field: "title")
    }
    if let problem = problem("A title", title, longestTitle, field: "title") { return problem }
    guard !hasNewline(title) else {
      return Failure(
        .validation,
        "A title is one line; put the rest into the subtitle.",
        field: "title"
      )
    }
    return nil
  }

  /// Returns why a subtitle is invalid; nil if it is valid.
  static func problem(subtitle: String) -> Failure? {
    problem("A subtitle", subtitle, longestSubtitle, field: "subtitle")
  }

  /// Returns why a tag is invalid; nil if it is valid.
  static func problem(tag: String) -> Failure? {
    if let problem = problem("A tag", tag, longestName, field: "tags") { return problem }
    guard isBlank(tag) || hasNewline(tag) else { return nil }
    return Failure(.validation, "A tag is one line and not empty.", field: "tags")
  }

  /// Returns why a project's name is invalid; nil if it is valid.
  static func problem(project: String) -> Failure? {
    let subject = "A project's name"
    if let problem = problem(subject, project, longestName, field: "project") { return problem }
    guard isBlank(project) || hasNewline(project) else { return nil }
    return Failure(.validation, "\(subject) is one line and not empty.", field: "project")
  }

  /// The failure of a request that has more of something than allowed.
  static func tooMany(
    _ things: String,
    _ count: Int,
    _ limit: Int,
    _ subject: String,
    field: String
  ) -> Failure {
    Failure(
      .validation,
      "\(subject) has at most \(limit) \(things); \(count) were given.",
      field: field
    )
  }

  // MARK: Rules of all texts

  private static func problem(
    _ subject: String,
    _ text: String,
    _ limit: Int,
    field: String
  ) -> Failure? {
    guard text.utf8.count <= limit else {
      return Failure(
        .validation,
        "\(subject) has at most \(limit) bytes of UTF-8; this one has \(text.utf8.count).",
        field: field
      )
    }
    guard text.utf8.contains(0) else { return nil }
    return Failure(
      .validation,
      "\(subject) can't contain the character NUL (U+0000).",
      field: field
    )
  }

  /// Whether nothing in it is visible (S70): white space, or characters without width.
  private static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
    }
  }

  private static func hasNewline(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
      default: false
      }
    }
  }
}

extension Todo {
  /// Changes fields, if the result is valid.
  mutating func edit(
    _ edits: RecordEdits<Todo>,
    seen: Todo,
    _ turn: borrowing Turn
  ) throws {
    let before = self
    try edits.apply(to: &self, seen: seen, turn)
    try prepare(before: before, turn)
  }

  /// Completes a todo that was added or edited, if it is valid.
  mutating func prepare(before: Todo?, _ turn: borrowing Turn) throws {
    // One that was complete keeps its time (S49, S69).
    if complete { completedAt = before?.completedAt ?? turn.time }
    if before.map({ !title.isIdentical(to: $0.title) }) ?? true {
      title = title.withoutBlanksAround
    }
    composeProject(unlike: before)
    try check(before)
    // The detail of a new one has them already.
    if before == nil, uuid == .none { (uuid, createdAt) = (turn.makeID(), turn.time) }
  }

  /// Composes the name of a project that an earlier version did not have, as names in sets are.
  mutating func composeProject(unlike before: Todo?) {
    if !hasProject(of: before) { project = project?.composed }
  }

  private func hasProject(of before: Todo?) -> Bool {
    guard let project, let known = before?.project else { return false }
    return project.isIdentical(to: known)
  }

  /// Checks the title, the subtitle and the tags where they differ from an earlier version, which a
  /// new todo does not have, and the project always.
  func check(_ before: Todo? = nil) throws(Failure) {
    if let project, !hasProject(of: before) {
      try project.checkVisible(as: "A project's name", field: "project")
    }
    var problems: [Failure?] = []
    if before.map({ !$0.title.isIdentical(to: title) }) ?? true {
      problems.append(Rules.problem(title: title))
    }
    if before.map({ !$0.subtitle.isIdentical(to: subtitle) }) ?? true {
      problems.append(Rules.problem(subtitle: subtitle))
    }
    let known = TextSet(before?.tags ?? [])
    let added = tags.filter { !known.contains($0) }
    problems.append(
      added.count > Todo.mostTags
        ? Rules.tooMany("tags", added.count, Todo.mostTags, "A todo", field: "tags")
        : added.lazy.compactMap { Rules.problem(tag: $0) }.first
    )
    if let project { problems.append(Rules.problem(project: project)) }
    if let problem = problems.compactMap(\.self).first { throw problem }
  }
}
