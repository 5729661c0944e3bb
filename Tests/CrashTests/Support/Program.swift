import Foundation
import ProcessTesting

/// The built program, and the folder in which it keeps its todos.
struct Program {
  /// How a run ended, and what it printed.
  struct Outcome: CustomStringConvertible {
    let process: pid_t
    let ending: Child.Ending
    let output: String
    let errors: String

    /// The newest revision that it has acknowledged, reading its results as JSON; 0 if there is
    /// none.
    ///
    /// A line without an end has not been printed.
    var acknowledged: Int { newestRevision(in: output) }

    /// What it says about the store, as JSON on standard error; nil if that is not all that it
    /// says.
    var storeMessage: String? {
      let json = try? JSONSerialization.jsonObject(with: Data(errors.utf8)) as? [String: Any]
      guard let error = json?["error"] as? [String: Any], error["kind"] as? String == "store" else {
        return nil
      }
      return error["message"] as? String
    }

    var description: String { "\(ending), printed:\n\(output)\(errors)" }
  }

  /// Where the store is, and all that belongs to it.
  let folder: Folder
  /// Whether the store has a name of its own, or is in the user's data folder.
  var isNamed = true
  /// Words that stand before the program: what runs it somewhere else.
  var prefix: [String] = []
  /// Where its streams are.
  let scratch: Folder

  init(_ folder: Folder) throws {
    self.folder = folder
    scratch = try Folder("streams")
  }

  /// The store as the program sees it.
  var store: String {
    "\(folder.path)/\(isNamed ? "" : "data/todostream/")todos.sqlite"
  }

  /// Runs it to its end.
  func run(_ words: [String], input: String = "", _ shim: Shim? = nil) throws -> Outcome {
    let streams = try Streams(in: scratch, input: input)
    let child = try start(words, streams.descriptors, shim)
    return outcome(child, streams)
  }

  /// Runs it, and ends it from outside after so many microseconds.
  func run(
    _ words: [String],
    input: String,
    _ shim: Shim,
    killedAfter time: Int
  ) throws -> Outcome {
    let streams = try Streams(in: scratch, input: input)
    let child = try start(words, streams.descriptors, shim)
    // The moment is what is tested: any one, between two instructions that nobody chose.
    usleep(UInt32(time))
    child.kill()
    return outcome(child, streams)
  }

  private func outcome(_ child: Child, _ streams: Streams) -> Outcome {
    let ending = child.wait()
    return Outcome(
      process: child.id,
      ending: ending,
      output: streams.output,
      errors: streams.errors
    )
  }

  /// Starts it, its standard streams being copies of these.
  func start(_ words: [String], _ descriptors: [Int32], _ shim: Shim? = nil) throws -> Child {
    var environment = environment
    if let shim { environment.merge(try shim.environment()) { $1 } }
    return try Child(
      prefix + [try Self.path.get()] + words,
      environment: environment,
      descriptors: descriptors
    )
  }

  private var environment: [String: String] {
    let folder = folder.path
    var variables = [
      "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_DATA_HOME": "\(folder)/data", "TZ": "UTC",
      "LANG": "C.UTF-8",
    ]
    variables["TODOSTREAM_STORE"] = isNamed ? store : nil
    return variables
  }

  // MARK: The binary

  /// What `CRASH_PROGRAM` names, else what was built with the tests.
  static let path = Result {
    try ProcessInfo.processInfo.environment["CRASH_PROGRAM"]
      ?? Workplace.binaries().appending(path: "todostream").path
  }
}

/// The newest revision in results as JSON, of which only whole lines count.
func newestRevision(in output: String) -> Int {
  guard let end = output.lastIndex(of: "\n") else { return 0 }
  return output[...end].matches(of: /"revision":(\d+)/).compactMap { Int($0.output.1) }.max() ?? 0
}
