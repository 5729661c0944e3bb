import EventCommands
import EventMVVM
import Foundation

/// An observer's standard error: the newest output in two files of limited size, never shown
/// unescaped.
final class ObserverLog: Sendable {
  /// The bytes that are read in a second; a program that writes more waits.
  private static let bytesPerSecond = 65_536.0

  private let path: String?
  private let lastLine = Locked("")
  private let isOver = DispatchGroup()

  /// Stores the output in a file.
  ///
  /// - Parameters:
  ///   - path: The file; nil stores only the last line.
  ///   - descriptor: The descriptor of the output; closed at its end.
  init(_ path: String?, reading descriptor: Int32) {
    self.path = path
    isOver.enter()
    guard !startThread({ [self] in copy(descriptor) }) else { return }
    close(descriptor)
    isOver.leave()
  }

  /// The last line that is not blank, escaped for display; waits briefly for the end of the output.
  var complaint: String {
    _ = isOver.wait(timeout: .now() + 5)
    return lastLine.withLock { $0 }
  }

  private func copy(_ descriptor: Int32) {
    defer {
      close(descriptor)
      isOver.leave()
    }
    var allowance = Allowance(most: Self.bytesPerSecond, perSecond: Self.bytesPerSecond)
    var buffer = [UInt8](repeating: 0, count: 4096)
    let file = path.map { LogFile($0) }
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      file?.append(Array(buffer[..<count]))
      note(buffer[..<count])
      let wait = allowance.take(Double(count))
      if wait > 0 { Thread.sleep(forTimeInterval: wait) }
    }
  }

  private func note(_ bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    guard let line = lines.last(where: { !$0.allSatisfy(\.isWhitespace) }) else { return }
    lastLine.withLock { $0 = escapedForTerminal(line.prefix(200)) }
  }
}
