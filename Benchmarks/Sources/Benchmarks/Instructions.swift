import Foundation

/// Counts instructions by running this program under callgrind with two counts of the work: the
/// difference is free of the start, and no other load on the machine disturbs it.
struct Instructions {
  private let valgrind: String

  /// Nil where there is no valgrind.
  init?() {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let places = folders.map { "\($0)/valgrind" }
    guard let place = places.first(where: FileManager.default.isExecutableFile) else { return nil }
    valgrind = place
  }

  /// The instructions of one piece of work; nil if callgrind had nothing to say.
  func count(_ finding: Finding) -> Double? {
    let few = 100
    let many = few + min(20_000, max(20, Int(4_000_000 / finding.nanoseconds)))
    let (first, second) = (run(finding, few), run(finding, many))
    guard let less = first.collected(), let more = second.collected() else { return nil }
    return Double(more - less) / Double(many - few)
  }

  private func run(_ finding: Finding, _ count: Int) -> Run {
    Run(
      valgrind,
      [
        "--tool=callgrind", "--callgrind-out-file=/dev/null", CommandLine.arguments[0],
        "--work", finding.scenario, finding.contender, String(count),
      ]
    )
  }
}

/// A program that runs beside this one until its output is asked for.
private struct Run {
  private let process = Process()
  private let output = Pipe()

  init(_ program: String, _ arguments: [String]) {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    process.standardError = output
    try? process.run()
  }

  /// What callgrind says that it collected.
  func collected() -> Int? {
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").first { $0.contains("Collected :") }
      .flatMap { $0.split(separator: " ").last }
      .flatMap { Int($0) }
  }
}
