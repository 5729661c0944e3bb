import Foundation

// Measures the stream beside its peers, and prints one table.
//
//   swift run -c release Benchmarks [--quick]

let arguments = CommandLine.arguments

if arguments.count == 5, arguments[1] == "--work" {
  // Under callgrind: one contender's work, and nothing else.
  let contender = scenarios.first { $0.name == arguments[2] }?.contenders
    .first { $0.name == arguments[3] }
  contender?.prepare()(Int(arguments[4]) ?? 0)
  exit(contender == nil ? 1 : 0)
}

let isQuick = arguments.contains("--quick")
let harness = Harness(rounds: isQuick ? 20 : 100)
var findings: [Finding] = []
for scenario in scenarios {
  FileHandle.standardError.write(Data("\(scenario.name)…\n".utf8))
  findings += harness.measure(scenario)
}

if let instructions = Instructions() {
  FileHandle.standardError.write(Data("counting instructions…\n".utf8))
  let synchronous = Set(
    scenarios.flatMap { scenario in
      scenario.contenders.filter(\.isSynchronous).map { scenario.name + $0.name }
    }
  )
  for index in findings.indices {
    let finding = findings[index]
    let isOurs = finding.contender == Contender.ours
    if synchronous.contains(finding.scenario + finding.contender), isOurs || !isQuick {
      findings[index].instructions = instructions.count(finding)
    }
  }
} else {
  print("Instructions were not counted: there is no valgrind here.\n")
}

print(
  """
  \(Table(findings: findings).text)

  ns: processor time of one piece of work, all threads together. × ours: below 1 is faster than this
  stream. Allocations: calls of malloc and its kin. One order: whether all observers saw the same one.
  """
)
