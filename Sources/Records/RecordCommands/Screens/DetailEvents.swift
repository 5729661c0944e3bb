import EventPatterns
public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues
public import JSONText

/// Requests the detail of a new record, which is not stored yet (S23).
public struct RequestNew<R: CommandRecord>: RecordCommand, DerivedRequest {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordDetails<R>>
  /// The name of the request: `RequestNewNote`.
  public static var name: String { form.name ?? "RequestNew\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .new) }
  /// The name of the command.
  public static var verb: String { R.commands.name(of: .new) }
  /// It only reads.
  public static var writes: Bool { false }

  /// Its title, which may be given later.
  public var title = ""
  /// What else it has; nil for nothing.
  public var changes: RecordEdits<R>?

  /// Creates the request.
  public init() {}

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .new, "Opens the detail of a new \(R.kind).") { spec in
      let spec = spec.topic(.screens)
      guard let title = R.titleField else {
        return spec.unlisted(\.title).unlisted(\.changes)
      }
      return
        spec.listing { lines in
          let line = CommandField<Self>(
            nil,
            of: PropertyAccess("title", \.title) { request, body throws(ValueError) in
              try body(&request.title)
            },
            .text,
            "Its \(title.name); it can be given later",
            String.self,
            takeWord: { value, word throws(ValueError) in try value.take(word: word) },
            takeJSON: { value, json, _ throws(ValueError) in try value.take(json: json) }
          )
          lines.append(
            line.takingTitle(of: R.self) { request, text throws(ValueError) in
              var edits = RecordEdits<R>()
              request.title = try edits.take(text, title: title) ?? ""
              if !edits.isEmpty { request.changes = edits }
            }
          )
        }
        .unlisted(\.changes)
    }
  }

  /// Answers the command, and stores what is edited, on a stream.
  public static func answer(on stream: EventStream) {
    RequestUpdateDetail<R>.answer(on: stream)
    answer(on: stream) { request, turn in
      var record = R()
      let title = request.title.withoutBlanksAround
      let field = R.titleField
      // Any title will do: it can be given later.
      if let field { record.setTitle(title.isEmpty ? R.kind : title, field) }
      do {
        try record.prepare(before: nil, turn)
      } catch let failure as Failure {
        // What else is missing is told when it is saved.
        if let field, failure.field == "\(field.name)" { throw failure }
      }
      if let field { record.setTitle("", field) }
      var detail = RecordDetail(Kept(0, record, revision: 0), turn)
      if let field { detail.draft.setTitle(title, field) }
      try request.changes?.apply(to: &detail.draft, turn)
      turn.send(Reply(.success(RecordDetails(detail))))
    }
  }
}

/// Requests to store the edits of an editor (S25).
///
/// Its response has three observers (S27): the editor shows a failure in place, the list closes the editor on a success,
/// and the edits are stored.
public struct RequestUpdateDetail<R: CommandRecord>: ViewModelEvent, Request, Encodable {
  /// The response that answers it: the validated detail, or what is invalid.
  public typealias Reply = ResponseView<RecordDetail<R>>
  /// The name of the request: `RequestUpdateNoteDetail`.
  public static var name: String { R.commands.name("RequestUpdate\(R.typeName)Detail") }
  /// Version 2 has the detail of any record.
  public static var version: Int { 2 }

  /// The edited detail.
  public var detail: RecordDetail<R>

  /// Creates the request for an edited detail (S30).
  public init(_ detail: RecordDetail<R>) { self.detail = detail }

  /// The record; nil if it is not stored yet.
  public var subject: String? { detail.subject }

  /// Validates and stores details on a stream, once.
  static func answer(on stream: EventStream) {
    guard AnsweredCommands.of(stream).insert(Self.self) else { return }
    stream.declareAnswerer(of: Self.self)
    stream.on(Self.self) { request, turn in
      var detail = request.detail
      do {
        try detail.prepare(turn)
        detail.shouldSave = true
        turn.send(Reply(.success(detail)))
      } catch {
        turn.send(Reply(.failure(R.commands.worded(Failure(error)))))
      }
    }
    stream.on(successOf: Reply.self) { detail, turn in
      guard detail.shouldSave else { return }
      turn.request(RequestWriteRecords([detail.write])) { result, turn in
        let written = result.mapError { Failure($0) }.flatMap { $0.result }
        turn.send(
          ResponseView(
            written.map { RecordGroup<R>($0, isList: false, turn) }
              .mapError { R.commands.worded($0) }
          )
        )
      }
    }
  }
}

extension RecordDetail {
  /// The write of a new record, or of the fields that were edited (S50, S71).
  fileprivate var write: RecordWrite<R> {
    if isNew { return R._table.identity == nil ? .add(draft) : .upsert(draft) }
    return overwrites
      ? .overwrite(number, draft, seen: original.revision)
      : .put(number, draft, seen: original.revision)
  }
}

/// States that records have changed, in any process, once the change is committed (S26), as views show them.
public struct ResponseChangedViews<R: CommandRecord>: ViewModelEvent, Fact, Encodable {
  /// The name of the event: `ResponseChangedNotes`.
  public static var name: String { R.commands.name("ResponseChanged\(R.severalTypeName)") }
  /// Version 2 has the names of the changed fields, 3 views of all records.
  public static var version: Int { 3 }

  /// A record after a change, and the kind of the change.
  public struct Item: Sendable, Equatable, Encodable {
    /// The record after the change; one that is gone is marked as deleted.
    public let viewModel: RecordView<R>
    /// The kind of the change.
    public let change: ChangeKind
    /// The names of the fields whose values changed.
    public let fields: [String]
    /// Whether it does not exist any more: its addition was undone, or it was removed.
    let isGone: Bool

    /// Creates the item for a change; nil if there is none.
    init?(_ transition: RecordTransition<R>, at time: CivilMinute?) {
      guard transition.isChange, var value = transition.after ?? transition.before else {
        return nil
      }
      let commands = R.commands
      isGone = transition.after == nil
      let was = transition.before.map { !commands.isDeleted($0) } ?? false
      let isNow = !isGone && !commands.isDeleted(value)
      if isGone { value.markDeleted(true) }
      let record = Kept(transition.number, value, revision: transition.revision)
      viewModel = RecordView(record, at: time)
      change = was == isNow ? .changed : isNow ? .added : .removed
      fields = isGone ? commands.deletion.map { [$0.name] } ?? [] : transition.changedFields
    }
  }

  /// The kind of a change, for views (S45).
  public enum ChangeKind: String, Sendable, Encodable {
    /// It was added, restored or redone.
    case added
    /// Its content has changed.
    case changed
    /// It is deleted, or its addition was undone.
    case removed
  }

  /// The records that changed.
  public let items: [Item]
  /// The name of the other process's frontend that changed them; nil for a change of this process.
  public let externalOrigin: String?

  /// Creates the event from changes; unchanged records are left out.
  public init(_ transitions: [RecordTransition<R>], by externalOrigin: String? = nil) {
    self.init(transitions, by: externalOrigin, at: nil)
  }

  private init(
    _ transitions: [RecordTransition<R>],
    by externalOrigin: String?,
    at time: CivilMinute?
  ) {
    items = transitions.compactMap { Item($0, at: time) }
    self.externalOrigin = externalOrigin
  }

  /// The records after the change.
  public var viewModels: [RecordView<R>] { items.map(\.viewModel) }

  /// The records, at most three.
  public var subject: String? {
    RecordSubject.numbers(items.count) { items[$0].viewModel.number }
  }

  /// Tells views of the changes of the models on a stream, once.
  public static func tell(on stream: EventStream) {
    guard AnsweredCommands.of(stream).insert(Self.self) else { return }
    stream.on(ResponseRecordChanges<R>.self) { event, turn in
      let time = RecordView<R>.time(turn)
      turn.send(Self(event.changes, by: event.externalOrigin, at: time))
    }
  }
}

extension ResponseChangedViews: ChangeNotice, WireEvent, Announcement {
  /// The method of its notification: `note/changed`.
  public static var notification: String { "\(R.kind)/changed" }
  /// The numbers of the records.
  public var changedIDs: [Int] { items.map(\.viewModel.number) }
  /// The newest revision among them; 0 where there are none.
  public var revision: Int { items.reduce(0) { max($0, $1.viewModel.revision) } }

  /// Writes the records after the change, each with the kind of the change and the changed fields.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("by", externalOrigin)
      json.key("changes")
      json.array { json in
        for item in items {
          json.object { json in
            json.member("novelty", item.change.rawValue)
            json.key("fields")
            json.array { json in
              for name in item.fields { json.value(name) }
            }
            json.key(JSONName(R.kind))
            item.viewModel.writeItem(to: &json)
          }
        }
      }
    }
  }

  /// Writes a line for each of the first few: whether it was added, removed or changed (S45).
  public func announce(on page: inout Page) {
    page.announce(items, by: externalOrigin) { item, page in
      page.writeMark(was: item.change != .added, is: item.change != .removed)
      item.viewModel.show(on: &page)
    }
  }
}
