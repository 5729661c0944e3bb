/// What can be fuzzed: each takes any bytes, and ends the process where what must hold of them does
/// not.
package enum Fuzzer: String, CaseIterable, Sendable {
  /// Scripts, as text.
  case Tokenizer
  /// Scripts, carried out on a storage in memory.
  case Commands
  /// JSON parameters of every command.
  case Parameters
  /// What a client of the server sends.
  case Frames
  /// The rows of a store.
  case Rows
  /// Edits of recorded sessions, which are replayed.
  case Recordings

  /// Checks one input.
  package func check(_ bytes: [UInt8]) {
    switch self {
    case .Tokenizer: checkTokenizer(bytes)
    case .Commands: checkCommands(bytes)
    case .Parameters: checkParameters(bytes)
    case .Frames: checkFrames(bytes)
    case .Rows: checkRows(bytes)
    case .Recordings: checkRecordings(bytes)
    }
  }

  /// The folder of its seeds, in `Tests/Programs/Fuzz/Seeds`.
  package var seeds: String {
    switch self {
    case .Tokenizer, .Commands: "Scripts"
    case .Parameters, .Frames, .Rows, .Recordings: rawValue
    }
  }
}
