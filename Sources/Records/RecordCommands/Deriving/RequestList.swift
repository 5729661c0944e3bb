public import EventCommands
public import EventMVVM
public import EventRecords
public import EventValues
public import JSONText

/// Lists records whose commands follow from their declaration.
public struct RequestList<R: CommandRecord>: RecordList, AskingRequest, PastAsking {
  /// The kind of its records.
  public typealias Kind = R
  /// The list.
  public typealias View = ListedRecords<R>
  /// The name of the request: `RequestNoteList`.
  public static var name: String { form.name ?? "Request\(R.typeName)List" }
  static var form: RecordedForm { R.commands.form(of: .list) }
  /// The name of the command.
  public static var verb: String { R.commands.name(of: .list) }

  /// What is asked for.
  public var filter = RecordFilter<R>()
  /// The order; unless given, that of the declaration.
  public var sort: RecordSort<R>?
  /// The most records.
  public var limit: Count?
  /// The fields that it shows of each record; unless given, those of the declaration, and in JSON all.
  public var fields: ShownFields<R>?
  /// The field by whose values it is divided.
  public var group: Grouping<R>?
  /// When the records were as they are listed; nil for now.
  public var asOf: AsOf?
  /// Whether it goes on with each change, and from where; nil if it ends with its rows.
  public var following: ListFollowing?
  /// The part of the list that is read at once.
  public var extent = ListExtent<R>.all

  /// Creates a request for what is neither hidden nor deleted.
  public init() {}

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .list, "Lists \(R.several), or those that are asked for.") {
      $0.asking()
        .listing(
          PropertyAccess("sort", \.sort) { request, body throws(ValueError) in
            try body(&request.sort)
          },
          .option,
          "The order; '-' before it reverses",
          flag: "--sort"
        )
        .listing(
          PropertyAccess("limit", \.limit) { request, body throws(ValueError) in
            try body(&request.limit)
          },
          .option,
          "How many at most",
          flag: "--limit"
        )
        .listing(
          PropertyAccess("fields", \.fields) { request, body throws(ValueError) in
            try body(&request.fields)
          },
          .option,
          "The fields to show, with commas between them",
          flag: "--fields"
        )
        .grouping()
        .past()
        .explaining(asked)
        .following()
        .unlisted(\.extent)
    }
  }

  /// Answers the command on a stream.
  public static func answer(on stream: EventStream) {
    RequestFilterCandidates<R>.answer(on: stream)
    answer(on: stream) { request, turn in
      if let following = request.following {
        guard following.isOn else {
          throw Failure(.usage, "'--from' goes with '--follow'.", field: "from")
        }
        return try FollowedList.begin(request, from: following.start, turn)
      }
      guard request.filter.explains else { return try request.answer(turn) }
      let query = try request.query(turn)
      let reading = try request.filter.reading(turn)
      turn.request(RequestRecordPlan(query)) { result, turn in
        let plan = result.mapError { Failure($0) }.flatMap { $0.result }
        turn.send(Reply(plan.map { ListedRecords(explaining: reading + [$0]) }))
      }
    }
  }

  /// The field with names that it asks for; nil if it asks for none.
  public var suggestedField: String? {
    asOf == nil ? filter.askedNames.map { "\($0.name)" } : nil
  }

  /// Whether it goes on.
  public var follows: Bool { following?.isOn ?? false }

  /// Returns when the records were as they are listed.
  public func moment(_ turn: borrowing Turn) throws -> PastMoment? { try asOf?.moment(turn) }

  /// Returns the query.
  public func query(_ turn: borrowing Turn) throws -> Query<R> {
    let found = try filter.query(turn)
    let query = try group?.sort(found) ?? found
    let sorted = try (sort ?? filter.order)?.sort(query) ?? R.commands.order(query)
    return limit.map { sorted.first($0.number) } ?? sorted
  }

  /// Returns the rows; where there are none, whether some were left out.
  public func result(_ records: [Kept<R>], _ turn: borrowing Turn) throws -> ListedRecords<R> {
    var rows = ListedRecords<R>(records, turn, isList: true)
    rows.fields = fields?.names ?? []
    rows.group = group?.name
    if records.isEmpty { rows.isHiding = try filter.resolved(turn).hides }
    return rows
  }

  /// Returns no rows, with the names in the set that it asks for.
  public func result(
    suggesting values: [String],
    _ turn: borrowing Turn
  ) throws -> ListedRecords<R> {
    var rows = try result([], turn)
    rows.names = values
    return rows
  }

  /// Writes the rows, or that there is none.
  public func show(_ rows: ListedRecords<R>, on page: inout Page) {
    guard rows.explanation.isEmpty else { return rows.showExplanation(on: &page) }
    asOf?.show(on: &page)
    // What is read by a program stays empty where nothing was found.
    guard rows.records.isEmpty, page.width != nil, limit?.number != 0 else {
      return rows.show(on: &page, asked: filter.askedConditions)
    }
    let typed = filter.typed
    guard !filter.isBare, typed != ["--all"] else { return showNothing(on: &page) }
    page.write("No \(R.kind) matches ")
    page.write(user: typed.joinedAsFilter)
    if !rows.names.isEmpty {
      let field = filter.askedNames
      page.write(
        field.map { $0.isList ? "; \($0.nameOnPage) are " : "; '\($0.name)' can be " } ?? "; "
      )
      page.write(user: rows.names.prefix(Self.mostSuggestions).joined(separator: ", "))
      if rows.names.count > Self.mostSuggestions { page.write(", …") }
    }
    page.write(".")
    page.endLine()
    for word in filter.terms where word.isNumber && word.utf8.count <= 7 {
      page.write("id:\(word) is the \(R.kind) with that number.", .secondary)
      page.endLine()
    }
    for word in filter.terms where R.filterVocabulary.view(word) != nil {
      page.write("@\(word) is the view of that name.", .secondary)
      page.endLine()
    }
    if filter.terms.contains(where: \.looksLikeFilter) {
      page.write("A filter in one text is given by --where.", .secondary)
      page.endLine()
    }
    guard rows.isHiding else { return }
    page.write("With --all, what a list leaves out is looked at, too.", .secondary)
    page.endLine()
  }

  /// Writes that there is no record, and the next step.
  private func showNothing(on page: inout Page) {
    let commands = R.commands
    var steps: [String] = []
    if asOf == nil, let add = commands.verb(of: .add), let title = R.titleField {
      steps.append("'\(add) \("\(title.name)".uppercased())' makes one")
    }
    if !filter.all, commands.hidden != nil || commands.deletion != nil {
      steps.append("'\(Self.verb) --all' shows all")
    }
    let isHiding = filter.hides && commands.hidden != nil
    let (one, none) =
      asOf == nil ? ("is left", "There are no") : ("was left", "There were no")
    page.write(isHiding ? "No \(R.kind) \(one)" : "\(none) \(R.several)")
    page.write(steps.isEmpty ? "." : "; " + steps.joined(separator: ", ") + ".")
    page.endLine()
  }
}

extension CommandSpec {
  /// Lists the field by whose values a list is divided, if there is one to choose.
  fileprivate consuming func grouping<R>() -> Self where Root == RequestList<R> {
    guard !Grouping<R>.fields.isEmpty else { return unlisted(\.group) }
    return listing(
      PropertyAccess("group", \.group) { request, body throws(ValueError) in
        try body(&request.group)
      },
      .option,
      "Divided by the values of this field, times by the day",
      flag: "--group"
    )
  }
}

/// How a list goes on.
public struct ListFollowing: Sendable, Equatable, Codable {
  /// Whether it does.
  public var isOn = false
  /// The revision after which it goes on; nil to begin with all rows.
  public var start: Int?

  /// Creates one that does not.
  public init() {}

  /// Changes one that there may not be yet.
  fileprivate static func change(
    _ following: inout ListFollowing?,
    _ body: (inout ListFollowing) -> Void
  ) {
    var changed = following ?? ListFollowing()
    body(&changed)
    following = changed
  }
}

extension CommandSpec {
  /// Lists whether a list goes on.
  fileprivate consuming func following<R>() -> Self where Root == RequestList<R> {
    listing { lines in
      let property = PropertyAccess("following", \RequestList<R>.following) {
        request,
        body throws(ValueError) in try body(&request.following)
      }
      lines.append(
        CommandField(
          "follow",
          of: property,
          .option,
          "Goes on with each change, as lines of JSON, until it is ended",
          Bool.self,
          takeWord: { following, _ throws(ValueError) in
            ListFollowing.change(&following) { $0.isOn = true }
          },
          takeJSON: { following, json, _ throws(ValueError) in
            var isOn = false
            try isOn.take(json: json)
            guard isOn || following != nil else { return }
            ListFollowing.change(&following) { $0.isOn = isOn }
          }
        )
      )
      lines.append(
        CommandField(
          "from",
          of: property,
          .option,
          "With --follow: goes on after this change",
          Count?.self,
          takeWord: { following, word throws(ValueError) in
            let count = try Count(word: word)
            ListFollowing.change(&following) { $0.start = count.number }
          },
          takeJSON: { following, json, _ throws(ValueError) in
            guard json != .null else {
              following?.start = nil
              return
            }
            let count = try Count(json: json)
            ListFollowing.change(&following) { $0.start = count.number }
          }
        )
      )
    }
    .exclusive(named: {
      [["follow", "asOf"], ["follow", "explain"], ["follow", "group"], ["explain", "asOf"]]
    })
  }
}

/// A derived request that asks for records.
protocol AskingRequest: DerivedRequest, Sendable {
  /// The kind of the records.
  associatedtype Kind: CommandRecord
  /// What is asked for.
  var filter: RecordFilter<Kind> { get set }
}

extension AskingRequest {
  /// The property with what is asked for.
  fileprivate static var asked: PropertyAccess<Self, RecordFilter<Kind>> {
    PropertyAccess("filter", \.filter) { request, body throws(ValueError) in
      try body(&request.filter)
    }
  }
}

extension AskingRequest {
  /// Returns the request for what a context finds, unless all is asked for.
  package func within(_ context: CommandContext) throws(ValueError) -> Self {
    guard context.kind.isIdentical(to: Kind.kind), filter.hides else { return self }
    var copy = self
    try copy.filter.take(text: context.filter)
    return copy
  }
}

extension RequestList: ContextualCommand {}
extension RequestCount: ContextualCommand {}

extension CommandSpec where Root: AskingRequest {
  /// Lists what can be asked for; a person does not see what the declaration hides, unless asking for that.
  fileprivate consuming func asking() -> Self {
    filter(Root.asked)
      .typed { request throws(ValueError) in
        request.filter.hides = !request.filter.all && !request.filter.deleted
        try request.filter.checkEnd()
      }
  }
}

/// Counts records whose commands follow from their declaration.
public struct RequestCount<R: CommandRecord>: RecordCommand, AskingRequest, PastAsking {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordCount<R>>
  /// The name of the request: `RequestNoteCount`.
  public static var name: String { form.name ?? "Request\(R.typeName)Count" }
  static var form: RecordedForm { R.commands.form(of: .count) }
  /// The name of the command.
  public static var verb: String { R.commands.name(of: .count) }
  /// It only reads.
  public static var writes: Bool { false }

  /// What is asked for.
  public var filter = RecordFilter<R>()
  /// When the records were as they are counted; nil for now.
  public var asOf: AsOf?

  /// Creates a request for the number of records that are neither hidden nor deleted.
  public init() {}

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .count, "Counts \(R.several), or those that are asked for.") {
      $0.asking().past()
    }
  }

  /// Answers the command on a stream.
  public static func answer(on stream: EventStream) {
    answer(on: stream) { request, turn in
      let counts = RequestRecordCounts(of: try request.filter.query(turn))
      turn.request(counts.asOf(try request.asOf?.moment(turn))) { result, turn in
        let counts = result.mapError { Failure($0) }.flatMap { $0.result }
        turn.send(Reply(counts.map { RecordCount(number: $0[0]) }))
      }
    }
  }

  /// Writes the number; at a terminal, of when it is.
  public func show(_ count: RecordCount<R>, on page: inout Page) {
    asOf?.show(on: &page)
    count.show(on: &page)
  }
}

/// How many records there are.
public struct RecordCount<R: Record>: CommandResult {
  /// The name of its response: `ResponseNoteCount`.
  public static var responseName: String? { "Response\(R.typeName)Count" }
  /// The number.
  public let number: Int

  /// Writes the number with the name of the records: `3 notes`.
  public func show(on page: inout Page) {
    page.write("\(number) \(number == 1 ? R.kind : R.several)")
    page.endLine()
  }

  /// Writes an object with the number: `{"count":3}`.
  public func write(to json: inout JSONWriter) { json.object { $0.member("count", number) } }
}

extension String {
  /// Whether it is several words of which some are more than a text.
  fileprivate var looksLikeFilter: Bool {
    guard utf8.contains(where: \.isBlank) else { return false }
    let words = utf8.split(whereSeparator: \.isBlank)
    return words.contains { word in
      ["or", "and", "not"].contains(String(Substring(word))) || "+-(".utf8.contains(word.first ?? 0)
    }
  }
}
