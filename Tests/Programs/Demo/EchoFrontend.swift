import EventCommands
import EventMVVM

/// Runs commands that are given as lines, and collects what a person would read.
final class EchoFrontend: Frontend {
  let name = "echo"
  private let catalogue: Catalogue
  private let lines: [String]
  private(set) var screen: [String] = []

  init(_ catalogue: Catalogue, _ lines: [String]) {
    self.catalogue = catalogue
    self.lines = lines
  }

  func run(_ port: ViewPort) -> ExitStatus {
    for line in lines {
      do {
        if let command = try catalogue.read(line: line) { send(command, port) }
      } catch {
        screen.append(error.message)
      }
    }
    return .success
  }

  private func send(_ command: some Command, _ port: ViewPort) {
    screen.append(CommandRun(through: port, Rendering()).run(command, on: port).text)
  }
}
