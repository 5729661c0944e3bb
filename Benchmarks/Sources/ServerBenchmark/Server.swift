import Foundation

/// A program that is spoken to over its standard input and output, with `Content-Length` headers.
final class Server {
  let process = Process()
  private let input: Int32
  private let output: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 20)
  private var bytes: [UInt8] = []
  private var first = 0

  init(_ program: String, _ arguments: [String]) throws {
    let (toServer, fromServer) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = toServer
    process.standardOutput = fromServer
    process.standardError = FileHandle.nullDevice
    try process.run()
    input = dup(toServer.fileHandleForWriting.fileDescriptor)
    output = dup(fromServer.fileHandleForReading.fileDescriptor)
    try toServer.fileHandleForWriting.close()
    try toServer.fileHandleForReading.close()
    try fromServer.fileHandleForReading.close()
    try fromServer.fileHandleForWriting.close()
  }

  func end() {
    close(input)
    process.waitUntilExit()
    close(output)
  }

  // MARK: Messages

  static func frame(_ message: String) -> [UInt8] {
    Array("Content-Length: \(message.utf8.count)\r\n\r\n\(message)".utf8)
  }

  static func request(_ id: Int, _ method: String, _ params: String = "{}") -> [UInt8] {
    frame(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
  }

  func write(_ frame: [UInt8]) {
    Self.write(frame, to: input)
  }

  /// Writes on a thread of its own, while answers are read here.
  func writeAside(_ frames: [UInt8]) {
    Thread.detachNewThread { [input] in Self.write(frames, to: input) }
  }

  private static func write(_ frame: [UInt8], to input: Int32) {
    var rest = frame[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { stop("the server has gone") }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads one message, or none if nothing is there to be read for so many milliseconds.
  func read(within milliseconds: Int32 = -1) -> ArraySlice<UInt8>? {
    while true {
      if let message = takeMessage() { return message }
      var place = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      if milliseconds >= 0, poll(&place, 1, milliseconds) == 0 { return nil }
      fill()
    }
  }

  private func fill() {
    if first > 0 {
      bytes.removeFirst(first)
      first = 0
    }
    let count = Foundation.read(output, &buffer, buffer.count)
    guard count > 0 else { stop("the server has gone") }
    bytes += buffer[..<count]
  }

  private func takeMessage() -> ArraySlice<UInt8>? {
    let name = "Content-Length: ".utf8.count
    guard bytes.count - first > name else { return nil }
    var index = first + name
    var length = 0
    while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
      length = length * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    // Other headers may come; the empty line is what counts.
    while index + 3 < bytes.count {
      if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10
      {
        let start = index + 4
        guard bytes.count - start >= length else { return nil }
        first = start + length
        return bytes[start..<start + length]
      }
      index += 1
    }
    return nil
  }

  /// Sends a request, and reads up to its answer.
  @discardableResult
  func call(_ id: Int, _ method: String, _ params: String = "{}") -> String {
    write(Self.request(id, method, params))
    while let message = read() {
      let text = String(decoding: message, as: UTF8.self)
      if text.contains("\"id\":\(id),") || text.contains("\"id\": \(id),") { return text }
    }
    return ""
  }

  // MARK: Time

  /// The nanoseconds of processor time that the process has taken.
  var processorTime: Double {
    let folder = "/proc/\(process.processIdentifier)/task"
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return tasks.reduce(0) { sum, task in
      let text = try? String(contentsOfFile: "\(folder)/\(task)/schedstat", encoding: .utf8)
      return sum + (text?.split(separator: " ").first.flatMap { Double($0) } ?? 0)
    }
  }
}

/// Says what is missing, and ends.
func stop(_ problem: String) -> Never {
  FileHandle.standardError.write(Data("ServerBenchmark: \(problem)\n".utf8))
  exit(1)
}
