public import EventMVVM
import EventValues
import JSONText

/// The names of records in each frontend session: `@last`, which it added or changed last, and the names
/// that it gave.
///
/// Names from a unit that is rolled back are removed. A stream has one, which the record server uses.
package final class SessionNames: Sendable {
  fileprivate struct Name {
    let kind: String
    let number: Int
  }

  /// What a session means by its names, at one moment.
  struct Names: Sendable {
    /// Of each kind, the last one; in the order in which they were noted.
    fileprivate var last: [Name] = []
    fileprivate var named: [String: Name] = [:]

    /// Returns the reference to the record that the session means.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - kind: The kind of the record; nil for any.
    /// - Returns: The reference itself, unless it is a name of the session.
    /// - Throws: A failure where the session has no such record.
    func resolve(
      _ reference: RecordReference,
      kind: String?
    ) throws(Failure) -> RecordReference {
      switch reference {
      case .last:
        let last = last.last { kind == nil || $0.kind == kind }
        if let last { return .number(last.number) }
        let one = kind.map { "a \($0)" } ?? "anything"
        let problem = "@last: this session has not added or changed \(one) yet."
        throw Failure(.notFound, problem, field: "id")
      case .named(let name):
        let named = named[name]
        if let named, kind == nil || named.kind == kind { return .number(named.number) }
        if let named, let kind {
          let problem = "@\(name.quotable) is the \(named.kind) #\(named.number), not a \(kind)."
          throw Failure(.notFound, problem, field: "id", id: named.number)
        }
        let problem =
          "@\(name.quotable): this session has given no \(kind ?? "record") that name; "
          + "'as @\(name.quotable)' does, at the end of a command that adds one."
        throw Failure(.notFound, problem, field: "id")
      case .number, .identity, .numbers: return reference
      }
    }
  }

  private struct State {
    var sessions: [Origin: Names] = [:]
    var beforeUnit: (origin: Origin, names: Names)?
    var kinds: [String] = []
    /// The sequences of writes that move a record: others may move to make room for it.
    var moves: [UInt64] = []
  }

  /// The most bytes of UTF-8 in a name.
  static let longestName = 256
  private let state = Locked(State())

  /// Whether a character can't be part of a name that is written as a word.
  static func separates(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || Hazard.contains(scalar)
  }

  /// Returns those of a stream.
  package static func of(_ stream: EventStream) -> SessionNames { stream.shared { SessionNames() } }

  // MARK: Noting

  /// Notes what sessions add and change of a kind, once.
  package func observe<R: Record>(_ type: R.Type, on stream: EventStream) {
    let count = state.withLock { state in
      guard !state.kinds.containsText(R.kind) else { return 0 }
      state.kinds.append(R.kind)
      return state.kinds.count
    }
    guard count > 0 else { return }
    stream.on(ResponseWriteRecords<R>.self) { [self] response, turn in
      noteLast(of: response.result, isMove: removeMove(turn.cause), turn.origin)
    }
    if count == 1 { observeSessions(on: stream) }
  }

  private func noteLast<R: Record>(
    of result: Result<[RecordTransition<R>], Failure>,
    isMove: Bool,
    _ origin: Origin
  ) {
    guard case .success(let written) = result else { return }
    let changed = (isMove ? Array(written.prefix(1)) : written).last { $0.isChange }
    if let changed { note(changed.number, kind: R.kind, as: nil, origin) }
  }

  private func observeSessions(on stream: EventStream) {
    stream.on(ResponseTransaction.self) { [self] transaction, turn in
      for item in transaction.items {
        note(item.number, kind: item.kind, as: item.alias, turn.origin)
      }
    }
    stream.on(RequestUnit.self) { [self] _, turn in
      let origin = turn.origin
      state.withLock { $0.beforeUnit = (origin, $0.sessions[origin] ?? Names()) }
    }
    stream.on(ResponseUnit.self) { [self] unit, _ in
      state.withLock { state in
        if unit.outcome == .rolledBack, let before = state.beforeUnit {
          state.sessions[before.origin] = before.names
        }
        state.beforeUnit = nil
      }
    }
    stream.on(ResponseSessionEnd.self) { [self] _, turn in
      let origin = turn.origin
      state.withLock { state in
        state.sessions[origin] = nil
        if state.beforeUnit?.origin == origin { state.beforeUnit = nil }
      }
    }
  }

  /// Notes that a write moves a record.
  func noteMove(_ sequence: UInt64) { state.withLock { $0.moves.append(sequence) } }

  private func removeMove(_ sequence: UInt64?) -> Bool {
    state.withLock { state in
      guard let index = state.moves.firstIndex(where: { $0 == sequence }) else { return false }
      state.moves.remove(at: index)
      return true
    }
  }

  fileprivate func note(_ number: Int, kind: String, as alias: String?, _ origin: Origin) {
    let name = Name(kind: kind, number: number)
    state.withLock { state in
      // In place: a copy of the names for each write would be quadratic.
      state.sessions[origin, default: Names()].last.removeAll { $0.kind.isIdentical(to: kind) }
      state.sessions[origin, default: Names()].last.append(name)
      if let alias { state.sessions[origin, default: Names()].named[alias] = name }
    }
  }

  // MARK: Finding

  /// Checks a name that a command gives to a record; nil is none.
  static func check<R: Record>(_ name: String?, of type: R.Type) throws(Failure) {
    guard let name else { return }
    let subject = "A \(R.kind)'s name"
    guard name.utf8.count <= longestName else {
      let problem =
        "\(subject) has at most \(longestName) bytes of UTF-8; this one has \(name.utf8.count)."
      throw Failure(.validation, problem, field: "alias")
    }
    try name.checkVisible(as: subject, field: "alias")
    guard !name.isEmpty, !name.unicodeScalars.contains(where: separates) else {
      let problem = "\(subject) is not empty, and has no blanks and no control characters."
      throw Failure(.validation, problem, field: "alias")
    }
    guard name.isIdentical(to: "last") else { return }
    throw Failure(
      .validation,
      "@last is what was added or changed last; choose another name.",
      field: "alias"
    )
  }

  /// Returns the present names of a session.
  func names(of origin: Origin) -> Names { state.withLock { $0.sessions[origin] } ?? Names() }
}

extension Turn {
  /// Gives a record a name in the session of this turn, until the session ends: `@name` means it then.
  ///
  /// A command lists such a name by `CommandSpec.alias(_:_:)`: people write `as @name` at its end.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - alias: The name, without `@`; nil gives none.
  public func name<R: Record>(_ record: Kept<R>, as alias: String?) {
    guard let alias else { return }
    SessionNames.of(stream).note(record.number, kind: R.kind, as: alias, origin)
  }

  /// Whether the session of this turn has given a record of a kind a name.
  package func hasName<R: Record>(_ name: String, of type: R.Type) -> Bool {
    let names = SessionNames.of(stream).names(of: origin)
    return (try? names.resolve(.named(name), kind: R.kind)) != nil
  }

  /// Checks a name that a command gives to a record, which it does before it writes; nil is none.
  ///
  /// - Parameters:
  ///   - name: The name, without `@`.
  ///   - type: The kind of the record.
  /// - Throws: A failure where it is no name.
  public func checkName<R: Record>(_ name: String?, of type: R.Type) throws(Failure) {
    try SessionNames.check(name, of: type)
  }

  /// Returns references to records of a kind in which the names of this turn's session are replaced.
  ///
  /// - Throws: A failure where the session has no such record.
  public func resolve<R: Record>(
    _ references: [RecordReference],
    of type: R.Type
  ) throws(Failure) -> [RecordReference] {
    guard references.hasSessionNames else { return references }
    let names = SessionNames.of(stream).names(of: origin)
    var resolved: [RecordReference] = []
    for reference in references {
      resolved.append(try names.resolve(reference, kind: R.kind))
    }
    return resolved
  }
}

extension [RecordReference] {
  /// Whether one of them is a name of the session.
  fileprivate var hasSessionNames: Bool {
    for reference in self where reference.isOfSession { return true }
    return false
  }
}

extension RecordReference {
  /// Whether it is a name of the session.
  var isOfSession: Bool {
    switch self {
    case .last, .named: true
    case .number, .identity, .numbers: false
    }
  }
}

extension RequestRecords {
  /// The request with the names of the session replaced.
  func resolved(_ turn: borrowing Turn) throws(Failure) -> Self {
    guard references.hasSessionNames else { return self }
    var copy = self
    copy.references = try turn.resolve(references, of: R.self)
    return copy
  }
}

extension RequestWriteRecords {
  /// The writes with the names of the session replaced.
  package func resolved(_ turn: borrowing Turn) throws(Failure) -> [RecordWrite<R>] {
    var writes = writes
    // Not enumerated: generic code would instantiate the iterator, at as much as reading a record.
    for index in writes.indices {
      switch writes[index] {
      case .remove(let reference) where reference.isOfSession:
        writes[index] = .remove(try turn.resolve([reference], of: R.self)[0])
      case .move(let reference, let side, let other, let field, let seen)
      where reference.isOfSession || other.isOfSession:
        let moved = try turn.resolve([reference], of: R.self)[0]
        do throws(Failure) {
          let beside = try turn.resolve([other], of: R.self)[0]
          writes[index] = .move(moved, side, of: beside, by: field, seen: seen)
        } catch {
          var failure = error
          failure.field = "other"
          throw failure
        }
      default: break
      }
    }
    return writes
  }
}
