import EventCommands
import EventMVVM
import EventPatterns

/// A file that the REPL runs before its first prompt: lines of the REPL's own, after them commands that run
/// as one script, and screens to open when it has run.
struct StartupFile {
  /// The lines of the REPL's own, in order.
  private(set) var own: [OwnCommand] = []
  /// The lines that open a screen, in order.
  private(set) var openings: [String] = []
  /// The commands: the file, with blanks where those lines were, so that positions in it stay
  /// valid.
  private(set) var commands: SourceText

  /// Parses a file.
  ///
  /// - Parameter source: The file.
  /// - Throws: A problem for an unknown line of the REPL's own, or one after a command: such lines
  ///   take effect at once, and commands all together.
  init(_ source: SourceText) throws(Problem) {
    var bytes = source.bytes
    var continuation = Continuation()
    var hasCommand = false
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      let line = bytes[start..<end]
      let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      if !continuation.isOpen, text.first == UInt8(ascii: ".") {
        own.append(try Self.own(text, isBehindCommand: hasCommand, source))
        Self.blank(text, in: &bytes)
      } else if !continuation.isOpen, Self.opens(text) {
        openings.append(Self.string(text))
        Self.blank(text, in: &bytes)
      } else {
        continuation.take(line)
        let first = text.first { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        hasCommand = hasCommand || (first != nil && first != UInt8(ascii: "#"))
      }
      start = end
    }
    commands = SourceText(name: source.name, bytes: bytes)
  }

  private static func blank(_ line: ArraySlice<UInt8>, in bytes: inout [UInt8]) {
    for index in line.indices where bytes[index] != UInt8(ascii: "\n") {
      bytes[index] = UInt8(ascii: " ")
    }
  }

  private static func string(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.filter { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }

  private static func opens(_ line: ArraySlice<UInt8>) -> Bool {
    let verb = Array(RequestOpen.verb.utf8)
    let rest = line.dropFirst(verb.count)
    return line.starts(with: verb) && rest.first.map { $0 == UInt8(ascii: " ") } ?? false
  }

  private static func own(
    _ line: ArraySlice<UInt8>,
    isBehindCommand: Bool,
    _ source: SourceText
  ) throws(Problem) -> OwnCommand {
    let text = string(line)
    var message = "a line that begins with a dot stands before the first command"
    if !isBehindCommand, let own = OwnCommand(text) {
      guard case .unknown(let reason) = own else { return own }
      message = reason
    }
    throw Problem(
      failure: Failure(.usage, message),
      diagnostic: Diagnostic(message: message, at: line.startIndex, in: source)
    )
  }
}
