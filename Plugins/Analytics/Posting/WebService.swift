import Foundation
import Synchronization

/// Posts batches to an HTTP endpoint, by `curl`.
///
/// So proxies, certificates and `~/.netrc` are where a person has set them up already, and a program that
/// mostly runs without a network links none in.
struct WebService: FigureService {
  let url: String
  /// The seconds that an attempt may take.
  private static let patience = 10

  func post(_ batch: [UInt8]) async throws(PostProblem) {
    guard let curl = Self.program else {
      throw PostProblem(
        message: "the program 'curl', by which figures are posted, is not installed"
      )
    }
    let process = Process()
    process.executableURL = URL(filePath: curl)
    process.arguments = [
      "--silent", "--show-error", "--fail", "--location", "--post301", "--post302", "--post303",
      "--netrc-optional", "--max-time", "\(Self.patience)",
      "--header", "Content-Type: application/json", "--data-binary", "@-", "--output", "/dev/null",
      "--proto", "=http,https", "--url", url,
    ]
    let input = Pipe()
    let errors = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    let status: Int32
    do {
      status = try await process.result {
        // One that has gone has said why.
        try? input.fileHandleForWriting.write(contentsOf: Data(batch))
        try? input.fileHandleForWriting.close()
      }
    } catch {
      throw PostProblem(message: "'\(curl)' can't be started: \(error.localizedDescription)")
    }
    guard status != 0 else { return }
    let said = (try? errors.fileHandleForReading.readToEnd()) ?? Data()
    throw PostProblem(
      message: Self.problem(String(decoding: said.prefix(1000), as: UTF8.self), status)
    )
  }

  /// What it said, without its name and number: `curl: (7) Failed to connect to …`.
  private static func problem(_ text: String, _ status: Int32) -> String {
    let line = text.split(separator: "\n").last.map(String.init) ?? ""
    let words = line.drop { $0 != ")" }.dropFirst().drop { $0 == " " }
    return words.isEmpty ? "curl ended with \(status)" : String(words)
  }

  /// Where it is, by the search path.
  private static var program: String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      .split(separator: ":")
      .map { "\($0)/curl" }
      .first { access($0, X_OK) == 0 }
  }
}

extension Process {
  /// Runs it to its end.
  ///
  /// - Parameter body: What is done meanwhile.
  /// - Returns: Its exit status.
  /// - Throws: Why it can't be started.
  fileprivate func result(_ body: () -> Void) async throws -> Int32 {
    let (ends, end) = AsyncStream.makeStream(of: Int32.self)
    terminationHandler = { process in
      end.yield(process.terminationStatus)
      end.finish()
    }
    try run()
    body()
    return await ends.first { _ in true } ?? -1
  }
}
