import EventMVVM
import Foundation
import Platform

/// The program that serves the page, which lies beside this one or on the search path.
struct InspectorProgram {
  private static let name = "todostream-inspector"

  private let path: String
  /// The program that runs now.
  private let own = Self.executable

  /// Finds the program.
  ///
  /// - Throws: Where it was looked for.
  init() throws(Failure) {
    let beside = URL(filePath: Self.executable).deletingLastPathComponent().path
    let search = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = search.split(separator: ":").map { String($0) }.filter { $0.hasPrefix("/") }
    let found = ([beside] + folders).map { folder -> String in "\(folder)/\(Self.name)" }
      .first { access($0, X_OK) == 0 }
    guard let found else {
      throw Failure(
        .usage,
        "There is no '\(Self.name)' in \(beside) or on the search path; it is built from Frontends/Inspector."
      )
    }
    path = found
  }

  private static var executable: String {
    #if os(Linux)
      let link = "/proc/self/exe"
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: link))
        ?? ProcessArguments.all.first.map { String(cString: $0) } ?? ""
    #else
      return Bundle.main.executablePath ?? ProcessArguments.all.first.map { String(cString: $0) }
        ?? ""
    #endif
  }

  /// Replaces this program by it, which then serves recordings.
  ///
  /// - Throws: Why it can't be run.
  func become(_ files: [String], _ port: UInt16?) throws(Failure) -> Never {
    let words =
      [path, "--program", own] + (port.map { ["--port", String($0)] } ?? []) + ["--"] + files
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    execv(path, arguments)
    throw Failure(.store, "\(path) can't be run: \(SystemProblem(errno).text).")
  }

  /// Starts it beside this program, with a file of events that is being written; it ends some time after this program,
  /// once no page is open.
  ///
  /// - Parameters:
  ///   - events: The file, which it opens by its descriptor.
  ///   - place: The port.
  ///   - isWritable: Whether it sends commands over the connection.
  /// - Returns: The address that opens the page, and the connection.
  /// - Throws: Why it can't be run.
  func serve(
    _ events: Int32,
    _ place: InspectorPort,
    _ isWritable: Bool
  ) throws(Failure) -> (address: String, connection: Int32) {
    var ends: [Int32] = [0, 0]
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw Failure(.store, "The inspector can't be started: \(SystemProblem(errno).text).")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["--beside", String(getpid())]
    if case .number(let port) = place { process.arguments? += ["--port", String(port)] }
    if isWritable { process.arguments?.append("--write") }
    process.arguments?.append("/dev/stdin")
    process.standardInput = FileHandle(fileDescriptor: events, closeOnDealloc: false)
    process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    defer { close(ends[1]) }
    do {
      try process.run()
    } catch {
      close(ends[0])
      throw Failure(.store, "\(path) can't be run: \(error.localizedDescription).")
    }
    close(ends[1])
    ends[1] = -1
    // It prints one line, or ends.
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) == 1, byte != 10 { line.append(byte) }
    guard byte == 10 else {
      close(ends[0])
      throw Failure(.usage, "The inspector does not start.")
    }
    return (String(decoding: line, as: UTF8.self), ends[0])
  }
}
