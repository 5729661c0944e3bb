import EventCommands
import EventMVVM
import Foundation

/// What an observer writes on its standard error: the newest of it kept in two files of limited
/// size, never shown raw.
final class ObserverLog: Sendable {
  /// How much is read in a second; a program that writes more waits.
  private static let bytesPerSecond = 65_536.0

  private let path: String?
  private let lastLine = Locked("")
  private let isOver = DispatchGroup()

  /// Keeps what comes in a file.
  ///
  /// - Parameters:
  ///   - path: The file; nil keeps nothing but the last line.
  ///   - descriptor: Where it comes from; closed at its end.
  init(_ path: String?, reading descriptor: Int32) {
    self.path = path
    isOver.enter()
    guard !startThread({ [self] in copy(descriptor) }) else { return }
    close(descriptor)
    isOver.leave()
  }

  /// The last line that is not blank, fit to be shown; once nothing more comes, or soon.
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
