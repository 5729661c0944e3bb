import Foundation

/// The process of the client, with which a session ends.
package struct ClientProcess: Sendable {
  private let number: pid_t

  /// Names a process; nil for a number that none can have.
  package init?(_ number: Int) {
    guard number > 0, let number = pid_t(exactly: number) else { return nil }
    self.number = number
  }

  /// Whether it has not ended; a zombie has.
  package var isRunning: Bool {
    if kill(number, 0) != 0, errno == ESRCH { return false }
    #if os(Linux)
      // "number (name) state …": the name may have any character.
      let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .isoLatin1)
      guard let text, let name = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return true }
      let state = text.utf8[name...].dropFirst(2).first
      return state != UInt8(ascii: "Z") && state != UInt8(ascii: "X")
    #else
      return true
    #endif
  }
}
