public import EventCommands
public import EventMVVM
import EventRecords
import Foundation
import JSONText

/// Counts what is done, and reports it (S58).
///
/// It depends on no domain: a domain declares by `RequestMeasures` what can be counted of its
/// history, and the plugin continues to count from its last position. It counts and times the
/// events on the stream itself. It stores names, labels and numbers; titles never reach it.
public final class Analytics: ProgramPlugin {
  /// Its name among the plugins.
  public let name = "analytics"
  /// The prefix of its JSON-RPC methods.
  public let group = "analytics"
  /// Its commands.
  public let commands: [any Command.Type] = [RequestReport.self]
  /// How many changes of a history are counted in one turn.
  private static let mostChanges = 2000

  private let file: Locked<StatisticsFile?>
  private let posting: Locked<Posting?>
  private let meter: UsageMeter
  private let store = Locked("")
  private let stream = Locked<EventStream?>(nil)

  /// The pauses before repeated attempts to post.
  private let pauses: [Duration]
  /// Whether its files are in the user's state folder.
  private let isInStateFolder: Bool

  /// Creates the plugin, with its files in the user's state folder.
  public convenience init() {
    self.init(path: nil, inStateFolder: true, ticks: Self.monotonicTicks)
  }

  /// Creates the plugin.
  ///
  /// - Parameters:
  ///   - path: The file of the statistics; nil for none.
  ///   - spool: The folder of batches that could not be posted; nil posts nothing.
  public convenience init(path: String?, spool: String? = nil) {
    self.init(path: path, spool: spool, ticks: Self.monotonicTicks)
  }

  /// Creates the plugin with a clock.
  ///
  /// - Parameters:
  ///   - path: The file of the statistics; nil for none.
  ///   - spool: The folder of batches that could not be posted; nil posts nothing.
  ///   - isInStateFolder: Whether the user's state folder has both instead, once the session is
  ///     prepared.
  ///   - pauses: The pauses before repeated attempts to post.
  ///   - ticks: A clock that never goes back, in nanoseconds.
  package init(
    path: String?,
    spool: String? = nil,
    inStateFolder isInStateFolder: Bool = false,
    pauses: [Duration] = [.seconds(1), .seconds(2)],
    ticks: @escaping @Sendable () -> UInt64
  ) {
    file = Locked(path.map { StatisticsFile(path: $0) })
    self.isInStateFolder = isInStateFolder
    posting = Locked(spool.map { Posting(spool: Spool(folder: $0), pauses: pauses) })
    self.pauses = pauses
    meter = UsageMeter(ticks: ticks)
  }

  private static let monotonicTicks: @Sendable () -> UInt64 = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Stores which store is counted, by which version of the program.
  public func prepare(
    _ session: ProcessSession,
    _ environment: inout Environment
  ) -> (any SessionRecording)? {
    store.withLock { $0 = session.store }
    if isInStateFolder {
      file.withLock { $0 = session.state("figures.json").map { StatisticsFile(path: $0) } }
      posting.withLock { posting in
        posting = session.state("spool").map { Posting(spool: Spool(folder: $0), pauses: pauses) }
      }
    }
    file.withLock { $0?.program = session.version }
    return nil
  }

  /// Stops reading and writing statistics.
  public func isolate() { file.withLock { $0 = nil } }

  /// Subscribes to the events that it observes and answers.
  public func join(_ stream: EventStream) {
    self.stream.withLock { $0 = stream }
    stream.observeAll(with: meter)
    stream.declareAnswerer(of: RequestReport.self)
    stream.on(RequestReport.self, owner: self) { plugin, request, turn in
      plugin.report(request, turn)
    }
  }

  /// Writes the statistics; for a process that ran one command, nothing: the history has it, and
  /// the process should end soon.
  public func leave() {
    // A command and the requests of its server: examining them further costs more than it yields.
    guard meter.requestCount > 2 else { return }
    let usage = usage
    let count = usage.commands.values.reduce(0) { $0 + $1.values.reduce(0, +) }
    guard count > 1, let since = meter.since else { return }
    let said = said(by: since)
    kept?.update { $0.add(said) }
  }

  /// Returns the usage of the store so far.
  private func said(by time: Instant) -> StatisticsFile.StoreUsage {
    StatisticsFile.StoreUsage(of: storePath, since: meter.since ?? time, usage)
  }

  /// The path of the store, the same for all of its names, even before it is created.
  private var storePath: String {
    let store = store.withLock { $0 }
    if let path = Self.realPath(store) { return path }
    let folder = (store as NSString).deletingLastPathComponent
    guard let path = Self.realPath(folder.isEmpty ? "." : folder) else { return store }
    return path + "/" + (store as NSString).lastPathComponent
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The file of the statistics; nil for none.
  private var kept: StatisticsFile? { file.withLock { $0 } }

  /// The usage so far.
  private var usage: Usage {
    let stream = stream.withLock { $0 }
    return meter.total { stream?.name(of: $0) ?? "" }
  }

  // MARK: Reporting

  private func report(_ request: RequestReport, _ turn: borrowing Turn) {
    let zone = turn.zone
    let contents = kept?.read() ?? StatisticsFile.Contents()
    // Days of another zone differ.
    let known = contents.statistics.filter { $0.zone.isIdentical(to: zone.name) }
    resume(known + [Statistics(zone: zone.name)], zone, turn) { [self] result, turn in
      do {
        let (known, statistics) = try result.get()
        if statistics != known { kept?.update { $0.keep(statistics, insteadOf: known) } }
        let said = contents.sum(with: said(by: turn.time))
        let period = try ReportPeriod(request, statistics, turn)
        let target = try request.post.map { text throws(Failure) in
          try PostTarget(text, isForced: request.force)
        }
        turn.request(RequestGauges()) { [self] result, turn in
          let gauges = (try? result.get().result.get()) ?? []
          let report = Report(period, statistics, gauges, said, earlier: contents.usage, zone)
            .written(for: request, turn)
          guard case .success(let report) = report, let target else {
            // Whether a page can be written depends on the disk alone.
            return turn.reply(
              from: { _ in ResponseReport(report) },
              where: { request.html != nil && $0._problem != nil }
            )
          }
          post(report, to: target, turn)
        }
      } catch {
        turn.send(ResponseReport(.failure(Failure(error))))
      }
    }
  }

  /// Posts a report off the home thread, and answers with the outcome.
  private func post(
    _ report: Report,
    to target: PostTarget,
    _ turn: borrowing Turn
  ) {
    guard !turn.isInUnit else {
      let problem = "A script can't undo what is posted: do it by a command of its own."
      return turn.send(ResponseReport(.failure(Failure(.usage, problem, field: "post"))))
    }
    let posting = posting.withLock { $0 }
    // A replay, which nothing prepares, has the recorded outcome.
    guard posting != nil || turn.isReplay else {
      let problem = "There is no folder for what waits; set $XDG_STATE_HOME."
      let reply = ResponseReport(.failure(Failure(.usage, problem, field: "post")))
      return turn.reply(from: { _ in reply })
    }
    turn.perform { turn in
      guard let posting else { return }
      let outcome = await posting.post(report, to: target, turn)
      turn.send(ResponseReport(outcome.map(report.posted)))
    }
  }

  /// Continues with the first of these statistics whose position belongs to this history; the last
  /// ones are empty.
  private func resume(
    _ known: [Statistics],
    _ zone: ZoneRule,
    _ turn: borrowing Turn,
    then:
      @escaping (
        Result<(known: Statistics, now: Statistics), Failure>,
        borrowing Turn
      ) -> Void
  ) {
    count(known[0], zone, turn) { [self] result, turn in
      if case .failure(let failure) = result, failure.kind == .notFound, known.count > 1 {
        return resume(Array(known.dropFirst()), zone, turn, then: then)
      }
      then(result.map { (known[0], $0) }, turn)
    }
  }

  /// Counts to the end of the history, a part a turn.
  private func count(
    _ statistics: Statistics,
    _ zone: ZoneRule,
    _ turn: borrowing Turn,
    then: @escaping (Result<Statistics, Failure>, borrowing Turn) -> Void
  ) {
    turn.request(RequestMeasures(after: statistics.position, limit: Self.mostChanges)) {
      result,
      turn in
      do {
        let part = try result.get().result.get()
        var statistics = statistics
        statistics.add(part.measures, in: zone)
        statistics.position = part.position
        guard part.isLast else { return self.count(statistics, zone, turn, then: then) }
        then(.success(statistics), turn)
      } catch {
        then(.failure(Failure(error)), turn)
      }
    }
  }
}
