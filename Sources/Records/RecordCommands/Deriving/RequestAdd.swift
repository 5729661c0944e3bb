import JSONText
public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// Adds a record whose commands follow from its declaration.
///
/// ```swift
/// let added = try test.value(of: RequestAdd(Chore(title: "Sweep", rooms: ["hall"])))
/// ```
public struct RequestAdd<R: CommandRecord>: RecordAdd, DerivedChange, Codable {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestAddNote`.
  public static var name: String { "RequestAdd\(R.typeName)" }

  /// Its fields.
  public var record = RecordEdits<R>()
  /// Its name in this session.
  public var alias: String?

  /// Creates the request without fields.
  public init() {}

  /// Creates the request for a record with the fields that differ from those of a new one.
  ///
  /// - Throws: An error if no command could set one of them.
  public init(_ record: R) throws { self.record = try RecordEdits(of: record) }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec("add", "Adds \(R.article).") { spec in
      let fields = spec.fields(of: \.record, hasText: true)
      return fields.alias(\.alias, "What to call it from now on")
    }
  }

  /// The session's name for it.
  public var subject: String? { alias.map { "@" + $0 } }

  /// Returns the record, if it has a title.
  public func record(_ turn: borrowing Turn) throws -> R {
    var record = try R(self.record, turn)
    try record.composeTitle(unlike: nil)
    try R.commands.complete(&record, turn)
    return record
  }

  static var confirmation: String { "Added" }
}

/// Changes fields of records whose commands follow from their declaration.
///
/// ```swift
/// let edit = try RequestEdit<Chore>(Target(.number(1))) { try $0.set(\.effort, to: .large) }
/// ```
public struct RequestEdit<R: CommandRecord>: RecordEdit, DerivedChange, Codable {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestEditNote`.
  public static var name: String { "RequestEdit\(R.typeName)" }
  /// The records that are not deleted.
  public static var offered: Condition<R>? { R.commands.present }

  /// The records.
  public var id = Target<R>()
  /// The changes of their fields.
  public var record = RecordEdits<R>()

  /// Creates the request without changes.
  public init() {}

  /// Creates the request for changes of records.
  public init(
    _ target: Target<R>,
    _ change: (inout RecordEdits<R>) throws -> Void
  ) rethrows {
    id = target
    try change(&record)
  }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec("edit", "Changes fields of \(R.several).") { spec in
      spec.records(\.id).fields(of: \.record, hasText: false).revision(of: \.id)
        .needingOption(excluding: \.id)
    }
  }

  /// Changes the fields.
  public func change(_ record: inout R, seen: R, _ turn: borrowing Turn) throws {
    try R.commands.checkPresent(record)
    let before = record
    try self.record.apply(to: &record, seen: seen, turn)
    try record.composeTitle(unlike: before)
  }

  static var confirmation: String { "Changed" }
}

extension CommandSpec {
  /// Lists the fields with a summary as options, the title as text if it is to be given as words, and what removes
  /// from a set.
  fileprivate consuming func fields<R: CommandRecord>(
    of edits:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, RecordEdits<R>>
      & Sendable,
    hasText: Bool
  ) -> Self {
    guard R._table.fields.contains(where: \.hasSummary) else { return unlisted(edits()) }
    let title = R.titleField
    var spec = self
    if hasText, let title {
      spec = spec.listing(edits, title.offset, .text)
        .listing(edits, excluding: title.offset, .adding)
        .listing(edits, title.offset, .adding, "\(title.summary), if not given as words")
    } else if let title {
      spec = spec.listing(edits, title.offset, .adding)
        .listing(edits, excluding: title.offset, .clearing)
    } else {
      spec = spec.options(of: edits(), saysItClears: !hasText)
    }
    for field in R._table.fields where !hasText && field.isList && field.hasSummary {
      spec = spec.listing(
        edits,
        field.offset,
        .removing,
        "A \(field.nameOfOne) to remove (repeatable)"
      )
    }
    return spec
  }
}

extension Record {
  /// Trims a title that was changed, and checks that it is a line.
  mutating func composeTitle(unlike before: Self?) throws(Failure) {
    guard let field = Self.titleField else { return }
    let title = title(field)
    if let before, title.isIdentical(to: before.title(field)) { return }
    let name = "\(field.name)"
    let trimmed = title.withoutBlanksAround
    guard !trimmed.isEmpty else {
      let article = Self.article
      throw Failure(
        .validation,
        "\(article.prefix(1).uppercased() + article.dropFirst()) needs a \(name); please add one.",
        field: name
      )
    }
    guard !trimmed.unicodeScalars.contains(where: \.endsLine) else {
      throw Failure(.validation, "The \(name) of \(Self.article) is one line.", field: name)
    }
    withMutableFields {
      ($0 + field.offset).assumingMemoryBound(to: String.self).pointee = trimmed
    }
  }

  /// The text in the field of the title.
  func title(_ field: Field) -> String {
    withFields { ($0 + field.offset).assumingMemoryBound(to: String.self).pointee }
  }
}

extension Unicode.Scalar {
  fileprivate var endsLine: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
