import Foundation

/// A program to be started, spawned without Foundation's `Process`.
///
/// On Linux that one may not be used by two threads at once, and hands down the signal mask of the
/// thread, which in a pool lets no signal through: a shell then never hears of its children.
struct Spawning {
  let arguments: [String]
  let environment: [String: String]
  /// The files that are its standard input, output and error.
  let streams: [String]

  struct Failed: Error {
    let code: Int32
  }

  /// Starts it, and gives the number of its process.
  func start() throws -> pid_t {
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
    for (descriptor, path) in streams.enumerated() {
      let flags = descriptor == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
      posix_spawn_file_actions_addopen(&actions, Int32(descriptor), path, flags, 0o600)
    }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = Int16(truncatingIfNeeded: Int(POSIX_SPAWN_SETSIGMASK) | Int(POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setflags(&attributes, flags)

    let variables = environment.map { "\($0)=\($1)" }.sorted()
    var process = pid_t()
    let code = Self.withCStrings(arguments) { arguments in
      Self.withCStrings(variables) { variables in
        posix_spawn(&process, self.arguments[0], &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else { throw Failed(code: code) }
    return process
  }

  /// Texts as C wants a list of them: pointers, and nil behind the last.
  private static func withCStrings<T>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> T
  ) -> T {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
