import Foundation
import Platform

/// The user's program for reading text that is longer than the screen: `$PAGER`, else `less`.
struct Pager {
  private let command: String

  /// - Returns: nil if the user wants none, by `PAGER=cat` or an empty `PAGER`.
  init?() {
    command = getenv("PAGER").map { String(cString: $0) } ?? "less"
    guard !command.isEmpty, command != "cat" else { return nil }
  }

  /// Shows a text until the person has read it.
  ///
  /// By `popen`, as Foundation's processes have a process group of their own, which may not read
  /// from the terminal.
  ///
  /// - Returns: False if there is no such program.
  func show(_ bytes: [UInt8]) -> Bool {
    // Colours are shown, and text that fits on the screen needs no key.
    setenv("LESS", "FRX", 0)
    guard let pager = popen(command, "w") else { return false }
    // The pager closes the pipe when the person quits it.
    fwrite(bytes, 1, bytes.count, pager)
    return pclose(pager) >> 8 != 127
  }
}
