public import EventCommands
public import EventMVVM
import EventServing
import Foundation

/// Programs in any language on the stream: each speaks the JSON-RPC of `serve` over its own
/// standard input and output, subscribes to what it wants, and may send requests.
///
/// It knows no domain. A program is sent what was committed, after the commit, by threads of its
/// own; one that floods, hangs, dies or writes rubbish delays no other, and none is left behind.
public final class ExternalObserver: ProgramPlugin {
  /// Its name among the plugins.
  public let name = "observers"
  /// What it says to people who are doing something else.
  public var announcements: [any Announcement.Type] { [ResponseObserverTrouble.self] }
  /// What comes from outside of the stream.
  public var inputs: [any (Event & Decodable).Type] { [ResponseObserverTrouble.self] }
  /// What programs are sent.
  public var wire: Wire { Wire(changes: [], notices: [ResponseObserverTrouble.self]) }

  private struct State {
    /// The programs that were asked for.
    var programs: [String] = []
    var stream: EventStream?
    var source: EventSource?
    var observers: [Observer] = []
    var patience = ObserverPatience()
  }

  private let state = Locked(State())

  /// Observes nothing yet.
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

  /// Starts the programs that were named and, where something may change, those of the folder.
  ///
  /// One command that only reads should be over at once, however many there are.
  public func begin(_ session: ProcessSession) throws {
    guard session.effect != .none else { return }
    let programs = state.withLock { $0.programs }
    let folder = session.effect == .writes ? session.configuration("observers") : nil
    // Most processes have none, and should not look round for the rest.
    guard !programs.isEmpty || folder.map({ access($0, F_OK) == 0 }) == true else { return }
    var setting = ObserverConfiguration(
      session.catalogue,
      program: session.program,
      version: session.version
    )
    setting.programs = programs
    setting.environment = ProcessInfo.processInfo.environment
    // What an observer starts is not observed by the folder again, or it would start itself for
    // ever.
    let isObserver = setting.environment[ObserverEnvironment.marker]?.isEmpty == false
    setting.folder = isObserver ? nil : folder
    setting.logFolder = session.state("observers")
    setting.isLasting = session.isLasting
    setting.say = session.remark
    try start(setting)
  }

  /// Starts programs; none of them is waited for.
  ///
  /// - Parameter setting: Which, and with what.
  /// - Throws: A usage error if one that was named can't be started, or if the environment sets a
  ///   patience that there can't be. What is wrong with those of the folder is said, and the others
  ///   are started.
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

  /// Sends the programs everything, and ends them.
  public func finish(_ session: ProcessSession) { finish(isHome: !session.isLasting) }

  /// Sends the programs everything, and ends them; their requests are answered until then.
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
        // The delivering thread sleeps until there is something to do.
        stream.on(ResponseObserverTrouble.self) { _, _ in }.cancel()
      }
      if !startThread(finish) { finish() }
    }
    guard isHome else { return left.wait() }
    ViewPort(stream).run { count.withLock { $0 } == 0 }
  }
}
