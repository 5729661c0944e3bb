import Foundation

/// The size of a terminal, in characters.
package struct TerminalSize: Sendable, Equatable {
  /// The most columns that a terminal is assumed to have.
  ///
  /// A wider claim would make each key paint as many blanks.
  private static let mostColumns = 1000

  /// The columns, at least one.
  package var columns: Int
  /// The rows, at least one.
  package var rows: Int

  /// Creates a size.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The size of the terminal at a descriptor; nil if it is no terminal, or reports no size.
  package init?(of descriptor: Int32) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    self.init(columns: min(Int(size.ws_col), Self.mostColumns), rows: Int(size.ws_row))
  }
}
