import Foundation

/// The arguments of the process.
package enum ProcessArguments {
  /// The name by which the process was started, and the words after it.
  ///
  /// C strings that are never freed; read once, and empty if they can't be known.
  ///
  /// Swift finds them beside the environment at the start. Where a library has set a variable before
  /// `main`, in a constructor, the environment has moved, and Swift has none (swiftlang/swift
  /// issue 76080): then they are those that the system knows.
  // Unsafe, as a pointer is not `Sendable`: these strings are never written to, nor freed. Copies would
  // cost each start of the program.
  nonisolated(unsafe) package static let all: [UnsafePointer<CChar>] = {
    let known = (0..<max(0, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }
    return known.isEmpty ? ofSystem : known.map { UnsafePointer($0) }
  }()

  private static var ofSystem: [UnsafePointer<CChar>] {
    guard let bytes = try? OrdinaryFile.contents("/proc/self/cmdline") else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .compactMap { word in strdup(word.map { CChar(bitPattern: $0) } + [0]) }
      .map { UnsafePointer($0) }
  }
}
