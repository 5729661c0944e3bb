/// What the writers of one list were told, what its log has, and what those saw that watched it.
struct WriteHistory: Sendable {
  /// A write that was acknowledged.
  struct Write: Sendable {
    /// The text that it wrote, which no other write has.
    let mark: String
    /// The revision in the acknowledgement.
    let revision: Int
    /// Before it was asked for, and after it was acknowledged, in nanoseconds of one clock.
    let begin: Int
    let end: Int
  }

  /// A change in the log.
  struct Logged: Sendable {
    let revision: Int
    let mark: String
  }

  /// What a process was told of the list, from before the first write to after the last.
  struct Watcher: Sendable {
    let name: String
    /// What its own marks begin with; nil if it wrote nothing.
    var ownMarks: String?
    /// The revisions of its own changes, and those of external ones, in its order.
    ///
    /// Its own come with their acknowledgements, whatever else it has not read yet.
    var own: [Int] = []
    var external: [Int] = []
  }

  var acknowledged: [Write] = []
  /// In the order of the log.
  var log: [Logged] = []
  var watchers: [Watcher] = []

  /// What is wrong, a sentence each.
  func problems() -> [String] { lost() + doubled() + unacknowledged() + disordered() + missed() }

  /// Acknowledged, and not in the log as acknowledged.
  private func lost() -> [String] {
    var marks: [Int: String] = [:]
    for change in log { marks[change.revision] = change.mark }
    return acknowledged.filter { marks[$0.revision] != $0.mark }
      .map { "\($0.mark) is lost: revision \($0.revision) is \(marks[$0.revision] ?? "missing")" }
  }

  /// Once asked for, and twice in the log.
  private func doubled() -> [String] {
    Dictionary(grouping: log, by: \.mark).filter { $0.value.count > 1 }
      .map { "\($0.key) is stored \($0.value.count) times: \($0.value.map(\.revision))" }.sorted()
  }

  /// In the log, although the writer was told that nothing was stored.
  private func unacknowledged() -> [String] {
    let known = Set(acknowledged.map(\.mark))
    return log.filter { !known.contains($0.mark) }
      .map { "\($0.mark) is stored as \($0.revision), and was never acknowledged" }
  }

  /// The order of the log is that of real time: what was acknowledged before another write was asked
  /// for has the lower revision.
  private func disordered() -> [String] {
    var problems: [String] = []
    // The one of the later revisions that was acknowledged first.
    var first: Write?
    for write in acknowledged.sorted(by: { $0.revision > $1.revision }) {
      if let first, first.end < write.begin {
        problems.append(
          "\(write.mark) has revision \(write.revision), and was asked for after "
            + "\(first.mark) had got \(first.revision)"
        )
      }
      if first.map({ write.end < $0.end }) ?? true { first = write }
    }
    return problems
  }

  /// Each watcher sees each revision once, in order.
  private func missed() -> [String] {
    watchers.flatMap { watcher in
      func isOwn(_ change: Logged) -> Bool {
        watcher.ownMarks.map { change.mark.hasPrefix($0) } ?? false
      }
      let (own, external) = (log.filter(isOwn), log.filter { !isOwn($0) })
      return problem("\(watcher.name), of its own,", watcher.own, own.map(\.revision))
        + problem(watcher.name, watcher.external, external.map(\.revision))
    }
  }

  private func problem(_ name: String, _ seen: [Int], _ there: [Int]) -> [String] {
    guard seen != there else { return [] }
    let missing = Set(there).subtracting(seen).sorted()
    guard missing.isEmpty else { return ["\(name) missed \(missing)"] }
    let known = Set(there)
    let strange = seen.filter { !known.contains($0) }
    guard strange.isEmpty else { return ["\(name) saw what is not there: \(strange)"] }
    let twice = Dictionary(grouping: seen) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    guard twice.isEmpty else { return ["\(name) saw twice: \(twice)"] }
    let late = zip(seen, seen.dropFirst()).filter { $0 > $1 }.map { "\($1) after \($0)" }
    return ["\(name) saw \(late.joined(separator: ", "))"]
  }
}
