package import EventMVVM
import EventValues
import JSONText

/// How results are shown: as text for people, or as JSON for programs.
public struct Rendering: Sendable {
  /// Whether results are JSON.
  public var isJSON = false
  /// Whether text has colour.
  package var hasColor = false
  /// Whether confirmations are left out.
  package var isQuiet = false

  /// The columns of a line of text; nil if lines may have any length.
  package var width: Int?
  /// Whether dates are written as people say them at this moment; else as ISO 8601.
  package var saysDates = false

  /// Whether a JSON value is a line of its own.
  package var endsLines = true

  /// Creates a rendering without colour, as text or as JSON.
  public init(isJSON: Bool = false) {
    self.isJSON = isJSON
  }

  /// Returns a result as it is printed.
  func printout<C: Command>(of value: C.Reply.Value, _ command: C) -> Printout {
    Printout(bytes(of: value, command), value.exitStatus, isConfirmation: C.writes)
  }

  /// Returns a JSON value, or the end of one, as it is printed.
  func line(_ json: consuming [UInt8], isWhole: Bool) -> [UInt8] {
    if endsLines, isWhole { json.append(UInt8(ascii: "\n")) }
    return json
  }

  /// Returns a result as it is shown: as text, or as one JSON value on a line.
  package func bytes<C: Command>(of value: C.Reply.Value, _ command: C) -> [UInt8] {
    if isJSON {
      // Reserves room for most results, to avoid reallocation.
      var json = JSONWriter(capacity: 512)
      value.write(to: &json)
      return line(json.takeBytes(), isWhole: true)
    }
    var page = Page(
      hasColor: hasColor,
      isQuiet: isQuiet,
      width: width,
      clock: saysDates ? .ofProcess : nil
    )
    command.show(value, on: &page)
    return page.bytes
  }
}

/// A result that is ready to be printed.
public struct Printout: Sendable {
  /// What to print.
  public let bytes: [UInt8]
  /// The exit status of a process that prints it.
  public let exitStatus: ExitStatus
  /// Whether it only confirms a change, which is stored even if this can't be printed.
  package let isConfirmation: Bool

  /// Creates a printout.
  package init(_ bytes: [UInt8], _ exitStatus: ExitStatus, isConfirmation: Bool) {
    self.bytes = bytes
    self.exitStatus = exitStatus
    self.isConfirmation = isConfirmation
  }
}
