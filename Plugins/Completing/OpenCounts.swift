public import EventCommands
import EventMVVM
import EventRecords
public import RecordCommands
public import JSONText

// How many records of a kind are open and overdue, for a prompt and for programs.

/// Requests how many records are open and overdue, for a prompt: `12 open, 3 overdue`.
public struct RequestOpenStatus<R: CommandRecord>: StatusRequest, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseStatus
  /// The name of the request: `RequestNoteStatus`.
  public static var name: String { "Request\(R.typeName)Status" }
  /// It only reads.
  public static var writes: Bool { false }

  /// Creates the request.
  public init() {}
}

/// Requests how many records are open and overdue, for watching programs.
public struct RequestOpenCounts<R: CommandRecord>: WatchedState, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseView<OpenCounts<R>>
  /// The name of the request: `RequestNoteCounts`.
  public static var name: String { "Request\(R.typeName)Counts" }
  /// Its name for programs: `note/counts`.
  public static var stateName: String { "\(R.kind)/counts" }
  /// Its description, in a line.
  public static var summary: String {
    "How many \(R.several) are open, and how many of them overdue."
  }
  /// It only reads.
  public static var writes: Bool { false }

  /// Creates the request.
  public init() {}
}

/// How many records are open and overdue.
public struct OpenCounts<R: CommandRecord>: CommandResult {
  /// The name of its response: `ResponseNoteCounts`.
  public static var responseName: String? { "Response\(R.typeName)Counts" }
  /// Those that are neither done nor deleted.
  public let open: Int
  /// Open ones that were due before today.
  public let overdue: Int

  /// Writes it for a person.
  public func show(on page: inout Page) {
    page.write("\(open) open, \(overdue) overdue")
    page.endLine()
  }

  /// Writes it as one JSON value.
  public func write(to json: inout JSONWriter) {
    json.object {
      $0.member("open", open)
      $0.member("overdue", overdue)
    }
  }
}

extension StatusText {
  /// Creates the text `12 open, 3 overdue`.
  ///
  /// - Parameters:
  ///   - open: How many are open.
  ///   - overdue: How many of them are overdue.
  ///   - kind: Returns what a number of them is called, where it is shown with others; nil where it is alone.
  package init(open: Int, overdue: Int, of kind: ((Int) -> String)? = nil) {
    if open == 0, kind != nil {
      self.init([])
      return
    }
    let more = overdue > 0 ? [Piece(", "), Piece("\(overdue) overdue", .urgent)] : []
    let number = kind.map { " " + $0(open) } ?? ""
    self.init([Piece("\(open)\(number) open", .secondary)] + more)
  }
}

extension Completing {
  /// Answers the questions how many there are.
  static func answerCounts<R: CommandRecord>(of kind: R.Type, on stream: EventStream) {
    answer(RequestOpenStatus<R>.self, stream) {
      StatusText(
        open: $0,
        overdue: $1,
        of: R.commands.hasSuffix ? { $0 == 1 ? R.kind : R.several } : nil
      )
    }
    answer(RequestOpenCounts<R>.self, stream) { OpenCounts<R>(open: $0, overdue: $1) }

    func answer<Q: Request>(
      _ type: Q.Type,
      _ stream: EventStream,
      _ reply: @escaping (_ open: Int, _ overdue: Int) -> Q.Reply.Value
    ) where Q.Reply.Problem == Failure {
      stream.declareAnswerer(of: type)
      stream.on(type) { _, turn in
        let (open, overdue) = R.openAndOverdue(turn)
        turn.request(RequestRecordCounts<R>([open, overdue])) { result, turn in
          let counts = result.mapError { Failure($0) }.flatMap { $0.result }
          turn.send(Q.Reply(counts.map { reply($0[0], $0[1]) }))
        }
      }
    }
  }
}
