import Foundation

/// What is asked of `Shim/shim.c`, which stands between the program and its files.
struct Shim {
  enum Manner: String {
    /// One operation fails.
    case once
    /// It and all behind it fail.
    case forever
    /// It writes half of what it should, and all behind it fail.
    case short
    /// It writes half of what it should, and says so.
    case partial
  }

  enum Moment: String {
    case before, middle
  }

  /// The folder that is watched.
  let folder: String
  /// The file that the records are appended to.
  var log: String?
  var failure: (operation: Int, code: Int32, manner: Manner)?
  var kill: (operation: Int, moment: Moment)?
  /// Microseconds to wait before each operation.
  var pause = 0
  /// Seconds since 1970 at which the clock stands still.
  var clock: Int?
  /// How many threads can be started; nil for as many as the system has.
  var threads: Int?
  /// A file to be read in the place of the table of mounts.
  var mounts: String?
  /// Whether reading is what fails.
  var countsReads = false

  init(_ folder: String) { self.folder = folder }

  func environment() throws -> [String: String] {
    var variables = ["LD_PRELOAD": try Self.library.get(), "CRASH_FOLDER": folder]
    variables["CRASH_LOG"] = log
    variables["CRASH_FAIL"] = failure.map { "\($0.operation) \($0.code) \($0.manner)" }
    variables["CRASH_KILL"] = kill.map { "\($0.operation) \($0.moment)" }
    variables["CRASH_READS"] = countsReads ? "1" : nil
    variables["CRASH_PAUSE"] = pause > 0 ? "\(pause)" : nil
    variables["CRASH_CLOCK"] = clock.map { "\($0)" }
    variables["CRASH_THREADS"] = threads.map { "\($0)" }
    variables["CRASH_MOUNTS"] = mounts
    return variables
  }

  // MARK: Building it

  struct NotBuilt: Error, CustomStringConvertible {
    let messages: String
    var description: String {
      "The shim can't be compiled; it needs clang, which comes with Swift.\n\(messages)"
    }
  }

  /// The shim as a library, compiled once a run: users of the package never see it.
  private static let library = Result { try build() }

  private static func build() throws -> String {
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
      .standardizedFileURL
    let source = package.appending(path: "Tests/Shims/shim.c").path
    let library = package.appending(path: ".build/crash-shim.so").path
    let place = try Folder("shim")
    let words = ["clang", "-O1", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", place / "shim.so"]
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let streams = try Streams(in: place, input: "")
    let child = try Child(
      words + [source],
      environment: ["PATH": path],
      descriptors: streams.descriptors
    )
    guard child.wait() == .exited(0) else { throw NotBuilt(messages: streams.errors) }
    try FileManager.default.createDirectory(
      atPath: package.appending(path: ".build").path,
      withIntermediateDirectories: true
    )
    // In one step: another run may be using the one that is there.
    try writeBytes(try readBytes(place / "shim.so"), to: library + ".\(getpid())")
    guard rename(library + ".\(getpid())", library) == 0 else { throw SystemError(library) }
    return library
  }
}
