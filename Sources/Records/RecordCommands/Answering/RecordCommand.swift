public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// A command on records that answers itself: the catalogue that lists it is enough, and no server is written.
///
/// ``RecordAdd``, ``RecordEdit``, ``RecordRemove``, ``RecordShow`` and ``RecordList`` are the ways; a command
/// that is none of them is answered by `stream.answer`.
public protocol RecordCommand: Command {
  /// The kind of its records.
  associatedtype Kind: Record
  /// Returns a failure of the store in a person's words; by default it is unchanged.
  static func worded(_ failure: Failure) -> Failure
}

extension RecordCommand {
  /// Returns the failure itself.
  public static func worded(_ failure: Failure) -> Failure { failure }

  /// Answers the command on a stream, once.
  ///
  /// - Parameters:
  ///   - stream: The stream.
  ///   - begin: Begins to answer a request; a throw becomes the failure of the reply.
  static func answer(
    on stream: EventStream,
    _ begin: @escaping (Self, borrowing Turn) throws -> Void
  ) {
    guard AnsweredCommands.of(stream).insert(Self.self) else { return }
    stream.declareAnswerer(of: Self.self)
    stream.on(Self.self) { request, turn in
      request.attempt(turn) { turn in try begin(request, turn) }
    }
  }

  /// Replies with a failure where the body throws.
  func attempt(_ turn: borrowing Turn, _ body: (borrowing Turn) throws -> Void) {
    do {
      try body(turn)
    } catch {
      turn.send(Reply(.failure(Self.worded(Failure(error)))))
    }
  }
}

/// The commands, and their checks, that answer themselves on a stream, and the kinds that have joined it.
final class AnsweredCommands: Sendable {
  private let types = Locked<Set<ObjectIdentifier>>([])

  static func of(_ stream: EventStream) -> AnsweredCommands { stream.shared { AnsweredCommands() } }

  func insert(_ type: Any.Type) -> Bool {
    types.withLock { $0.insert(ObjectIdentifier(type)).inserted }
  }
}

/// A command that changes records, and whose result shows what it has changed.
public protocol RecordChanging: RecordCommand {
  // Declared here as well, so that it follows from the requirements below.
  /// The kind of its records.
  associatedtype Kind
  /// Whether several records were meant, so that a result is an array in any case.
  var isList: Bool { get }
  /// Returns the result.
  ///
  /// - Parameters:
  ///   - written: The transitions in the order of the references; an unchanged record's before and after are equal.
  ///   - turn: The turn of the reply.
  /// - Returns: The result.
  /// - Throws: Why there is none; it becomes the failure of the reply.
  func result(
    _ written: [RecordTransition<Kind>],
    _ turn: borrowing Turn
  ) throws -> Reply.Value
}

extension RecordChanging {
  /// One.
  public var isList: Bool { false }

  /// Writes records, gives the last one a name, and replies.
  func write(
    _ writes: [RecordWrite<Kind>],
    as alias: String? = nil,
    _ turn: borrowing Turn
  ) {
    let write = RequestWriteRecords(writes)
    turn.request(write) { result, turn in
      var written = result.mapError { Failure($0) }.flatMap { $0.result }
      // Others may have been moved to make room.
      if write.isMove { written = written.map { Array($0.prefix(1)) } }
      if case .success(let written) = written, let record = written.last?.kept {
        turn.name(record, as: alias)
      }
      reply(written, turn)
    }
  }

  func reply(_ written: Result<[RecordTransition<Kind>], Failure>, _ turn: borrowing Turn) {
    attempt(turn) { turn in
      turn.send(Reply(.success(try result(try written.get(), turn))))
    }
  }
}
