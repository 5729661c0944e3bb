import Foundation
import PackagePlugin

/// Builds the programs of a package for installation: `swift package release [--product NAME]…`.
///
/// The package is the one in which the command is run, this one or one that depends on it. The
/// build folder has each program with its symbols, and the folder of the command has it without
/// them.
@main struct Release: CommandPlugin {
  static let usage = """
    USAGE: swift package release [--product NAME]… [--no-icu]

    Builds the executable products of the package, or those that are named, for release, and prints \
    where each is.

      --product NAME  Builds this one. It can be given several times.
      --no-icu        Omits ICU's data, 34 MB: without them Foundation's formatters stop the program, and
                      time zones have no names.
    """

  func performCommand(context: PluginContext, arguments: [String]) throws {
    var words = ArgumentExtractor(arguments)
    guard words.extractFlag(named: "help") == 0 else { return print(Self.usage) }
    let named = words.extractOption(named: "product")
    let omitsICU = words.extractFlag(named: "no-icu") > 0
    if let word = words.remainingArguments.first {
      throw ReleaseFailure("'\(word)' is not an option.\n\(Self.usage)")
    }
    let programs = context.package.products(ofType: ExecutableProduct.self).map(\.name).sorted()
    if let name = named.first(where: { !programs.contains($0) }) {
      throw ReleaseFailure(
        "'\(name)' is not an executable product; those of this package: "
          + programs.joined(separator: ", ")
      )
    }
    guard !programs.isEmpty else {
      throw ReleaseFailure("The package has no executable product.")
    }
    let flags = try ReleaseFlags(context, omitsICU: omitsICU)
    for name in named.isEmpty ? programs : named { try build(name, flags, context) }
  }

  private func build(_ name: String, _ flags: ReleaseFlags, _ context: PluginContext) throws {
    let result = try packageManager.build(.product(name), parameters: flags.parameters)
    guard result.succeeded,
      let built = result.builtArtifacts.first(where: { $0.kind == .executable })
    else {
      let cause = MissingLibrary(in: result.logText).map { ": \($0.advice)" } ?? ""
      throw ReleaseFailure("'\(name)' was not built\(cause).")
    }
    let program = context.pluginWorkDirectoryURL.appending(path: name)
    _ = try context.run("strip", ["-o", program.path, built.url.path])
    let size = try FileManager.default.attributesOfItem(atPath: program.path)[.size] as? Int ?? 0
    print("\(program.path)  \(size / 1_000_000).\(size / 100_000 % 10) MB")
    if !flags.omitsICU, try ReleaseFlags.includesICU(built.url, context) {
      print("34 MB of it are ICU's data; if it uses no formatter of Foundation, --no-icu will do.")
    }
  }
}

/// A library that the linker has not found.
private struct MissingLibrary {
  let name: Substring

  /// Finds it in the output of a build.
  init?(in log: String) {
    guard let match = log.firstMatch(of: /unable to find library -l([\w+.-]+)/) else { return nil }
    name = match.1
  }

  /// What to do about it: FoundationNetworking needs curl, FoundationXML xml2.
  var advice: String {
    let packages = [
      "curl": "libcurl4-openssl-dev", "edit": "libedit-dev", "pq": "libpq-dev",
      "sqlite3": "libsqlite3-dev", "xml2": "libxml2-dev", "z": "zlib1g-dev",
    ]
    let remedy = packages[String(name)].map { "on Debian and Ubuntu, apt install \($0)" }
    return "the library '\(name)' is missing; \(remedy ?? "install its files for development")"
  }
}

/// The reason why the command failed, as a sentence.
struct ReleaseFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension PluginContext {
  /// Returns the output of a tool of the toolchain or the system, without its last newline.
  func run(_ name: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = try tool(named: name).url
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ReleaseFailure("\(name) \(arguments.joined(separator: " ")) fails.")
    }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
