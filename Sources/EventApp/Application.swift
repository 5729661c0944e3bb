import Analytics
public import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import ExternalObserver
import Foundation
import SessionRecorder
import Trace
import UndoHistory

/// A program with all its faces round a domain: a REPL, scripts, single commands, JSON-RPC, undo,
/// analytics, recordings and observers, none of which knows what it is about.
public struct Application: Sendable {
  let domain: any Domain
  let program: Program
  var paths: UserPaths { UserPaths(program) }

  /// Puts the faces round a domain.
  public init(_ domain: any Domain) {
    self.domain = domain
    program = domain.program
  }

  /// The plugins that can be switched, new ones each time: a line is all that one needs.
  public var plugins: [OptionalPlugin] { plugins(figures: paths.figures) }

  /// The plugins, with the file that keeps statistics; without it none are read or kept.
  func plugins(figures: String?) -> [OptionalPlugin] {
    [
      .on(UndoHistory()),
      .on(TracePlugin()),
      .on(Analytics(path: figures, spool: paths.spool, ticks: Self.ticks)),
    ] + domain.plugins + [
      .on(ExternalObserver()),
      .on(SessionRecorder()),
    ]
  }

  /// Nanoseconds of a clock that never goes back.
  private static let ticks: @Sendable () -> UInt64 = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// What can be said to it.
  ///
  /// - Parameter plugins: Those of the plugins that are on.
  /// - Returns: The commands of the domain and of the plugins, and what the process itself
  ///   understands.
  public func catalogue(_ plugins: [OptionalPlugin]) -> Catalogue {
    var catalogue = Catalogue()
    domain.addCommands(to: &catalogue)
    let keepsRecords = !domain.records.isEmpty
    if keepsRecords { catalogue.add(StoreCommands.group, StoreCommands.all) }
    for plugin in plugins { plugin.addCommands(to: &catalogue) }
    catalogue.add(announcements: ExternalObserver.announcements)
    if keepsRecords {
      catalogue.add(announcements: [domain.changeNotice] + RecordServer.announcements)
      catalogue.add(wire: RecordServer.wire(domain.changeNotice))
    }
    catalogue.add(wire: ExternalObserver.wire)
    if domain.hasScreens {
      catalogue.add(onScreen: nil, "in a REPL or an editor", Navigator.group, Navigator.commands)
      catalogue.add(wire: Wire(states: Navigator.states))
      domain.addScreens(to: &catalogue)
    }
    catalogue.add("", CatalogueServer.commands)
    addVerbs(to: &catalogue, plugins)
    return catalogue
  }
}
