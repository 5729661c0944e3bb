import EventCommands
import EventMVVM
import EventValues
import JSONText

/// Compares each event of a replay with the recorded one at its position; on the home thread.
final class ReplayChecker: EventObserver {
  /// The index of the next event among the entries.
  var next = 0
  /// The first difference.
  private(set) var divergence: Divergence?
  /// Called with each event before any other observer.
  var heard: (Recording.RecordedEvent) -> Void = { _ in }

  private let recording: Recording
  private let encoder: BodyEncoder
  // Not checked for overlapping access: no handler runs inside another one (promise 2).
  @exclusivity(unchecked) private var checked: [ObjectIdentifier: Bool] = [:]
  /// The members that a body may have in addition to the recorded one, by the name of the event.
  @exclusivity(unchecked) private var additions: [String: [JSON.Member]] = [:]

  init(_ recording: Recording, _ identities: Identities) {
    self.recording = recording
    encoder = BodyEncoder(identities)
  }

  func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
    guard divergence == nil else { return }
    while next < recording.entries.count, !recording.entries[next].isEvent { next += 1 }
    guard next < recording.entries.count, case .event(let expected) = recording.entries[next] else {
      return surprise(event, turn)
    }
    next += 1
    heard(expected)
    do {
      try compare(event, turn, expected)
    } catch {
      divergence = recording.divergence(at: expected, got: Failure(error).message)
    }
  }

  private func compare<E: Event>(
    _ event: E,
    _ turn: borrowing Turn,
    _ expected: Recording.RecordedEvent
  ) throws {
    try check(E.self)
    let body = try encoder.body(of: event)
    var differences: [String] = []
    func compare<T: Equatable>(_ name: String, _ old: T, _ new: T) {
      if old != new { differences.append("\(name): \(old) expected, \(new) got") }
    }
    compare("type", expected.type, E.name)
    if expected.type == E.name {
      compare("number", expected.sequence, turn.sequence)
      compare("cause", expected.cause ?? 0, turn.cause ?? 0)
      compare("root", expected.root.description, turn.root.description)
      compare("origin", recording.origins[expected.origin] ?? "", turn.originName)
      differences += bodyDifferences(E.self, body, expected)
    }
    guard !differences.isEmpty else { return }
    divergence = recording.divergence(at: expected, got: Self.text(E.name, body), differences)
  }

  private func bodyDifferences<E: Event>(
    _ type: E.Type,
    _ body: [UInt8]?,
    _ expected: Recording.RecordedEvent
  ) -> [String] {
    guard let body else { return expected.hasBody ? ["body: nothing got"] : [] }
    if recording.isBody(body, of: expected) { return [] }
    let old = recording.types[expected.type]?.version ?? 1
    if Self.isComparedByName(type, old) { return [] }
    guard let wanted = recording.body(of: expected)?.upgraded(for: type, from: old),
      let json = try? JSON(parsing: body, limits: .ofRecordings)
    else { return ["body: nothing expected"] }
    // A result that writes itself can have parts of which its type knows nothing, such as the list of a screen.
    let known =
      type.hasOwnResult ? additions.values.flatMap(\.self) : additions[expected.type] ?? []
    return json.differences(from: wanted, except: known)
  }

  /// Whether an event that no replay reads has an earlier version in the recording, which it need not know how to read.
  private static func isComparedByName(_ type: any Event.Type, _ old: Int) -> Bool {
    old < type.version && !(type is any Decodable.Type)
  }

  /// Reports that an event was not recorded.
  private func surprise<E: Event>(_ event: E, _ turn: borrowing Turn) {
    let body = (try? encoder.body(of: event)) ?? nil
    var path = [Divergence.Link(sequence: turn.sequence, type: E.name, origin: nil)]
    if let cause = turn.cause.flatMap({ recording.event($0) }) {
      path += recording.path(to: cause)
        .map { Divergence.Link(sequence: $0.sequence, type: $0.type, origin: nil) }
    }
    divergence = Divergence(
      sequence: turn.sequence,
      place: "after the end of \(recording.name)",
      expected: "nothing",
      actual: Self.text(E.name, body),
      differences: [],
      path: path
    )
  }

  private static func text(_ name: String, _ body: [UInt8]?) -> String {
    body.map { name + " " + String(decoding: $0, as: UTF8.self) } ?? name
  }

  // MARK: Types

  /// Checks that a type is unchanged, or declares its upgrades.
  ///
  /// - Throws: The difference.
  func check(_ type: any Event.Type) throws {
    guard checked.updateValue(true, forKey: ObjectIdentifier(type)) == nil,
      let old = recording.types[type.name]
    else { return }
    guard old.version == type.version else {
      guard !Self.isComparedByName(type, old.version) else { return }
      guard JSON.canUpgrade(type, from: old.version) else {
        throw ReplayProblem(
          "no upgrade says how version \(old.version) of \(type.name) reads in its version \(type.version)"
        )
      }
      return
    }
    // What has no body, such as the state of a screen, is compared by its name and its place.
    guard type is any Encodable.Type || type.hasOwnResult else { return }
    let shape = EventShape(of: type)
    additions[type.name] = shape.additions(to: old.shape)
    // A result writes itself: what it has written is compared, whatever it stores.
    guard !type.hasOwnResult, let difference = shape.difference(from: old.shape) else { return }
    throw ReplayProblem(
      "another \(type.name) of the same version \(type.version): \(difference)"
    )
  }
}

extension Event {
  /// Whether it is a response with a result that writes itself.
  fileprivate static var hasOwnResult: Bool {
    (Self.self as? any Response.Type).map { $0.hasCommandResult } ?? false
  }
}

extension Response {
  fileprivate static var hasCommandResult: Bool { Value.self is any CommandResult.Type }
}
