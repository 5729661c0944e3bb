public import Foundation

/// A program to be started, without Foundation's `Process`.
///
/// On Linux two threads may not use that at once, and the program inherits the signal mask of the
/// thread, which in a pool blocks all signals: a shell then gets no signal of its children.
///
/// The program inherits its standard streams and no other descriptor: those of other tests would be
/// counted as its own, or stay open in it.
public struct Spawning {
  /// A standard stream of the program.
  public enum Stream {
    /// A file, to which output is appended.
    case file(String)
    /// A terminal, to be read and written; it controls the program's new session.
    case terminal(String)
    /// A copy of a descriptor of this process.
    case descriptor(Int32)
  }

  private let arguments: [String]
  private let environment: [String: String]
  private let streams: [Stream]

  struct Failed: Error, CustomStringConvertible {
    let program: String
    let code: Int32
    var description: String { "\(program): \(String(cString: strerror(code)))" }
  }

  /// Creates a description of a program.
  ///
  /// - Parameters:
  ///   - arguments: The path of the program, and its arguments.
  ///   - environment: All of its environment.
  ///   - streams: Its standard input, output and error.
  public init(_ arguments: [String], environment: [String: String], streams: [Stream]) {
    self.arguments = arguments
    self.environment = environment
    self.streams = streams
  }

  /// Starts the program, and returns the number of its process.
  public func start() throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, stream) in streams.enumerated() {
      switch stream {
      case .file(let path):
        let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, Int32(number), path, flags, 0o600)
      case .terminal(let path):
        posix_spawn_file_actions_addopen(&actions, Int32(number), path, O_RDWR, 0)
      case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
      }
    }
    #if canImport(Glibc)
      _ = Self.closeFrom(&actions, Int32(streams.count))
    #endif
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF)
    #if canImport(Darwin)
      flags |= Int(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #endif
    // POSIX_SPAWN_SETSID: the first terminal that the leader of a session opens controls it.
    if hasTerminal { flags |= 0x80 }
    posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

    let variables = environment.map { "\($0)=\($1)" }.sorted()
    var process = pid_t()
    let code = Self.withCStrings(arguments) { arguments in
      Self.withCStrings(variables) { variables in
        posix_spawn(&process, self.arguments[0], &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else { throw Failed(program: arguments[0], code: code) }
    return process
  }

  #if canImport(Glibc)
    /// `posix_spawn_file_actions_addclosefrom_np` (glibc 2.34), which its header declares for GNU
    /// sources only.
    private static let closeFrom = unsafeBitCast(
      dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
      to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self
    )
  #endif

  private var hasTerminal: Bool {
    streams.contains { if case .terminal = $0 { true } else { false } }
  }

  /// Calls `body` with a list of C strings that ends with nil.
  private static func withCStrings<T>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> T
  ) -> T {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
