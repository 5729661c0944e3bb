import EventMVVMTesting
import Foundation
import JSONText
import ProcessTesting
import Testing

/// A workplace with programs that observe.
final class Stage {
  let place: Workplace

  init() throws {
    place = try Workplace()
    try FileManager.default.createDirectory(
      at: place.folder.appending(path: "config/todostream/observers"),
      withIntermediateDirectories: true
    )
  }

  /// The examples that are shipped.
  static let examples = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Examples/Observers").standardizedFileURL

  /// Writes a program in shell into a file of the workplace.
  ///
  /// A process does that: what is open for writing here is so, for a moment, in each process that
  /// another test starts meanwhile, and what somebody has open for writing can't be executed.
  func write(_ name: String, _ script: String) throws {
    _ = try run("cat >\(name) && chmod 755 \(name)", input: ["#!/bin/sh", script])
  }

  /// Runs a command of the shell to its end.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - input: The lines of its standard input.
  ///   - patience: How many seconds observers are waited for at its end: on a machine that is busy
  ///     with other tests, one may come to run much later than on one that is not.
  /// - Returns: What came of it.
  /// - Throws: An error of the system's if it can't be started.
  func run(_ command: String, input: [String] = [], patience: Int = 20) throws -> Job.Outcome {
    try place.start(
      command,
      input: input,
      variables: ["TODOSTREAM_OBSERVER_SECONDS": "\(patience)"]
    )
    .outcome()
  }

  /// The lines of a file that a program has written at home.
  func lines(_ name: String) -> [String] {
    let file = place.folder.appending(path: "home/\(name)")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// The lines of a file that a program writes at home, once they are so: a program may finish what
  /// it keeps when the process that it observes has ended already.
  func lines(_ name: String, until isSo: ([String]) -> Bool) throws -> [String] {
    let seen = { [self] in lines(name).joined(separator: "\n") }
    try waitUntil("'\(name)' is written", showing: seen) { isSo(lines(name)) }
    return lines(name)
  }

  /// The events that a program of ``tap`` was told.
  func events(_ name: String = "tap") throws -> [JSON] {
    let lines = lines(name)
    // What it is just writing is no JSON yet.
    let whole = try lines.dropLast().map { try JSON(parsing: $0) }
    return (whole + lines.suffix(1).compactMap { try? JSON(parsing: $0) })
      .flatMap { message -> [JSON] in
        guard case .array(let events)? = message["params"]?["events"] else { return [] }
        return events
      }
  }

  /// The types of the events that a program of ``tap`` was told, in order.
  func types(_ name: String = "tap") throws -> [String] {
    try events(name)
      .map { event in
        guard case .string(let type)? = event["type"] else { return "" }
        return type
      }
  }

  /// Subscribes to everything, and writes down at home what it is told.
  static let tap = """
    echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
    echo '{"jsonrpc":"2.0","id":2,"method":"events/subscribe"}'
    echo '{"jsonrpc":"2.0","method":"initialized"}'
    exec cat >>"$HOME/${0##*/}"
    """
}
