package import EventCommands
import EventMVVM
import EventServing
import Foundation

/// What observers are started with, and where what they do wrong is said.
package struct ObserverConfiguration: Sendable {
  /// What can be said, and what is told.
  package var catalogue: Catalogue
  /// The program's name, as an observer gets it.
  package var program: String
  /// Its version.
  package var version: String
  /// The programs that were asked for, as they were written.
  package var programs: [String] = []
  /// A folder whose programs are started, too; nil for none.
  package var folder: String?
  /// Whether the process lasts, so that it is worth starting a program again.
  package var isLasting = false
  /// The folder of the logs of what they write on standard error; nil keeps none.
  package var logFolder: String?
  /// The environment that they get a part of.
  package var environment: [String: String] = [:]
  /// Reports a sentence to the user of the process; any thread.
  package var say: @Sendable (String) -> Void = { _ in }

  /// Starts nothing.
  package init(_ catalogue: Catalogue, program: String, version: String) {
    self.catalogue = catalogue
    self.program = program
    self.version = version
  }

  /// Where observers start: at home.
  var home: String {
    guard let home = environment["HOME"], home.utf8.first == 0x2F else { return "/" }
    return home
  }

  /// The options of a session with a program: it is sent events that happened before it subscribed,
  /// too, from these points on.
  func options(from resumePoints: EventPositions) -> SessionOptions {
    var options = SessionOptions(program: program, version: version)
    options.resumePoints = resumePoints
    options.maxQueuedEvents = .max
    options.tellsEarlierChanges = true
    return options
  }
}

/// The options of a process that name observers.
struct ObserverOptions: Sendable {
  /// Programs that observe, in addition to those of the folder.
  var observer: [String] = []

  static let spec = CommandSpec<Self>("", "")
    .option(
      \.observer,
      "Starts a program that observes",
      flag: "--observer",
      placeholder: "PROGRAM"
    )
}
