import Foundation

/// How many characters a terminal shows.
package struct TerminalSize: Sendable, Equatable {
  /// No terminal is taken to be wider than this.
  ///
  /// One that says that it is would have each key paint as many blanks.
  private static let mostColumns = 1000

  /// The columns, at least one.
  package var columns: Int
  /// The rows, at least one.
  package var rows: Int

  /// A size.
  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The size of the terminal at a descriptor; nil if it is none, or does not know.
  package init?(of descriptor: Int32) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    self.init(columns: min(Int(size.ws_col), Self.mostColumns), rows: Int(size.ws_row))
  }
}
