import EventCommands
import EventMVVM
import Foundation

/// What an observer writes on its standard error: kept in a file of limited size, never shown raw.
final class ObserverLog: Sendable {
  /// The bytes that the file has at most; what comes behind them is lost.
  static let mostBytes = 262_144
  /// How much is read in a second; whoever writes more waits.
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
    let thread = Thread { [self] in copy(descriptor) }
    thread.name = "observer's errors"
    thread.start()
  }

  /// The last line that is not blank, fit to be shown; once nothing more comes, or soon.
  var complaint: String {
    _ = isOver.wait(timeout: .now() + 0.2)
    return lastLine.withLock { $0 }
  }

  private func copy(_ descriptor: Int32) {
    defer {
      close(descriptor)
      isOver.leave()
    }
    var allowance = Allowance(most: Self.bytesPerSecond, perSecond: Self.bytesPerSecond)
    var buffer = [UInt8](repeating: 0, count: 4096)
    var file: Int32 = -1
    defer { if file >= 0 { close(file) } }
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      if file < 0 { file = open() }
      keep(buffer[..<count], in: file)
      note(buffer[..<count])
      let wait = allowance.take(Double(count))
      if wait > 0 { Thread.sleep(forTimeInterval: wait) }
    }
  }

  /// Opens the file behind what is there, or anew if that has become too much.
  private func open() -> Int32 {
    guard let path else { return -1 }
    let folder = URL(filePath: path).deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC
    let file = Foundation.open(path, flags, 0o600)
    if file >= 0, size(of: file) >= Self.mostBytes { ftruncate(file, 0) }
    return file
  }

  private func keep(_ bytes: ArraySlice<UInt8>, in file: Int32) {
    guard file >= 0, size(of: file) + bytes.count <= Self.mostBytes else { return }
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
  }

  private func size(of file: Int32) -> Int {
    var status = stat()
    return fstat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  private func note(_ bytes: ArraySlice<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline)
    guard let line = lines.last(where: { !$0.allSatisfy(\.isWhitespace) }) else { return }
    lastLine.withLock { $0 = escapedForTerminal(line.prefix(200)) }
  }
}
