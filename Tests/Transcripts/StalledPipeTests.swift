import Foundation
import Testing

/// A script whose end is long in coming keeps nobody waiting.
struct StalledPipeTests {
  @Test func `a script fed by a stalled pipe holds no lock on the store`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("todostream-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appendingPathComponent("todos.sqlite").path
    let pipe = Pipe()
    let script = Process()
    script.executableURL = Self.binary
    script.arguments = ["--store", store]
    script.standardInput = pipe
    script.standardOutput = FileHandle.nullDevice
    try script.run()
    try pipe.fileHandleForWriting.write(contentsOf: Data("add From the script\n".utf8))

    #expect(
      try Self.run(["--store", store, "add", "From", "a", "command"]) == "Added #1 From a command\n"
    )

    try pipe.fileHandleForWriting.close()
    script.waitUntilExit()
    #expect(script.terminationStatus == 0)
    #expect(
      try Self.run(["--store", store, "list"])
        == "#2 [ ] From the script\n#1 [ ] From a command\n"
    )
  }

  /// The built program, beside the test bundle.
  private static let binary = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("todostream")

  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = binary
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
