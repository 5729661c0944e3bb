package import EventMVVM

/// What the writes of a stream have removed along with what they were for, until their replies are shown.
package final class GoneAlong: Sendable {
  private let notes = Locked<[(request: UInt64, words: [String])]>([])
  /// As many notes are kept, for replies that never ask.
  private static let most = 64

  /// Returns that of a stream.
  package static func of(_ stream: EventStream) -> GoneAlong { stream.shared { GoneAlong() } }

  /// Notes in words what went along with a request.
  func note(_ words: [String], with request: UInt64) {
    guard !words.isEmpty else { return }
    notes.withLock { notes in
      notes.append((request, words))
      if notes.count > Self.most { notes.removeFirst() }
    }
  }

  /// Returns in words what went along with a request, once: `2 copies`, `1 loan`; none if nothing did.
  package func take(_ request: UInt64?) -> [String] {
    notes.withLock { notes in
      guard let index = notes.firstIndex(where: { $0.request == request }) else { return [] }
      return notes.remove(at: index).words
    }
  }
}

extension RecordTypes {
  /// Returns numbers of records in words: `2 copies`, `1 loan`.
  func words(_ kinds: [String]) -> [String] {
    kinds.unique.map { kind in
      let count = kinds.count { $0 == kind }
      let several = table(of: kind)?.fields.several ?? kind
      return "\(count) \(count == 1 ? kind : several)"
    }
  }
}
