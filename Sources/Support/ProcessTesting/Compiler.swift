import Foundation

/// Returns the lines of a view's code that do not compile, in order, with the modules of the tests.
public func errorLines(_ code: String) throws -> [Int] {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("errors-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let file = folder.appendingPathComponent("View.swift")
  try code.write(to: file, atomically: true, encoding: .utf8)
  let compiler = Process()
  compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  compiler.arguments =
    ["swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6"]
    + ["-I", modules?.path ?? "", file.path]
    + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  let output = Pipe()
  compiler.standardError = output
  compiler.standardOutput = FileHandle.nullDevice
  try compiler.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  compiler.waitUntilExit()
  let lines = text.split(separator: "\n")
    .compactMap { line -> Int? in
      let parts = line.split(separator: ":", maxSplits: 4)
      guard parts.count == 5, parts[0].hasSuffix("View.swift"), parts[3] == " error" else {
        return nil
      }
      return Int(parts[1])
    }
  guard !lines.isEmpty || compiler.terminationStatus == 0 else { throw NotCompiled(text: text) }
  return Set(lines).sorted()
}

/// The compiler's error about the code as a whole.
private struct NotCompiled: Error {
  let text: String
}

private let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The folder of the modules.
private let modules: URL? = {
  let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  return [program, package.appendingPathComponent(".build/debug")]
    .map { $0.appendingPathComponent("Modules") }
    .first { folder in
      let module = folder.appendingPathComponent("EventMVVM.swiftmodule")
      return FileManager.default.fileExists(atPath: module.path)
    }
}()

/// The arguments with the maps of the modules in C.
private let maps: [String] = {
  guard let products = modules?.deletingLastPathComponent() else { return [] }
  let names = (try? FileManager.default.contentsOfDirectory(atPath: products.path)) ?? []
  let ours = names.filter { $0.hasSuffix(".build") }
    .map { products.appendingPathComponent("\($0)/module.modulemap").path }
  let theirs = package.appendingPathComponent(
    ".build/checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap"
  )
  return (ours + [theirs.path]).filter { FileManager.default.fileExists(atPath: $0) }
}()
