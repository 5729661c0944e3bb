package import EventCommands
package import EventMVVM
import EventServing
import Foundation

/// Programs in any language on the stream: each speaks the JSON-RPC of `serve` over its own
/// standard input and output, subscribes to what it wants, and may send requests.
///
/// It knows no domain. A program is sent what was committed, after the commit, by threads of its
/// own; one that floods, hangs, dies or writes rubbish delays no other, and none is left behind.
package final class ExternalObserver: Plugin {
  package let name = "observers"
  /// The announcements for people who are doing something else.
  package static let announcements: [any Announcement.Type] = [ResponseObserverTrouble.self]
  /// The notifications to programs.
  package static var wire: Wire {
    var wire = Wire()
    wire.notices = [ResponseObserverTrouble.self]
    return wire
  }

  /// The variable that names an observer to itself, and to what it starts.
  package static let marker = ObserverEnvironment.marker

  private struct State {
    var stream: EventStream?
    var source: EventSource?
    var observers: [Observer] = []
    var patience = ObserverPatience()
  }

  private let state = Locked(State())

  /// Observes nothing yet.
  package init() {}

  package func join(_ stream: EventStream) {
    state.withLock { $0.stream = stream }
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
    for word in setting.words {
      programs.append(try ObserverProgram(word, searchPath: setting.environment["PATH"]))
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
