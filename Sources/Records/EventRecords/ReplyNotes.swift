package import EventMVVM

/// What a person is told of a write besides the records that were asked for.
package struct ReplyNote: Sendable {
  /// What was removed along with what it was for, in words: `2 copies`, `1 loan`.
  package var along: [String] = []
  /// Lines that rules of writes have told.
  package var lines: [String] = []

  /// Creates a note that says nothing.
  package init() {}

  init(along: [String], lines: [String]) { (self.along, self.lines) = (along, lines) }

  var isEmpty: Bool { along.isEmpty && lines.isEmpty }
}

/// The notes on the writes of a stream, until their replies are shown.
package final class ReplyNotes: Sendable {
  private let notes = Locked<[(request: UInt64, note: ReplyNote)]>([])
  /// As many notes are kept, for replies that never ask.
  private static let most = 64

  /// Returns those of a stream.
  package static func of(_ stream: EventStream) -> ReplyNotes { stream.shared { ReplyNotes() } }

  /// Adds the note on a request.
  func add(_ note: ReplyNote, on request: UInt64) {
    guard !note.isEmpty else { return }
    notes.withLock { notes in
      notes.append((request, note))
      if notes.count > Self.most { notes.removeFirst() }
    }
  }

  /// Returns the note on a request, once; an empty one if there is none.
  package func take(_ request: UInt64?) -> ReplyNote {
    notes.withLock { notes in
      guard let index = notes.firstIndex(where: { $0.request == request }) else {
        return ReplyNote()
      }
      return notes.remove(at: index).note
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
