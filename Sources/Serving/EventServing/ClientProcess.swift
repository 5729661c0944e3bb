import Foundation

/// The process of the client, with which a session ends.
package struct ClientProcess: Sendable {
  private let number: pid_t

  /// Creates a reference to a process; nil for an invalid number.
  package init?(_ number: Int) {
    guard number > 0, let number = pid_t(exactly: number) else { return nil }
    self.number = number
  }

  /// Whether it is running; a zombie is not.
  package var isRunning: Bool {
    if kill(number, 0) != 0, errno == ESRCH { return false }
    #if os(Linux)
      // "number (name) state …": the name may contain any character.
      let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .isoLatin1)
      guard let text, let name = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return true }
      let state = text.utf8[name...].dropFirst(2).first
      return state != UInt8(ascii: "Z") && state != UInt8(ascii: "X")
    #else
      return true
    #endif
  }
}
