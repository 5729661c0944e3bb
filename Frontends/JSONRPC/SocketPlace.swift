import EventCommands
import EventMVVM
package import EventValues
import Foundation
import Platform
package import JSONText

/// The location where clients connect: `--listen` or `--listen=PATH`, and `--attach` likewise.
package enum SocketPlace: Sendable, Equatable {
  /// None: not requested.
  case nowhere
  /// A socket derived from the store, so that a client of the same store finds it.
  case ofStore
  /// A path that the user gave.
  case path(String)
}

extension SocketPlace: CommandProperty {
  package static var arity: ValueArity { .flagOrValue }
  package static var shape: ValueShape { ValueShape("PATH") }

  package mutating func take(word: String) throws(ValueError) {
    self = word.isEmpty ? .ofStore : .path(word)
  }

  package mutating func take(json: JSON) throws(ValueError) {
    guard case .string(let text) = json else {
      throw ValueError("expected a string, found \(json.kind)")
    }
    try take(word: text)
  }
}

/// The options of a listener.
struct SocketOptions: Sendable {
  static let flag = "--listen"
  var listen = SocketPlace.nowhere

  static let spec = CommandSpec<Self>("", "")
    .option(\.listen, "Serves further clients on a Unix socket", flag: flag)
}

extension SocketPlace {
  /// The path of the socket.
  ///
  /// - Parameters:
  ///   - session: The session with the store.
  ///   - flag: The option that requests it, for an error.
  ///   - makesFolder: Whether the folder of sockets derived from stores is created.
  /// - Returns: The path.
  /// - Throws: Why there is no location for one.
  func path(
    _ session: ProcessSession,
    for flag: String,
    makesFolder: Bool = false
  ) throws(Failure) -> String {
    if case .path(let path) = self { return path }
    guard let base = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), base.hasPrefix("/")
    else {
      throw Failure(
        .usage,
        "\(flag) finds no place, as $XDG_RUNTIME_DIR is not set; name one with \(flag)=PATH."
      )
    }
    let folder = "\(base)/\(session.program)"
    if makesFolder { mkdir(folder, 0o700) }
    var status = stat()
    guard lstat(folder, &status) == 0 || !makesFolder else {
      throw Failure(.usage, "\(folder) can't be made: \(SystemProblem(errno).text).")
    }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let isPrivate = status.st_uid == geteuid() && status.st_mode & 0o022 == 0
    guard isFolder && isPrivate || !makesFolder else {
      throw Failure(.usage, "\(folder) can't be used: it is no folder, or others can change it.")
    }
    return "\(folder)/\(Self.number(realPath(ofStore: session.store))).sock"
  }

  /// Returns a number for a path: FNV-1a, 64 bits.
  private static func number(_ path: String) -> String {
    let number = path.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
