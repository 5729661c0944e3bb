import EventCommands
package import EventMVVM
package import EventValues
package import JSONText

/// Replays a recorded session: feeds its inputs into a fresh stream, and compares
/// everything that follows with what was recorded.
///
/// Used on the stream's home thread.
package final class SessionReplay {
  /// How a replay has ended.
  package struct Verdict: Sendable {
    /// The number of replayed events that equal the recorded ones.
    package var count = 0
    /// The first difference; nil for none.
    package var divergence: Divergence?
    /// The event after which it stopped.
    package var stop: Told?
  }

  /// An event that was replayed.
  package struct Told: Sendable {
    /// Its number.
    package let sequence: UInt64
    /// The number of events that led to it.
    package let depth: Int
    /// Its type.
    package let type: String
    /// Whether it is an input.
    package let isInput: Bool
    /// The time.
    package let time: Instant
    /// The name of its origin.
    package let origin: String
    /// Its body, as JSON; empty if none was recorded.
    package let body: String
  }

  private let recording: Recording
  private let recorded: RecordedEnvironment
  private let inputs: [String: any (Event & Decodable).Type]
  private let decoder: BodyDecoder
  private let checker: ReplayChecker
  private let replay: StreamReplay
  /// Called with external changes, where they were found.
  private let outside: (JSON, BodyDecoder) throws -> Void

  /// Creates a replay on a stream that all plugins have joined and that had no event yet.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - recorded: Its environment, which is the stream's.
  ///   - stream: The stream.
  ///   - inputs: The types of inputs.
  ///   - outside: Called with external changes, before the replay of the event during which they
  ///     were found.
  package init(
    _ recording: Recording,
    _ recorded: RecordedEnvironment,
    on stream: EventStream,
    inputs: [any (Event & Decodable).Type],
    outside: @escaping (JSON, BodyDecoder) throws -> Void = { _, _ in }
  ) {
    self.recording = recording
    self.recorded = recorded
    self.outside = outside
    self.inputs = Dictionary(inputs.map { ($0.name, $0) }) { first, _ in first }
    let identities = Identities(keeps: true)
    decoder = BodyDecoder(identities)
    checker = ReplayChecker(recording, identities)
    stream.observeAll(with: checker)
    replay = StreamReplay(stream, recording.outcomes, cancelled: recording.cancelled)
    checker.heard = { [weak replay] event in
      for sequence in event.cancelled { replay?.cancel(sequence) }
    }
  }

  /// Replays everything, or up to an event.
  ///
  /// - Parameters:
  ///   - last: The number of the event to stop after; nil for all.
  ///   - hear: Called with each event that equals the recorded one; false stops there.
  /// - Returns: How it has ended.
  package func run(until last: UInt64? = nil, _ hear: (Told) -> Bool = { _ in true }) -> Verdict {
    var verdict = Verdict()
    for index in recording.entries.indices {
      switch recording.entries[index] {
      case .released(let sequence): replay.release(sequence)
      case .cancelled(let sequence): replay.cancel(sequence)
      case .unitEnds(let unit, let outcome): replay.end(unit, outcome)
      case .passed(let name, _):
        // Entries before the first event come from joining, and have all had their turn here.
        guard verdict.count > 0 else { continue }
        verdict.divergence = pass(name, index)
        guard verdict.divergence == nil else { return verdict }
      case .event(let event):
        verdict.divergence = tell(event, index)
        guard verdict.divergence == nil else { return verdict }
        verdict.count += 1
        let isLast = last.map { event.sequence >= $0 } ?? false
        let goesOn = hear(told(event))
        if isLast { verdict.stop = told(event) }
        if isLast || !goesOn { return verdict }
      }
    }
    if recording.isWhole, !recording.endsUnderWay { verdict.divergence = checkEnd() }
    return verdict
  }

  // MARK: One event

  private func tell(_ event: Recording.RecordedEvent, _ index: Int) -> Divergence? {
    // Both events of a unit that could not begin have one turn.
    if checker.next > index { return checker.divergence ?? integrity(event) }
    checker.next = index
    recorded.move(to: event)
    do {
      for json in recording.outside(of: event) { try outside(json, decoder) }
    } catch {
      return divergence(event, Failure(error).message)
    }
    if event.isInput {
      // Its consequences get numbers by themselves; observers of states use up numbers as in the
      // recording.
      replay.skip(to: event.sequence)
      do {
        try feed(event)
      } catch {
        return divergence(event, Failure(error).message)
      }
    } else {
      while checker.next == index, checker.divergence == nil {
        guard replay.step() else { return divergence(event, "nothing") }
      }
    }
    if let divergence = checker.divergence { return divergence }
    guard checker.next > index else { return divergence(event, "nothing") }
    return integrity(event)
  }

  /// Delivers an entry without an event.
  private func pass(_ name: String, _ index: Int) -> Divergence? {
    checker.next = max(checker.next, index)
    let isThere = replay.pass(name)
    if let divergence = checker.divergence { return divergence }
    // An event that was sent instead takes the position of the next one.
    return isThere && checker.next <= index
      ? nil : recording.divergence(at: index, got: isThere ? "an event" : "another turn, or none")
  }

  /// Returns a divergence if the line was changed, even if the replay agrees with it.
  private func integrity(_ event: Recording.RecordedEvent) -> Divergence? {
    event.isIntact ? nil : divergence(event, "a line that was changed since it was recorded")
  }

  private func feed(_ event: Recording.RecordedEvent) throws {
    let origin = replay.origin(event.origin, named: recording.origins[event.origin] ?? "")
    let type = inputs[event.type]
    guard let body = recording.body(of: event) else {
      throw ReplayProblem("\(event.type) is not recorded with what it carries: it can't be fed")
    }
    if event.type == RequestUnit.name {
      return replay.begin(try decoder.read(RequestUnit.self, from: body).mode, origin: origin)
    }
    guard let type else { throw ReplayProblem("no event \(event.type) that can be fed") }
    try checker.check(type)
    let old = recording.types[event.type]?.version ?? 1
    guard let body = body.upgraded(for: type, from: old) else {
      throw ReplayProblem(
        "no upgrade says how version \(old) of \(event.type) reads in its version \(type.version)"
      )
    }
    try feed(type, body, event, origin)
  }

  private func feed<E: Event & Decodable>(
    _ type: E.Type,
    _ body: JSON,
    _ event: Recording.RecordedEvent,
    _ origin: Origin
  ) throws {
    let value = try decoder.read(type, from: body)
    replay.feed(value, cause: event.cause, root: event.root, origin: origin)
  }

  /// Returns a divergence for events after the end.
  private func checkEnd() -> Divergence? {
    checker.next = recording.entries.count
    while checker.divergence == nil, replay.step() {}
    return checker.divergence
  }

  private func divergence(_ event: Recording.RecordedEvent, _ actual: String) -> Divergence {
    recording.divergence(at: event, got: actual)
  }

  private func told(_ event: Recording.RecordedEvent) -> Told {
    Told(
      sequence: event.sequence,
      depth: event.depth,
      type: event.type,
      isInput: event.isInput,
      time: event.time,
      origin: recording.origins[event.origin] ?? "",
      body: recording.body(of: event)?.description ?? ""
    )
  }
}

/// Why an event can't be fed.
struct ReplayProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Recording {
  /// Returns a divergence at an event.
  func divergence(
    at event: RecordedEvent,
    got actual: String,
    _ differences: [String] = []
  ) -> Divergence {
    let body = body(of: event).map { " \($0)" } ?? ""
    return Divergence(
      sequence: event.sequence,
      place: "\(name):\(event.line)",
      expected: event.type + body,
      actual: actual,
      differences: differences,
      path: path(to: event).map(link)
    )
  }

  private func link(_ event: RecordedEvent) -> Divergence.Link {
    Divergence.Link(
      sequence: event.sequence,
      type: event.type,
      origin: event.cause == nil ? origins[event.origin] : nil
    )
  }

  /// Returns a divergence at a turn without an event.
  func divergence(at index: Int, got actual: String) -> Divergence {
    var before: RecordedEvent?
    for case .event(let event) in entries[..<index] { before = event }
    guard case .passed(let turn, let line) = entries[index] else {
      preconditionFailure("only a turn has no event")
    }
    return Divergence(
      sequence: before?.sequence ?? 0,
      place: "\(name):\(line)",
      expected: "the turn of \(turn), of which no event comes",
      actual: actual,
      differences: [],
      path: before.map { path(to: $0).map(link) } ?? []
    )
  }

  /// The outcomes that a replay can't reproduce.
  var outcomes: RecordedOutcomes {
    var outcomes = RecordedOutcomes()
    var begun: RecordedEvent?
    var wishes: Set<UInt64> = []
    for entry in entries {
      switch entry {
      case .unitEnds(let unit, .committed): wishes.insert(unit.number)
      case .event(let event):
        if event.isInput, let cause = event.cause { outcomes.answered.insert(cause) }
        if event.type == ResponseUnit.name, isRolledBack(event) {
          if begun?.sequence == event.sequence { outcomes.refusedUnits.insert(event.sequence) }
          if wishes.contains(event.root.number) { outcomes.lostUnits.insert(event.root.number) }
        }
        if event.type == RequestUnit.name { begun = event }
      default: break
      }
    }
    return outcomes
  }

  private func isRolledBack(_ event: RecordedEvent) -> Bool {
    body(of: event)?["outcome"]?["rolledBack"] != nil
  }

  /// The requests that were cancelled when their work had begun.
  var cancelled: Set<UInt64> {
    var cancelled: Set<UInt64> = []
    for entry in entries {
      switch entry {
      case .cancelled(let sequence): cancelled.insert(sequence)
      case .event(let event): cancelled.formUnion(event.cancelled)
      default: break
      }
    }
    return cancelled
  }
}
