public import EventCommands
public import EventMVVM
public import EventRecords
public import EventValues
public import JSONText

// The commands of a detail. Each applies to the topmost screen of its session (S15, S78); edits belong to that screen
// alone until they are saved.

/// Edits fields of the open record.
public struct RequestSet<R: CommandRecord>: Command, DerivedRequest {
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordDraft<R>>
  /// The name of the request: `RequestSetNote`.
  public static var name: String { form.name ?? "RequestSet\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .set) }
  /// The name of the command.
  public static var verb: String { "set" }
  /// It only reads.
  public static var writes: Bool { false }

  /// The changes of its fields.
  public var record = RecordEdits<R>()

  /// Creates the request without changes.
  public init() {}

  private static var edits: PropertyAccess<Self, RecordEdits<R>> {
    PropertyAccess("record", \.record) { request, body throws(ValueError) in
      try body(&request.record)
    }
  }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .set, "Edits fields; 'save' stores them.") {
      $0.changes(of: edits).fields(of: edits, hasText: false).needingOption()
    }
  }
}

/// Toggles a field of the open record (S46).
public struct RequestToggle<R: CommandRecord>: Command, DerivedRequest {
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordDraft<R>>
  /// The name of the request: `RequestToggleNote`.
  public static var name: String { form.name ?? "RequestToggle\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .toggle) }
  /// The name of the command.
  public static var verb: String { "toggle" }
  /// It only reads.
  public static var writes: Bool { false }

  /// The field; the first unless given.
  public var field: ToggledField<R>?

  /// Creates the request.
  public init() {}

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    let first = R.commands.allToggles.first?.name ?? ""
    return R.commands.spec(of: .toggle, "Sets a field to its other value; 'save' stores it.") {
      $0.listing(
        PropertyAccess("field", \.field) { request, body throws(ValueError) in
          try body(&request.field)
        },
        .word,
        "Which; \(first) unless given"
      )
    }
  }
}

/// The name of a field that is toggled.
public struct ToggledField<R: CommandRecord>: Choice, Codable {
  /// The name.
  public let rawValue: String

  /// Takes the name of a field that can be toggled; nil for any other.
  public init?(rawValue: String) {
    guard R.commands.allToggles.contains(where: { $0.name.isIdentical(to: rawValue) }) else {
      return nil
    }
    self.rawValue = rawValue
  }

  /// All that there are, in the order of the declaration.
  public static var allCases: [Self] {
    R.commands.allToggles.compactMap { Self(rawValue: $0.name) }
  }
}

/// Shows the open record with its edits.
public struct RequestShowOpen<R: CommandRecord>: Command, DerivedRequest {
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordDraft<R>>
  /// The name of the request: `RequestShowOpenNote`.
  public static var name: String { form.name ?? "RequestShowOpen\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .showOpen) }
  /// The name of the command.
  public static var verb: String { "show" }
  /// It only reads.
  public static var writes: Bool { false }

  /// Creates the request.
  public init() {}

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .showOpen, "Shows the open \(R.kind) with its edits.") { $0 }
  }

  /// Writes all fields.
  public func show(_ value: RecordDraft<R>, on page: inout Page) { value.showAll(on: &page) }
}

/// Stores the edits (S30); a failure keeps the screen and the edits.
public struct RequestSave<R: CommandRecord>: Command, DerivedRequest {
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestSaveNote`.
  public static var name: String { form.name ?? "RequestSave\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .save) }
  /// The name of the command.
  public static var verb: String { "save" }

  /// Whether external changes are overwritten.
  public var force = false

  /// Creates the request.
  public init() {}

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .save, "Stores what was edited, and closes.") {
      $0.listing(
        PropertyAccess("force", \.force) { request, body throws(ValueError) in
          try body(&request.force)
        },
        .option,
        "Overwrites what somebody else changed meanwhile",
        flag: "--force"
      )
    }
  }

  /// Asks the person, who sees the external changes.
  public func secondTry(after failure: Failure) -> SecondTry<Self>? {
    guard failure.kind == .conflict, !force else { return nil }
    var second = self
    second.force = true
    return SecondTry("Overwrite it?", second, isForPersons: true)
  }

  /// Writes a confirmation for a person.
  public func show(_ value: RecordGroup<R>, on page: inout Page) {
    value.confirm({ _ in "Saved" }, on: &page)
  }
}

/// Closes the detail and writes nothing (S31).
public struct RequestCancel<R: CommandRecord>: Command, DerivedRequest {
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordDraft<R>>
  /// The name of the request: `RequestCancelNote`.
  public static var name: String { form.name ?? "RequestCancel\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .cancel) }
  /// The name of the command.
  public static var verb: String { "cancel" }
  /// It only reads.
  public static var writes: Bool { false }

  /// Creates the request.
  public init() {}

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .cancel, "Closes and discards the edits.") { $0 }
  }

  /// Writes that edits are forgotten, if there were any.
  public func show(_ value: RecordDraft<R>, on page: inout Page) {
    guard value.isEdited else { return }
    page.confirm { page in
      page.write("Forgotten what was edited.")
      page.endLine()
    }
  }
}

/// A record as it would be if it were saved now.
public struct RecordDraft<R: CommandRecord>: CommandResult {
  /// The name of its response: `ResponseNoteDraft`.
  public static var responseName: String? { R.commands.name("Response\(R.typeName)Draft") }
  private let detail: RecordDetail<R>
  private let time: Instant

  /// Creates the draft of a detail at a time.
  init(_ detail: RecordDetail<R>, at time: Instant) { (self.detail, self.time) = (detail, time) }

  /// The record with the edits.
  public var record: RecordView<R> { detail.edited }
  /// Whether there are edits.
  public var isEdited: Bool { detail.isEdited }
  /// The record; nil if it is not stored yet.
  public var subject: String? { detail.subject }

  /// Writes its line.
  public func show(on page: inout Page) { record.show(on: &page) }

  /// Writes all fields, and what can be done next.
  func showAll(on page: inout Page) {
    record.showWhole(on: &page)
    R.commands.describe?(detail, time, &page)
    var isFirst = true
    for toggle in R.commands.allToggles where !detail.isNew || !toggle.isOfStored {
      page.write(isFirst ? "    'toggle" : ", 'toggle \(toggle.name)", .secondary)
      page.write("': \(toggle.title(detail.draft))", .secondary)
      isFirst = false
    }
    if !isFirst { page.endLine() }
    page.write(isEdited ? "    not saved yet" : "    nothing was edited", .secondary)
    page.endLine()
  }

  /// Writes the record with the edits.
  public func write(to json: inout JSONWriter) { record.writeItem(to: &json) }
}

/// A field with two values, between which an editor changes.
struct RecordToggle<R: CommandRecord>: Sendable {
  let name: String
  /// The title of the action that changes it.
  let title: @Sendable (R) -> String
  /// Whether it is for stored records alone.
  var isOfStored = false
  /// Sets it to its other value, given the stored record.
  let change: @Sendable (inout R, _ original: R, borrowing Turn) throws -> Void
}

extension RecordCommands {
  /// The toggles of the declaration, those of fields that are true or false, and that of deletion.
  var allToggles: [RecordToggle<R>] {
    var all = toggles
    for field in R._table.fields where field.type == Bool.self && field.hasSummary {
      let offset = field.offset
      let isKnown = toggles.contains { $0.name == "\(field.name)" }
      guard !isKnown, offset != deletion?.offset else { continue }
      all.append(
        RecordToggle(
          name: "\(field.name)",
          title: { record in
            record.withFields { $0.load(fromByteOffset: offset, as: Bool.self) } ? "no" : "yes"
          }
        ) { record, _, _ in
          record.withMutableFields {
            ($0 + offset).assumingMemoryBound(to: Bool.self).pointee.toggle()
          }
        }
      )
    }
    if deletion != nil, type(of: .delete) != nil {
      all.append(
        RecordToggle(
          name: "deleted",
          title: { $0.isMarkedDeleted ? "Restore" : "Delete" },
          isOfStored: true
        ) { record, _, _ in
          record.markDeleted(!record.isMarkedDeleted)
        }
      )
    }
    return all
  }
}
