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
public struct RequestAdd<R: CommandRecord>: RecordAdd, DerivedChange, DerivedRequest {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestAddNote`.
  public static var name: String { form.name ?? "RequestAdd\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .add) }
  /// The name of the command.
  public static var verb: String { R.commands.name(of: .add) }

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

  private static var edits: PropertyAccess<Self, RecordEdits<R>> {
    PropertyAccess("record", \.record) { request, body throws(ValueError) in
      try body(&request.record)
    }
  }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .add, "Adds \(R.article).") { spec in
      let fields = spec.fields(of: edits, hasText: true)
      return fields.alias(\.alias, "What to call it from now on")
        .typed { request throws(ValueError) in
          guard let alias = request.alias, R.filterVocabulary.view(alias) != nil else { return }
          throw ValueError("@\(alias.quotable) is a view; choose another name")
        }
    }
  }

  /// The session's name for it.
  public var subject: String? { alias.map { "@" + $0 } }

  /// Returns the record, if it has a title.
  public func record(_ turn: borrowing Turn) throws -> R {
    var record = try R(self.record, turn)
    try record.prepare(before: nil, turn)
    return record
  }

  static func confirmation(of record: R) -> String { "Added" }
}

/// Changes fields of records whose commands follow from their declaration.
///
/// ```swift
/// let edit = try RequestEdit<Chore>(Target(.number(1))) { try $0.set(\.effort, to: .large) }
/// ```
public struct RequestEdit<R: CommandRecord>: DerivedEdit {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestEditNote`.
  public static var name: String { form.name ?? "RequestEdit\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .edit) }
  /// The name of the command.
  public static var verb: String { R.commands.name(of: .edit) }
  /// The records that are not deleted.
  public static var offered: Condition<R>? { R.commands.present }

  /// The records.
  public var id = Target<R>()
  /// The changes of their fields.
  public var record = RecordEdits<R>()
  /// Whether the words that are read are changes.
  private var isAfterTo = false

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

  /// Refuses a deleted record.
  public static func check(_ record: Kept<R>) throws { try R.commands.checkPresent(record) }

  private static var edits: PropertyAccess<Self, RecordEdits<R>> {
    PropertyAccess("record", \.record) { request, body throws(ValueError) in
      try body(&request.record)
    }
  }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .edit, "Changes fields of \(R.several).") { spec in
      spec.filtered(
        at: target,
        takeWord: { request, word throws(ValueError) in try request.take(word: word) }
      ) { offered }
      .fields(of: edits, hasText: false).revision(at: target)
      .needingOption(excludingNamed: "expectedRevision") { !$0.record.isEmpty }
      .unlisted(\.isAfterTo)
      .typed { request throws(ValueError) in
        let needsChange = request.isAfterTo || !request.id.terms.isEmpty
        request.isAfterTo = false
        guard needsChange, request.record.isEmpty else { return }
        throw ValueError(
          "what is to change is said after 'to': \(R.filterVocabulary.exampleOfChange)"
        )
      }
    }
  }

  /// Takes a reference, a word of a filter, `to`, or a change after it: `project:acme to due:fri +urgent`.
  ///
  /// After references alone `to` may be left out.
  private mutating func take(word: String) throws(ValueError) {
    let isMeant = !id.references.isEmpty || !id.terms.isEmpty
    if isMeant, word.isIdentical(to: "to") {
      guard !isAfterTo else {
        throw ValueError(
          "'to' comes before all that changes; what asks for some of several numbers comes before these"
        )
      }
      isAfterTo = true
      return
    }
    let mayChange = isAfterTo || id.terms.isEmpty && isMeant
    if mayChange, try record.take(change: word, R.filterVocabulary) {
      isAfterTo = true
      return
    }
    guard !isAfterTo else { return try record.take(onlyChange: word) }
    try id.take(filtering: word) { R.filterVocabulary }
  }

  /// Changes the fields.
  public func change(_ record: inout R, seen: R, _ turn: borrowing Turn) throws {
    let before = record
    try self.record.apply(to: &record, seen: seen, turn)
    try record.prepare(before: before, turn)
  }

  /// Checks that the edits can be read, before a record is.
  public func check(_ turn: borrowing Turn) throws {
    var example = R.example(at: turn.clock.now)
    try record.apply(to: &example, turn)
    try R.commands.checkEdits(record, turn)
  }

  /// The command that opens an editor, where there are screens.
  public static var onScreen: (any Command.Type)? { R.commands.type(of: .show) }

  static func confirmation(of record: R) -> String { "Changed" }
  static var saysFields: Bool { true }
}

extension CommandSpec {
  /// Lists the fields with a summary as options, the title as text if it is to be given as words, and what removes
  /// from a set.
  consuming func fields<R: CommandRecord>(
    of edits: PropertyAccess<Root, RecordEdits<R>>,
    hasText: Bool
  ) -> Self {
    guard R._table.fields.contains(where: \.hasSummary) else {
      return unlisted(edits.keyPath())
    }
    let title = R.titleField
    var spec = self
    if hasText, let title {
      spec = spec.words(of: edits, title)
        .listing(edits, excluding: title.offset, .adding)
        .listing(edits, title.offset, .adding, "\(title.summary), if not given as words")
    } else if let title {
      spec = spec.listing(edits, title.offset, .adding)
        .listing(edits, excluding: title.offset, .clearing)
    } else {
      spec = spec.listing(edits, excluding: nil, hasText ? .adding : .clearing)
    }
    for field in R._table.fields where !hasText && field.isList && field.hasSummary {
      spec = spec.listing(
        edits,
        field.offset,
        .removing,
        field.summaryOfRemoval
      )
    }
    return spec
  }
}

extension RequestAdd {
  /// Reads the record by the name of its kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: RecordKey.self)
    record = try container.decode(RecordEdits<R>.self, forKey: .kind(R.self, in: container))
    alias = try container.decodeIfPresent(String.self, forKey: "alias")
  }

  /// Writes the record by the name of its kind.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: RecordKey.self)
    try container.encode(record, forKey: .kind(R.self))
    try container.encodeIfPresent(alias, forKey: "alias")
  }
}

extension RequestEdit {
  /// Reads the changes by the name of the kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: RecordKey.self)
    id = try container.decode(Target<R>.self, forKey: "id")
    record = try container.decode(RecordEdits<R>.self, forKey: .kind(R.self, in: container))
  }

  /// Writes the changes by the name of the kind.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: RecordKey.self)
    try container.encode(id, forKey: "id")
    try container.encode(record, forKey: .kind(R.self))
  }
}

/// A member of a request: one of them is named after the kind of its record.
private struct RecordKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringLiteral name: String) { stringValue = name }
  init?(stringValue name: String) { stringValue = name }
  init?(intValue: Int) { nil }

  static func kind<R: Record>(_ type: R.Type) -> Self { Self(kind: R.kind) }

  /// The name of the kind in a request, perhaps that of an earlier version.
  static func kind<R: Record>(_ type: R.Type, in container: KeyedDecodingContainer<Self>) -> Self {
    let today = kind(type)
    guard !container.contains(today) else { return today }
    return R._table.kinds.map { Self(kind: $0) }.first { container.contains($0) } ?? today
  }

  private init(kind: String) {
    self.init(stringLiteral: ["id", "alias"].contains(kind) ? "record" : kind)
  }
}

extension CommandRecord {
  /// Completes and checks a record that was added or edited.
  mutating func prepare(before: Self?, _ turn: borrowing Turn) throws {
    try Self.commands.prepare(&self, before, turn)
    try composeTitle(unlike: before)
  }

  /// A record with times, which an edit may move, and which comes again.
  fileprivate static func example(at now: CivilMinute) -> Self {
    var example = Self()
    example.withMutableFields { record in
      for field in _table.fields where field.type == CivilTime?.self {
        (record + field.offset).assumingMemoryBound(to: CivilTime?.self).pointee = .minute(now)
      }
      for field in _table.fields where field.type == Recurrence?.self {
        (record + field.offset).assumingMemoryBound(to: Recurrence?.self).pointee = .daily
      }
    }
    return example
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
        "\(article.beginningUpper) needs a \(name); please add one.",
        field: name
      )
    }
    guard trimmed.isOneLine else {
      throw Failure(.validation, "The \(name) of \(Self.article) is one line.", field: name)
    }
    setTitle(trimmed, field)
  }

  /// Sets the text in the field of the title.
  mutating func setTitle(_ title: String, _ field: Field) {
    withMutableFields {
      ($0 + field.offset).assumingMemoryBound(to: String.self).pointee = title
    }
  }

  /// The text in the field of the title.
  func title(_ field: Field) -> String {
    withFields { ($0 + field.offset).assumingMemoryBound(to: String.self).pointee }
  }
}

extension Field {
  /// The summary of what removes from it: `A label to remove (repeatable)` of `A label (repeatable)`.
  fileprivate var summaryOfRemoval: String {
    let (summary, end) = ("\(summary)", " (repeatable)")
    return summary.hasSuffix(end)
      ? summary.dropLast(end.count) + " to remove" + end : summary + ", to remove"
  }
}
