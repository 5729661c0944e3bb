import EventCommands
import EventMVVM
import JSONText

/// The answers to writes with a client's key: a client that repeats a write because it has not
/// received the answer gets the first answer, and nothing is done twice.
///
/// They belong to the process, for all of its clients, so that a client can repeat a write on
/// another connection. The last thousand are stored, of at most 4 MiB; a write that failed has
/// changed nothing and is tried again.
package final class IdempotencyKeys: Sendable {
  /// The name of the parameter.
  static let parameter = "idempotencyKey"

  /// A write with a key.
  struct Request: Equatable {
    let key: String
    let method: String
    let params: JSON
  }

  /// The state of a key.
  enum Known {
    /// The key is new: the write must be carried out.
    case new
    /// The write has this answer.
    case answered([UInt8])
    /// The write is in progress, and the closure is called with its outcome.
    case underWay
    /// Another write has the key.
    case other
  }

  private struct Entry {
    let request: Request
    var answer: [UInt8]?
    var waiting: [@Sendable (Result<[UInt8], Failure>) -> Void] = []
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// The keys of answered writes, the oldest first.
    var answered: [String] = []
    var bytes = 0
  }

  private static let (mostKeys, mostBytes) = (1000, 4_194_304)
  private let state = Locked(State())

  /// Creates an empty table.
  package init() {}

  /// Removes the key from the parameters of a write.
  ///
  /// - Returns: The key, or nil if there is none, and the other parameters.
  /// - Throws: A usage error for anything but a string of 1 to 255 bytes.
  static func taken(
    from params: JSON
  ) throws(CommandError) -> (key: String?, params: JSON) {
    guard case .object(var members) = params,
      let index = members.firstIndex(where: { $0.name.isIdentical(to: parameter) })
    else { return (nil, params) }
    guard case .string(let key) = members.remove(at: index).value,
      (1...255).contains(key.utf8.count)
    else {
      throw CommandError(
        "/\(parameter): expected a string of 1 to 255 bytes",
        field: parameter,
        path: "/\(parameter)"
      )
    }
    return (key, .object(members))
  }

  /// Begins a write, or returns the state of its key.
  ///
  /// - Parameters:
  ///   - request: The write.
  ///   - waiting: Called with the outcome of the write where that is in progress.
  /// - Returns: The state of its key.
  func begin(
    _ request: Request,
    waiting: @escaping @Sendable (Result<[UInt8], Failure>) -> Void
  ) -> Known {
    state.withLock { state in
      guard let entry = state.entries[request.key] else {
        state.entries[request.key] = Entry(request: request)
        return .new
      }
      guard entry.request == request else { return .other }
      if let answer = entry.answer { return .answered(answer) }
      state.entries[request.key]?.waiting.append(waiting)
      return .underWay
    }
  }

  /// Stores the outcome of a write.
  func end(_ key: String, _ result: Result<[UInt8], Failure>) {
    let waiting = state.withLock { state in
      let waiting = state.entries[key]?.waiting ?? []
      state.entries[key]?.waiting = []
      guard let answer = try? result.get() else {
        state.entries[key] = nil
        return waiting
      }
      state.entries[key]?.answer = answer
      state.answered.append(key)
      state.bytes += answer.count
      while state.answered.count > Self.mostKeys || state.bytes > Self.mostBytes {
        let oldest = state.answered.removeFirst()
        state.bytes -= state.entries.removeValue(forKey: oldest)?.answer?.count ?? 0
      }
      return waiting
    }
    for take in waiting { take(result) }
  }
}
