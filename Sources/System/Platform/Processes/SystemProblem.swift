import CSupervisor
import Foundation

/// An error code of the system in words for a person: the cause, and what to do about it.
package struct SystemProblem: Error, Sendable {
  /// The cause, as a part of a sentence.
  package let cause: String
  /// What to do about it; nil where that depends on what was tried.
  package let remedy: String?
  /// Whether what the process or others do at the moment is the cause.
  package let isMomentary: Bool

  /// Describes an error code.
  package init(_ code: Int32) {
    isMomentary = [EMFILE, ENFILE, ENOMEM].contains(code)
    switch code {
    case EMFILE:
      let limit = SystemLimit.openFiles.value.map { "only \($0)" } ?? "no more"
      (cause, remedy) = ("the process may have \(limit) files open", "raise 'ulimit -n'")
    case ENFILE:
      (cause, remedy) = ("the system may open no more files", "end other programs")
    case ENOMEM:
      (cause, remedy) = ("there is no memory left", "end other programs, or raise 'ulimit -v'")
    case EISDIR: (cause, remedy) = ("it is a folder; name a file", nil)
    case EFBIG:
      (cause, remedy) = ("the file may not grow beyond the limit of 'ulimit -f'", "raise it")
    default:
      (cause, remedy) = (String(cString: strerror(code)), nil)
    }
  }

  /// The cause after what was tried, with what to do about it.
  ///
  /// - Parameters:
  ///   - attempt: What was tried.
  ///   - remedy: What to do if the cause alone does not say it.
  /// - Returns: Both, as one sentence without a full stop.
  package func text(after attempt: String, else remedy: String) -> String {
    "\(attempt): \(cause); \(self.remedy ?? remedy)"
  }

  /// The cause, with what to do about it if that is known.
  package var text: String { remedy.map { "\(cause): \($0)" } ?? cause }

  /// Opens and closes a few files.
  ///
  /// SQLite and other libraries don't report it as the cause when they fail.
  ///
  /// - Parameter count: How many files are to be opened at once.
  /// - Returns: The problem if they can't be opened for lack of descriptors; nil if they can.
  package static func ofOpening(_ count: Int) -> SystemProblem? {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        return errno == EMFILE || errno == ENFILE ? SystemProblem(errno) : nil
      }
      opened.append(descriptor)
    }
    return nil
  }
}

/// A limit of the process, which `ulimit` shows.
package enum SystemLimit {
  /// How many files it may have open.
  case openFiles
  /// How long a file that it writes may be, in bytes.
  case fileSize
  /// How much memory it may map, in bytes.
  case memory

  /// Makes all threads of the process allocate from one arena: each would else reserve 64 MiB of what
  /// ``memory`` limits.
  package static func allocateFromOneArena() { cs_use_one_arena() }

  /// The limit; nil if there is none.
  package var value: Int? {
    var limit = rlimit()
    // What stands for "unlimited" is more than any `Int`.
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(Int.max) else { return nil }
    return Int(limit.rlim_cur)
  }

  #if canImport(Glibc)
    private var resource: __rlimit_resource_t {
      switch self {
      case .openFiles: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      case .fileSize: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      case .memory: __rlimit_resource_t(RLIMIT_AS.rawValue)
      }
    }
  #else
    private var resource: Int32 {
      switch self {
      case .openFiles: RLIMIT_NOFILE
      case .fileSize: RLIMIT_FSIZE
      case .memory: RLIMIT_AS
      }
    }
  #endif
}
