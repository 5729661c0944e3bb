import Platform
import Foundation

/// The lines of `.editrc` that are safe for libedit.
struct EditRC {
  /// The non-empty lines, in order.
  private(set) var lines: [String] = []
  /// The part that is not used, and why, as a sentence.
  private(set) var problem: String?

  private static let mostBytes = 1 << 20
  /// libedit copies a word of `bind` into 1024 characters on its stack, and does not check whether
  /// it has room (`map_bind`, `parse__string`).
  private static let longestLine = 1000

  /// The file of the user: `$EDITRC`, else `~/.editrc`.
  static var ofUser: EditRC {
    let path =
      getenv("EDITRC").map { String(cString: $0) }
      ?? getenv("HOME").map { String(cString: $0) + "/.editrc" }
    return path.map(EditRC.init) ?? EditRC()
  }

  private init() {}

  private init(_ path: String) {
    do throws(OrdinaryFile.Refusal) {
      let bytes = try OrdinaryFile.read(path, atMost: Self.mostBytes)
      take(String(decoding: bytes, as: UTF8.self), path)
    } catch {
      switch error {
      // Most people have none.
      case .unreadable: break
      case .notOrdinary: problem = "\(path) is not used: it is no ordinary file."
      case .tooLong: problem = "\(path) is not used: it is longer than \(Self.mostBytes) bytes."
      }
    }
  }

  private mutating func take(_ text: String, _ path: String) {
    let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in all.enumerated() {
      let line = line.drop { $0.isWhitespace }
      guard !line.isEmpty, line.first != "#" else { continue }
      guard line.utf8.count <= Self.longestLine else {
        problem =
          problem
          ?? "\(path): line \(index + 1) is not used: it is longer than \(Self.longestLine) bytes."
        continue
      }
      lines.append(String(line))
    }
  }
}
