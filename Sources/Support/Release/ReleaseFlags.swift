import Foundation
import PackagePlugin

/// The flags of a release build, and the files that they name.
///
/// A process on Linux starts in half the time with the libraries of Swift and C++ linked in, nothing
/// exported and its relocations packed. On macOS these libraries are parts of the system.
struct ReleaseFlags {
  /// Whether ICU's data are left out.
  let omitsICU: Bool
  private(set) var parameters = PackageManager.BuildParameters(
    configuration: .release,
    logging: .concise,
    echoLogs: true
  )

  /// Whether a program has ICU's data.
  static func includesICU(_ program: URL, _ context: PluginContext) throws -> Bool {
    try context.run("nm", ["--defined-only", program.path]).contains(/\sR\sicudt\d*_dat\b/)
  }

  init(_ context: PluginContext, omitsICU: Bool) throws {
    self.omitsICU = omitsICU
    #if os(Linux)
      let folder = context.pluginWorkDirectoryURL.appending(path: "linked")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // A plugin can't set `--static-swift-stdlib`, which is this flag of the compiler. The linker
      // finds the libraries in the folder before the shared ones of the system.
      parameters.otherSwiftcFlags = [
        "-static-stdlib", "-use-ld=lld", "-L\(folder.path)", "-Xclang-linker", "-static-libgcc",
      ]
      // By its mangled name a generic type is found at the first use by searches of all conformances, a third of
      // what a short command takes.
      parameters.otherSwiftcFlags += [
        "-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors",
      ]
      parameters.otherLinkerFlags = ["--no-export-dynamic"]
      // Valgrind can't read a newer compiler's debug information of C.
      parameters.otherCFlags = ["-gdwarf-4"]
      if let libc = try? context.run("getconf", ["GNU_LIBC_VERSION"]), libc.hasPrefix("glibc "),
        libc.compare("glibc 2.36", options: .numeric) != .orderedAscending
      {
        parameters.otherLinkerFlags += ["-z", "pack-relative-relocs"]
      }
      try Self.provide("stdc++", in: folder, context)
      // The libraries that libedit needs are linked in with it.
      try Self.provide("edit", with: ["tinfo", "bsd", "md"], in: folder, context)
      if omitsICU { try leaveOutICU(folder, context) }
    #endif
  }
}

#if os(Linux)
  extension ReleaseFlags {
    /// Makes the linker find a library's archives in the folder; if one is missing, the library
    /// stays shared.
    private static func provide(
      _ library: String,
      with others: [String] = [],
      in folder: URL,
      _ context: PluginContext
    ) throws {
      let paths = try ([library] + others)
        .map { try context.run("clang", ["-print-file-name=lib\($0).a"]) }
      let script = folder.appending(path: "lib\(library).a")
      if paths.allSatisfy({ $0.hasPrefix("/") }) {
        let inputs = paths.map { "\"\($0)\"" }.joined(separator: " ")
        try "INPUT(\(inputs))\n".write(to: script, atomically: true, encoding: .utf8)
      } else {
        try? FileManager.default.removeItem(at: script)
      }
    }

    /// Links an empty table instead of ICU's data, half of a program that imports Foundation.
    private mutating func leaveOutICU(_ folder: URL, _ context: PluginContext) throws {
      let archive = try context.tool(named: "swiftc").url.deletingLastPathComponent()
        .appending(path: "../lib/swift_static/linux/lib_FoundationICU.a").standardizedFileURL
      guard FileManager.default.fileExists(atPath: archive.path) else {
        throw ReleaseFailure(
          "The toolchain has no libraries to link in: \(archive.path) is missing."
        )
      }
      let symbols = try context.run("nm", ["--defined-only", archive.path])
      guard let data = symbols.firstMatch(of: /\sR\s(icudt\d*_dat)$/.anchorsMatchLineEndings())?.1
      else { return }
      let object = folder.appending(path: "icudata.o").path
      let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "icudata.c")
      _ = try context.run(
        "clang",
        ["-O2", "-c", "-DICU_DATA=__wrap_\(data)", source.path, "-o", object]
      )
      parameters.otherLinkerFlags += ["--wrap=\(data)", object]
    }
  }
#endif
