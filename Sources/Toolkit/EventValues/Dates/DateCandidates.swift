package import EventMVVM
import JSONText

/// Requests dates that begin with a text, each with what it is, for completion.
public struct RequestDateCandidates: CandidateRequest, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseCandidates
  /// It only reads.
  public static let writes = false

  /// The beginning.
  public let prefix: String

  /// Creates the request.
  public init(prefix: String) { self.prefix = prefix }

  /// Returns the words that begin so; if none does, the text itself if it is a date.
  package func candidates(_ turn: borrowing Turn) -> [Candidate] {
    let (now, zone, clock) = (turn.time, turn.zone, turn.clock)
    func candidate(_ text: String) -> Candidate? {
      guard let time = (try? When(word: text))?.resolved(at: now, in: zone) else { return nil }
      return Candidate(text, time.said(at: clock.now, isWhole: true))
    }
    let words = When.words.filter { $0.starts(withText: prefix) }
    return (words.isEmpty ? [prefix] : words).compactMap(candidate)
  }
}
