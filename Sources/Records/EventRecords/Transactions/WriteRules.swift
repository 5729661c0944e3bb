public import EventMVVM

/// What belongs to the writes of records of some kinds, on one stream.
final class WriteRules: Sendable {
  /// What belongs to a write of a record.
  typealias Rule<R: Record> =
    @Sendable (RecordTransition<R>, inout RecordTransaction) throws -> Void

  /// How many writes one may belong to, each to the next.
  static let mostDepth = 16

  /// Boxes, as a function's type is not found again by a cast.
  private final class Rules<R: Record>: Sendable {
    let all: [Rule<R>]
    init(_ all: [Rule<R>]) { self.all = all }
  }

  private let rules = Locked<[ObjectIdentifier: any Sendable]>([:])

  /// Returns those of a stream.
  static func of(_ stream: EventStream) -> WriteRules { stream.shared { WriteRules() } }

  /// Returns what belongs to the writes of a kind, in the order of its declaration.
  func of<R: Record>(_ type: R.Type) -> [Rule<R>] {
    let found = rules.withLock { $0.isEmpty ? nil : $0[ObjectIdentifier(type)] }
    return (found as? Rules<R>)?.all ?? []
  }

  /// Whether nothing belongs to any write.
  var isEmpty: Bool { rules.withLock { $0.isEmpty } }

  fileprivate func add<R: Record>(_ rule: @escaping Rule<R>) {
    rules.withLock { rules in
      let key = ObjectIdentifier(R.self)
      rules[key] = Rules(((rules[key] as? Rules<R>)?.all ?? []) + [rule])
    }
  }
}

/// What a transaction knows about the request that it is for.
struct WriteContext {
  let rules: WriteRules
  /// The names of the session.
  let names: SessionNames.Names
  let origin: Origin
  let environment: Environment
  /// The warnings about unreadable records, to be sent before the reply.
  let warnings = Locked<[ResponseUnreadableRecords]>([])

  init(_ turn: borrowing Turn) {
    let stream = turn.stream
    rules = WriteRules.of(stream)
    names = SessionNames.of(stream).names(of: turn.origin)
    origin = turn.origin
    environment = stream.environment
  }
}

extension EventStream {
  /// Adds what belongs to each write of a record of a kind, whichever command it is for: a counter, a
  /// history, the next one of a series.
  ///
  /// ```swift
  /// stream.onWrite(of: Loan.self) { change, store in
  ///   guard change.before == nil, let loan = change.after else { return }
  ///   try store.change(store.record(loan.copy)) { $0.reservedFor = nil }
  /// }
  /// ```
  ///
  /// It runs in the transaction of the write, right after it, and in the order of declaration: its own
  /// writes are a part of the same command, of the same step of undo, and of the same all or nothing. An
  /// undo reverts them like any other, and so does not run it again; nor do changes that other processes
  /// have made, which ran it there. Writes that it makes can have more that belongs to them, at most 16 deep; a rule
  /// gets each change once, as it was before later rules. It is not called for a record that can't be read.
  ///
  /// - Parameters:
  ///   - type: The kind.
  ///   - rule: Called with each change of a record, on the thread that uses the store; a throw refuses the
  ///     whole write. It has no effects but those in the store: it can run again for one request.
  public func onWrite<R: Record>(
    of type: R.Type,
    _ rule:
      @escaping @Sendable (
        _ change: RecordTransition<R>, _ store: inout RecordTransaction
      ) throws -> Void
  ) {
    WriteRules.of(self).add(rule)
  }
}
