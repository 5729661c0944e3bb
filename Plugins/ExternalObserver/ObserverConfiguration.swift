package import EventCommands
import EventMVVM
import EventServing
import Foundation

/// The configuration of observers, and the report of their problems.
package struct ObserverConfiguration: Sendable {
  /// The catalogue of commands and notices.
  package var catalogue: Catalogue
  /// The program's name, as reported to observers.
  package var program: String
  /// Its version.
  package var version: String
  /// The programs that the options name, as written.
  package var programs: [String] = []
  /// A folder whose programs are also started; nil for none.
  package var folder: String?
  /// Whether the process lasts, so that a program is started again.
  package var isLasting = false
  /// The folder of the logs of their standard error; nil for none.
  package var logFolder: String?
  /// The environment, of which they get a part.
  package var environment: [String: String] = [:]
  /// Reports a sentence to the user of the process; any thread.
  package var say: @Sendable (String) -> Void = { _ in }

  /// Creates a configuration without programs.
  package init(_ catalogue: Catalogue, program: String, version: String) {
    self.catalogue = catalogue
    self.program = program
    self.version = version
  }

  /// The working folder of observers: the home folder.
  var home: String {
    guard let home = environment["HOME"], home.utf8.first == 0x2F else { return "/" }
    return home
  }

  /// Returns the options of a session with a program: it is also sent events from before its
  /// subscription, from these positions on.
  func options(from resumePoints: EventPositions) -> SessionOptions {
    var options = SessionOptions(program: program, version: version)
    options.resumePoints = resumePoints
    options.maxQueuedEvents = .max
    options.tellsEarlierChanges = true
    return options
  }
}

/// The options of a process for observers.
struct ObserverOptions: Sendable {
  /// Observing programs, in addition to those of the folder.
  var observer: [String] = []

  static let spec = CommandSpec<Self>("", "")
    .option(
      \.observer,
      "Starts a program that observes",
      flag: "--observer",
      placeholder: "PROGRAM"
    )
}
