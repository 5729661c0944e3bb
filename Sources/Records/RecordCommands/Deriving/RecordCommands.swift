public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues
import JSONText

/// A record whose commands follow from its declaration.
///
/// ```swift
/// struct Note: CommandRecord {
///   var title = ""
///   var body = ""
///   var tags: [String] = []
///   var due: CivilTime?
///   static let fields = Fields<Self>("note", several: "notes")
///     .field("title", \.title, .searched, "What it says")
///     .field("body", \.body, .searched, "The rest of it, of any number of lines")
///     .set("tags", \.tags, "A label (repeatable)", one: "tag")
///     .field("due", \.due, .indexed, "When it matters")
///   static let commands = RecordCommands<Self>().ordered { $0.sorted(by: \.due) }
/// }
/// ```
///
/// A domain adds them to its catalogue by `catalogue.add(Note.self)`; they need no server.
public protocol CommandRecord: Record {
  /// Its commands; a stored constant, as it caches them.
  static var commands: RecordCommands<Self> { get }
}

/// The commands on a record that follow from its declaration: `add`, `list`, `show`, `edit`, `delete` and `count`,
/// with options, help, completion, JSON and JSON-RPC methods, and a domain's own words as verbs.
///
/// Each field with a summary is an option of `add` and `edit`, and of `list` and `count`, except for times without an index, which a filter
/// asks for. The first text among them is the title:
/// the words of `add`, and what a person sees first. What the words of `list` search are the `.searched` fields.
///
/// ```swift
/// static let commands = RecordCommands<Self>()
///   .ordered { $0.sorted(by: \.due) }
///   .hides(.not(.isNil(\.doneAt)))
///   .preparing { chore, before, turn in if before == nil { chore.createdAt = turn.time } }
///   .verb("done", "Completes chores.", "Completed", as: Done.self, for: .isNil(\.doneAt)) {
///     chore,
///     turn in
///     chore.doneAt = chore.doneAt ?? turn.time
///   }
/// ```
public struct RecordCommands<R: CommandRecord>: Sendable {
  /// A command that follows from the declaration.
  public typealias Derived = DerivedCommand

  /// The end of each command's name: `-member` in `add-member`.
  public let suffix: String
  private(set) var replaced: [Derived: (any Command.Type)?] = [:]
  private(set) var verbs: [RecordVerb<R>] = []
  /// The commands of plugins that are no verbs.
  private(set) var others: [any Command.Type] = []
  private(set) var hidden: (@Sendable () -> Condition<R>)?
  /// What is left out by the time; nil for nothing.
  private(set) var hiddenNow: (@Sendable (borrowing Turn) -> [Condition<R>])?
  private(set) var conditions: [NamedCondition<R>] = []
  /// The views of the declaration.
  private(set) var views: [NamedFilter] = []
  private(set) var exclusions: [[String]] = []
  private(set) var orders: [NamedOrder<R>] = []
  private(set) var order: @Sendable (Query<R>) -> Query<R> = { $0 }
  private(set) var namedOrder: (@Sendable (RecordFilter<R>) -> String)?
  private(set) var mark: (@Sendable (R) -> Bool)?
  private(set) var hasBox = false
  private(set) var prepare: @Sendable (inout R, _ before: R?, borrowing Turn) throws -> Void = {
    _,
    _,
    _ in
  }
  private(set) var checkEdits: @Sendable (RecordEdits<R>, borrowing Turn) throws -> Void = { _, _ in
  }
  private(set) var columns: (@Sendable () -> [PartialKeyPath<R>])?
  private(set) var draw: (@Sendable (RecordView<R>, LineNeeds, inout Page) -> Void)?
  private(set) var worded: @Sendable (Failure) -> Failure = { $0 }
  private(set) var toggles: [RecordToggle<R>] = []
  private(set) var describe: (@Sendable (RecordDetail<R>, Instant, inout Page) -> Void)?
  private(set) var names: [String: String] = [:]
  private(set) var forms: [Derived: RecordedForm] = [:]
  private(set) var checkForm = RecordedForm()
  private(set) var examples: [Derived: [String]] = [:]
  private(set) var summaries: [Derived: String] = [:]
  // One closure each, not an array of them, whose type would be made whenever a process starts.
  /// What plugins draw after the title; nil for nothing.
  private(set) var column: (@Sendable (RecordView<R>, LineNeeds, inout Page) -> Void)?
  /// What plugins do on a stream; nil for nothing.
  private(set) var join: (@Sendable (EventStream) -> Void)?
  /// What plugins tell prompts and programs; nil for nothing.
  private(set) var wire: (@Sendable () -> Wire)?
  /// A sentence for each mistake of the declaration.
  var problems: [String] = []
  let specs = DerivedSpecs()

  /// Derives the commands of a record.
  ///
  /// - Parameter name: What follows the name of each command, after a hyphen, where a program has several kinds of
  ///   records: `member` for `add-member`; empty for `add`.
  public init(suffix name: String = "") {
    suffix = name.isEmpty ? "" : "-" + name
  }

  // MARK: Declaring

  /// Adds a word of the domain's own: a change of the records that it refers to, of all of them or of none.
  ///
  /// - Parameters:
  ///   - name: The name of the command.
  ///   - summary: What it does, in a sentence.
  ///   - confirmation: What a person is told, before the number and the title: `Completed`.
  ///   - type: What names the verb in the type of its request, `RequestVerb<Chore, Done>`; nil where no code sends it.
  ///   - offered: The records that it is for: completion offers these, and a range is these alone. Nil for all.
  ///   - examples: Lines that show how it is used.
  ///   - form: Its name and its version in recordings, where it is not that of the verb.
  ///   - change: Changes the current version of a record; called again where it was changed meanwhile. A throw becomes
  ///     the failure of the reply, and nothing is changed.
  /// - Returns: The commands with this one.
  public consuming func verb(
    _ name: String,
    _ summary: String,
    _ confirmation: String,
    as type: (any VerbName.Type)? = nil,
    for offered: @autoclosure @escaping @Sendable () -> Condition<R>? = nil,
    examples: [String] = [],
    recorded form: RecordedForm = RecordedForm(),
    _ change: @escaping @Sendable (inout R, borrowing Turn) throws -> Void
  ) -> Self {
    verb(
      name,
      summary,
      { _ in confirmation },
      as: type,
      for: offered(),
      examples: examples,
      recorded: form
    ) { record, _, turn in
      try change(&record, turn)
    }
  }

  /// Adds a word of the domain's own, whose confirmation depends on the record.
  ///
  /// - Parameters:
  ///   - name: The name of the command.
  ///   - summary: What it does, in a sentence.
  ///   - confirmation: Returns what a person is told of a record after the change, before the number and the title.
  ///   - type: What names the verb in the type of its request, `RequestVerb<Chore, Done>`; nil where no code sends it.
  ///   - offered: The records that it is for: completion offers these, and a range is these alone. Nil for all.
  ///   - isWhole: Whether the name of the command has no suffix, whatever those of the other commands have.
  ///   - topic: Its place on the first page of help; nil for that of all commands which write.
  ///   - examples: Lines that show how it is used.
  ///   - form: Its name and its version in recordings, where it is not that of the verb.
  ///   - change: Changes the current version of a record, given the one that the caller had seen; called again where it
  ///     was changed meanwhile.
  /// - Returns: The commands with this one.
  public consuming func verb(
    _ name: String,
    _ summary: String,
    _ confirmation: @escaping @Sendable (R) -> String,
    as type: (any VerbName.Type)? = nil,
    for offered: @autoclosure @escaping @Sendable () -> Condition<R>? = nil,
    isWhole: Bool = false,
    topic: HelpTopic? = nil,
    examples: [String] = [],
    recorded form: RecordedForm = RecordedForm(),
    _ change: @escaping @Sendable (inout R, _ seen: R, borrowing Turn) throws -> Void
  ) -> Self {
    var copy = self
    copy.verbs.append(
      RecordVerb(
        name: name,
        isWhole: isWhole,
        type: type ?? copy.nextVerb,
        summary: summary,
        confirmation: confirmation,
        offered: offered,
        topic: topic,
        examples: examples,
        form: form,
        change: change
      )
    )
    return copy
  }

  /// Adds a command of a plugin's own, such as a list; its name ends with ``suffix``.
  public consuming func command(_ type: any Command.Type) -> Self {
    var copy = self
    copy.others.append(type)
    return copy
  }

  /// Removes commands that would follow from the declaration.
  public consuming func without(_ commands: Derived...) -> Self {
    var copy = self
    for command in commands { copy.replaced[command] = .some(nil) }
    return copy
  }

  /// Puts a command of one's own in the place of one that would follow from the declaration.
  public consuming func replacing(_ command: Derived, with other: any Command.Type) -> Self {
    var copy = self
    copy.replaced[command] = other
    return copy
  }

  /// Sets what `list` and `count` leave out for a person who asks for nothing else, such as what is done.
  public consuming func hides(
    _ condition: @autoclosure @escaping @Sendable () -> Condition<R>
  ) -> Self {
    var copy = self
    copy.hidden = condition
    return copy
  }

  /// Adds what `list`, `count` and the filters of commands leave out by the time, unless the filter speaks of it, such as what is to
  /// be seen later.
  public consuming func hides(
    _ condition: @escaping @Sendable (borrowing Turn) -> Condition<R>
  ) -> Self {
    var copy = self
    let before = copy.hiddenNow
    copy.hiddenNow = { turn in
      // Not by '+': in generic code the runtime would search the conformances of arrays.
      var all = before?(turn) ?? []
      all.append(condition(turn))
      return all
    }
    return copy
  }

  /// Adds a condition by which `list` and `count` can be asked: `--done`.
  ///
  /// - Parameters:
  ///   - name: The name of the parameter; its flag is that with hyphens.
  ///   - summary: What is found, in a few words.
  ///   - condition: What records meet.
  /// - Returns: The commands with this condition.
  public consuming func condition(
    _ name: String,
    _ summary: String,
    _ condition: @autoclosure @escaping @Sendable () -> Condition<R>
  ) -> Self {
    var copy = self.condition(name, summary) { _ in condition() }
    copy.conditions[copy.conditions.count - 1].fixed = condition
    return copy
  }

  /// Adds a condition that depends on the time: `--overdue`.
  ///
  /// - Parameters:
  ///   - name: The name of the parameter; its flag is that with hyphens.
  ///   - summary: What is found, in a few words.
  ///   - hasFlag: Whether it is an option, too; a filter asks for it in any case, by `is:overdue`.
  ///   - condition: Returns what records meet at the time of a turn.
  /// - Returns: The commands with this condition.
  public consuming func condition(
    _ name: String,
    _ summary: String,
    hasFlag: Bool = true,
    _ condition: @escaping @Sendable (borrowing Turn) -> Condition<R>
  ) -> Self {
    var copy = self
    copy.conditions.append(
      NamedCondition(name: name, summary: summary, since: nil, hasFlag: hasFlag, meaning: condition)
    )
    return copy
  }

  /// Adds the question what happened on a day or later, by the field that has its time: `--done-since mon`.
  ///
  /// A day that is said without its week or its year is the last one.
  ///
  /// - Parameters:
  ///   - name: The name of the parameter; its flag is that with hyphens.
  ///   - path: The field.
  ///   - summary: What is found, in a few words.
  /// - Returns: The commands with this question.
  @inlinable
  @inline(__always)
  public consuming func since(
    _ name: String,
    _ path: KeyPath<R, Instant?>,
    _ summary: String
  ) -> Self { since(name, offset: MemoryLayout<R>.offset(of: path), summary) }

  /// Adds the question what was done on a day or later, by the field with the time of it.
  package consuming func since(
    _ name: String,
    _ field: RoleField<R, any CompletionValue>,
    _ summary: String
  ) -> Self { since(name, offset: field.field.offset, summary) }

  @usableFromInline
  consuming func since(_ name: String, offset: Int?, _ summary: String) -> Self {
    guard let index = offset.flatMap({ R._table.index(at: $0) }) else {
      preconditionFailure("'\(name)' is asked of no field of '\(R.kind)'")
    }
    var copy = self
    copy.conditions.append(
      NamedCondition(
        name: name,
        summary: summary,
        since: R._table.fields[index],
        meaning: { _ in .all() }
      )
    )
    return copy
  }

  /// Refuses two parameters of `list` and `count` together, by their names.
  public consuming func exclusive(_ first: String, _ second: String) -> Self {
    var copy = self
    copy.exclusions.append([first, second])
    return copy
  }

  /// Adds an order of `list --sort`, before those of the fields; one with the name of a field replaces that.
  ///
  /// - Parameters:
  ///   - name: Its name; with `-` before it, it is reversed.
  ///   - summary: What comes first, in a few words.
  ///   - sort: Returns the query with this order.
  /// - Returns: The commands with this order.
  public consuming func order(
    _ name: String,
    _ summary: String,
    _ sort: @escaping @Sendable (Query<R>, _ isReversed: Bool) -> Query<R>
  ) -> Self {
    var copy = self
    copy.orders.append(NamedOrder(name: name, summary: summary, sort: sort))
    return copy
  }

  /// Sets the order of a list; by default it is that of the numbers.
  public consuming func ordered(_ order: @escaping @Sendable (Query<R>) -> Query<R>) -> Self {
    var copy = self
    copy.order = order
    return copy
  }

  /// Sets the order of a list, which depends on what is asked for: by the name of one of the orders.
  public consuming func ordered(
    by name: @escaping @Sendable (RecordFilter<R>) -> String
  ) -> Self {
    var copy = self
    copy.namedOrder = name
    return copy
  }

  /// Draws what is over faint, and a box before each title, checked for that: `[x]`.
  ///
  /// - Parameters:
  ///   - hasBox: Whether there is a box: not where a column says the same.
  ///   - isMarked: Whether a record is over.
  /// - Returns: The commands with these marks.
  public consuming func marks(
    hasBox: Bool = true,
    _ isMarked: @escaping @Sendable (R) -> Bool
  ) -> Self {
    var copy = self
    (copy.mark, copy.hasBox) = (isMarked, hasBox)
    return copy
  }

  /// Completes and checks a record that `add` or `edit` makes, such as by the time of its creation.
  ///
  /// - Parameter prepare: Gets the record with its fields, and the record before the edit: nil where it is new. A throw
  ///   becomes the failure of the reply.
  /// - Returns: The commands with this preparation.
  public consuming func preparing(
    _ prepare: @escaping @Sendable (inout R, _ before: R?, borrowing Turn) throws -> Void
  ) -> Self {
    var copy = self
    let before = copy.prepare
    copy.prepare = { record, known, turn in
      try before(&record, known, turn)
      try prepare(&record, known, turn)
    }
    return copy
  }

  /// Checks what can be known of the edits of `edit` before a record is read.
  ///
  /// A throw becomes the failure of the reply.
  public consuming func checking(
    _ check: @escaping @Sendable (RecordEdits<R>, borrowing Turn) throws -> Void
  ) -> Self {
    var copy = self
    copy.checkEdits = check
    return copy
  }

  /// Draws what follows the title in a line, instead of the columns.
  public consuming func drawing(
    _ draw: @escaping @Sendable (RecordView<R>, LineNeeds, inout Page) -> Void
  ) -> Self {
    var copy = self
    copy.draw = draw
    return copy
  }

  /// Draws something after the title in a line, before the columns, such as a star.
  ///
  /// - Parameter draw: Writes it, with two blanks before it; it is called twice for a line where the page has a width.
  /// - Returns: The commands with this column.
  public consuming func column(
    _ draw: @escaping @Sendable (RecordView<R>, LineNeeds, inout Page) -> Void
  ) -> Self {
    var copy = self
    let before = copy.column
    copy.column = { view, needs, page in
      before?(view, needs, &page)
      draw(view, needs, &page)
    }
    return copy
  }

  /// Adds what is done once on each stream on which the commands are answered: to answer requests of a plugin's own, or to add what belongs
  /// to each write of a record, by `EventStream.onWrite(of:_:)`.
  public consuming func joining(_ join: @escaping @Sendable (EventStream) -> Void) -> Self {
    var copy = self
    let before = copy.join
    copy.join = { stream in
      before?(stream)
      join(stream)
    }
    return copy
  }

  /// Whether the names of its commands end with that of the kind, as it is one among several.
  public var hasSuffix: Bool { !suffix.isEmpty }

  /// Does on a stream what plugins do there, unless that is done.
  ///
  /// The server of a catalogue that has the commands calls it.
  public func join(on stream: EventStream) {
    guard let join, AnsweredCommands.of(stream).insert(R.self) else { return }
    join(stream)
  }

  /// Adds a status for prompts, and states for programs that watch.
  public consuming func telling(_ wire: @autoclosure @escaping @Sendable () -> Wire) -> Self {
    var copy = self
    let before = copy.wire
    copy.wire = { before.map { $0() + wire() } ?? wire() }
    return copy
  }

  /// Sets how failures of the store are worded for a person.
  public consuming func wording(_ worded: @escaping @Sendable (Failure) -> Failure) -> Self {
    var copy = self
    copy.worded = worded
    return copy
  }

  /// Adds a field with two values, between which `toggle` changes in a detail; those that are true or false follow it.
  ///
  /// - Parameters:
  ///   - name: Its name, as a person types it.
  ///   - title: Returns the title of the action that changes it: `Reopen`.
  ///   - change: Sets it to its other value, given the stored record.
  /// - Returns: The commands with this field.
  public consuming func toggle(
    _ name: String,
    _ title: @escaping @Sendable (R) -> String,
    _ change: @escaping @Sendable (inout R, _ original: R, borrowing Turn) throws -> Void
  ) -> Self {
    var copy = self
    copy.toggles.append(RecordToggle(name: name, title: title, change: change))
    return copy
  }

  /// Writes more of an open record than its fields, at a time, such as its age.
  public consuming func describing(
    _ describe: @escaping @Sendable (RecordDetail<R>, Instant, inout Page) -> Void
  ) -> Self {
    var copy = self
    copy.describe = describe
    return copy
  }

  /// Gives a filter a name: `list @today` asks by it, and so does `today` alone where no command has that name.
  ///
  /// For todos `.view("today", "is:open due:..today")` finds what is to be done today. A user's configuration can give the same name another meaning.
  ///
  /// - Parameters:
  ///   - name: The name: small letters, digits and hyphens.
  ///   - filter: The filter, in one text.
  /// - Returns: The commands with this view.
  public consuming func view(_ name: String, _ filter: String) -> Self {
    precondition(name.isViewName, "a view can't be named '\(name)'")
    var copy = self
    copy.views.append(NamedFilter(name, filter))
    return copy
  }

  /// Adds lines that show how a command is used.
  public consuming func examples(_ command: Derived, _ lines: String...) -> Self {
    var copy = self
    copy.examples[command, default: []] += lines
    return copy
  }

  /// Sets what a command does, in a sentence of the domain's own.
  public consuming func summary(_ command: Derived, _ summary: String) -> Self {
    var copy = self
    copy.summaries[command] = summary
    return copy
  }

  /// Sets the name and the version of a request in recordings, where recordings have it by others than those that
  /// follow from the record.
  public consuming func recorded(_ command: Derived, as form: RecordedForm) -> Self {
    var copy = self
    copy.forms[command] = form
    return copy
  }

  /// Sets the name and the version of the check before many records are deleted, likewise.
  public consuming func recordedCheck(as form: RecordedForm) -> Self {
    var copy = self
    copy.checkForm = form
    return copy
  }

  /// Sets the name of an event that has another one by its record: `ResponseNote`.
  public consuming func renaming(_ name: String, to other: String) -> Self {
    var copy = self
    copy.names[name] = other
    return copy
  }

  /// Sets the fields after the title in a line; by default those with a summary, except for other searched texts.
  public consuming func columns(
    _ paths: @autoclosure @escaping @Sendable () -> [PartialKeyPath<R>]
  ) -> Self {
    var copy = self
    copy.columns = paths
    return copy
  }
}

/// A command that follows from the declaration of a record.
///
/// It is outside of the generic type, so that all kinds share the types of the dictionaries by it.
public enum DerivedCommand: String, Sendable {
  /// Adds a record: `RequestAdd`.
  case add
  /// Lists records: `RequestList`.
  case list
  /// Shows records, with all their fields: `RequestShow`.
  case show
  /// Changes fields: `RequestEdit`.
  case edit
  /// Deletes records: `RequestDelete`.
  case delete
  /// Restores deleted records, where they are only marked: `RequestRestore`.
  case restore
  /// Counts records: `RequestCount`.
  case count
  /// Lists the names in each set and each indexed text: `RequestNames`.
  case names
  /// Opens a new record: `RequestNew`.
  case new
  /// Edits the open record: `RequestSet`.
  case set
  /// Sets a field of the open record to its other value: `RequestToggle`.
  case toggle
  /// Shows the open record: `RequestShowOpen`.
  case showOpen
  /// Stores the edits of the open record: `RequestSave`.
  case save
  /// Discards the edits of the open record: `RequestCancel`.
  case cancel
  /// Shows the open list: `RequestRows`.
  case rows

  /// Those that need no screen, in the order of help.
  static var alone: [DerivedCommand] { [.add, .list, .show, .edit, .delete, .restore, .count] }
}

extension Catalogue {
  /// Adds the commands that follow from the declaration of a record, and the words that stand for its views.
  ///
  /// - Parameters:
  ///   - record: The kind of the record.
  ///   - others: Commands of the domain's own in the same group.
  public mutating func add<R: CommandRecord>(
    _ record: R.Type,
    and others: [any Command.Type] = []
  ) {
    add(R.kind, R.commands.types + others)
    add(shorthands: { R.shorthands })
    let commands = R.commands
    if let wire = commands.wire { add(wire: wire()) }
    add(page: FilterHelp.topic) { FilterHelp(R.self).show(on: &$0) }
    if commands.join != nil { add(joining: { R.commands.join(on: $0) }) }
    #if DEBUG
      let problems = R._table.repeatedRoles + commands.problems + commands.clashes
      for problem in problems { refuse(problem) }
    #endif
  }
}

/// A word of a domain's own on a record.
struct RecordVerb<R: CommandRecord>: Sendable {
  let name: String
  /// Whether the name of its command has no suffix.
  let isWhole: Bool
  let type: any VerbName.Type
  let summary: String
  let confirmation: @Sendable (R) -> String
  let offered: @Sendable () -> Condition<R>?
  let topic: HelpTopic?
  let examples: [String]
  let form: RecordedForm
  let change: @Sendable (inout R, _ seen: R, borrowing Turn) throws -> Void
}

/// The mark of deleted records: a field that is true.
struct Deletion<R: Record>: Sendable {
  let offset: Int
  let name: String
  var present: Condition<R> { Condition(stored: .anyOf(name, [.integer(0)])) }
  var deleted: Condition<R> { Condition(stored: .anyOf(name, [.integer(1)])) }

  /// Nil where the record declares none.
  init?() {
    guard let field = R._table.deletionField else { return nil }
    (offset, name) = (field.offset, "\(field.name)")
  }

}
