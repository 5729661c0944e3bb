public import EventMVVM

/// What belongs to the writes of records of some kinds, on one stream.
final class WriteRules: Sendable {
  /// What belongs to a write of a record.
  struct Rule<R: Record>: Sendable {
    /// Which records it is for; nil for all.
    let isFor: (@Sendable (R) -> Bool)?
    let run: @Sendable (RecordTransition<R>, inout RecordTransaction) throws -> Void

    /// Whether it is for a record as it was, or as it is.
    func isFor(_ change: RecordTransition<R>) -> Bool {
      guard let isFor else { return true }
      return change.before.map(isFor) ?? false || change.after.map(isFor) ?? false
    }
  }

  /// How many writes one may belong to, each to the next.
  static let mostDepth = 16

  /// Boxes, as a function's type is not found again by a cast.
  private final class Rules<R: Record>: Sendable {
    let all: [Rule<R>]
    init(_ all: [Rule<R>]) { self.all = all }
  }

  private let rules = Locked<[ObjectIdentifier: any Sendable]>([:])
  /// What adds rules before the first write: one closure, not an array of them, whose type would be made whenever a process starts.
  private let later = Locked<(@Sendable (EventStream) -> Void)?>(nil)

  /// Returns those of a stream.
  static func of(_ stream: EventStream) -> WriteRules { stream.shared { WriteRules() } }

  /// Returns those of a stream for a write.
  static func writing(on stream: EventStream) -> WriteRules {
    let rules = of(stream)
    rules.later.withLock { $0.take() }?(stream)
    return rules
  }

  fileprivate func addLater(_ add: @escaping @Sendable (EventStream) -> Void) {
    later.withLock { later in
      guard let before = later else { return later = add }
      later = { stream in
        before(stream)
        add(stream)
      }
    }
  }

  /// Returns what belongs to the writes of a kind, in the order of its declaration.
  func of<R: Record>(_ type: R.Type) -> [Rule<R>] {
    let found = rules.withLock { $0.isEmpty ? nil : $0[ObjectIdentifier(type)] }
    return (found as? Rules<R>)?.all ?? []
  }

  /// Whether something may belong to a write: nothing does to an added record that no rule is for.
  func concern<R: Record>(_ writes: [RecordWrite<R>]) -> Bool {
    let rules = of(R.self)
    guard !rules.isEmpty else { return false }
    for write in writes {
      guard case .add(let record) = write else { return true }
      for rule in rules where rule.isFor?(record) ?? true { return true }
    }
    return false
  }

  /// Whether nothing belongs to any write.
  var isEmpty: Bool { rules.withLock { $0.isEmpty } }

  fileprivate func add<R: Record>(_ rule: Rule<R>) {
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
    rules = WriteRules.writing(on: stream)
    names = SessionNames.of(stream).names(of: turn.origin)
    origin = turn.origin
    environment = stream.environment
  }
}

extension EventStream {
  /// Does something before the first write of records on the stream: adds what belongs to writes, by ``onWrite(of:where:_:)``, which a
  /// process that only reads never needs.
  ///
  /// - Parameter add: Called at most once, on the thread of the first write's request.
  public func beforeWrites(_ add: @escaping @Sendable (EventStream) -> Void) {
    WriteRules.of(self).addLater(add)
  }

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
  /// gets each change once, as it was before later rules. It is not called for a record that can't be read. One that is for few records says
  /// for which: then a script that adds others at a distant store does not wait for each.
  ///
  /// - Parameters:
  ///   - type: The kind.
  ///   - isFor: Whether it is for a record, before the change or after it; nil for all.
  ///   - rule: Called with each change of a record, on the thread that uses the store; a throw refuses the
  ///     whole write. It has no effects but those in the store: it can run again for one request.
  public func onWrite<R: Record>(
    of type: R.Type,
    where isFor: (@Sendable (R) -> Bool)? = nil,
    _ rule:
      @escaping @Sendable (
        _ change: RecordTransition<R>, _ store: inout RecordTransaction
      ) throws -> Void
  ) {
    WriteRules.of(self).add(WriteRules.Rule(isFor: isFor, run: rule))
  }
}
