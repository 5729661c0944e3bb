public import EventCommands
public import EventMVVM
import EventServing
import Foundation

/// Programs in any language on the stream: each uses the JSON-RPC of `serve` over its own standard
/// input and output, subscribes to events, and may send requests.
///
/// It depends on no domain. A program receives committed events, after the commit, from separate
/// threads; one that floods, hangs, dies or sends invalid messages delays no other, and none is
/// left running.
public final class ExternalObserver: ProgramPlugin {
  /// Its name among the plugins.
  public let name = "observers"
  /// Its announcements to people during other work.
  public var announcements: [any Announcement.Type] { [ResponseObserverTrouble.self] }
  /// The notices for programs.
  public var wire: Wire { Wire(changes: [], notices: [ResponseObserverTrouble.self]) }

  private struct State {
    /// The programs that the options name.
    var programs: [String] = []
    var stream: EventStream?
    var source: EventSource?
    var observers: [Observer] = []
    var patience = ObserverPatience()
  }

  private let state = Locked(State())

  /// Creates the plugin.
  public init() {}

  /// Its options of the process.
  public var options: OptionGroup? {
    OptionGroup(ObserverOptions.spec, ObserverOptions()) { [state] options in
      state.withLock { $0.programs = options.observer }
    }
  }

  /// Subscribes to the events that it observes and answers.
  public func join(_ stream: EventStream) {
    state.withLock { $0.stream = stream }
  }

  /// Starts the programs that the options name and, where something may change, those of the
  /// folder.
  ///
  /// A single command that only reads starts none of the latter, so that it ends soon.
  public func begin(_ session: ProcessSession) throws {
    guard session.effect != .none else { return }
    let programs = state.withLock { $0.programs }
    let folder = session.effect == .writes ? session.configuration("observers") : nil
    // Most processes have none, and should skip the following searches.
    guard !programs.isEmpty || folder.map({ access($0, F_OK) == 0 }) == true else { return }
    var setting = ObserverConfiguration(
      session.catalogue,
      program: session.program,
      version: session.version
    )
    setting.programs = programs
    setting.environment = ProcessInfo.processInfo.environment
    // The folder's programs do not observe a program that one of them starts, or it would start
    // itself for ever.
    let isObserver = setting.environment[ObserverEnvironment.marker]?.isEmpty == false
    setting.folder = isObserver ? nil : folder
    setting.logFolder = session.state("observers")
    setting.isLasting = session.isLasting
    setting.say = session.remark
    try start(setting)
  }

  /// Starts programs; waits for none of them.
  ///
  /// - Parameter setting: The programs, and their configuration.
  /// - Throws: A usage error if a named program can't be started, or if the environment sets an
  ///   invalid patience. Problems with programs of the folder are reported, and the others are
  ///   started.
  package func start(_ setting: ObserverConfiguration) throws(Failure) {
    guard let stream = state.withLock({ $0.stream }) else { return }
    var programs: [ObserverProgram] = []
    for program in setting.programs {
      programs.append(try ObserverProgram(program, searchPath: setting.environment["PATH"]))
    }
    for found in setting.folder.map(ObserverProgram.all(in:)) ?? [] {
      switch found {
      case .success(let program): if !programs.contains(program) { programs.append(program) }
      case .failure(let failure): Self.say(failure.message, setting, stream)
      }
    }
    guard !programs.isEmpty else { return }
    let patience = try ObserverPatience(setting.environment)
    let source = EventSource(setting.catalogue, ViewPort(stream), .background)
    source.begin()
    let observers = programs.map { program in
      Observer(
        program,
        setting,
        patience,
        ViewPort(stream.joined(as: "observer \(program.name)")),
        source
      ) { Self.say($0, setting, stream) }
    }
    state.withLock { state in
      state.source = source
      state.observers = observers
      state.patience = patience
    }
    for observer in observers { observer.start() }
  }

  private static func say(
    _ sentence: String,
    _ setting: ObserverConfiguration,
    _ stream: EventStream
  ) {
    setting.say(sentence)
    stream.send(ResponseObserverTrouble(failure: Failure(.store, sentence)))
  }

  // MARK: Ending

  /// Sends the remaining events to the programs, and ends them.
  public func finish(_ session: ProcessSession) { finish(isHome: !session.isLasting) }

  /// Sends the remaining events to the programs, and ends them; their requests are answered until
  /// then.
  ///
  /// Called once, after the frontend's session, on the thread that it ran on.
  ///
  /// - Parameter isHome: Whether that is the thread that delivers.
  package func finish(isHome: Bool) {
    let (stream, observers, patience) = state.withLock { ($0.stream, $0.observers, $0.patience) }
    guard let stream, !observers.isEmpty else { return }
    let deadline = ContinuousClock.now.advanced(by: .seconds(patience.seconds))
    let left = DispatchGroup()
    let count = Locked(observers.count)
    for observer in observers {
      left.enter()
      let finish: @Sendable () -> Void = {
        observer.finish(until: deadline)
        count.withLock { $0 -= 1 }
        left.leave()
        // Wakes the delivering thread, which otherwise sleeps.
        stream.on(ResponseObserverTrouble.self) { _, _ in }.cancel()
      }
      if !startThread(finish) { finish() }
    }
    guard isHome else { return left.wait() }
    ViewPort(stream).run { count.withLock { $0 } == 0 }
  }
}
