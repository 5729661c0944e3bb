import EventCommands
import EventMVVM
import Foundation

/// A command that goes on, from the words of the process: its lines are written as they come, until the process is ended or
/// the pipe is closed.
struct FollowingFrontend: Frontend {
  let name = "cli"
  private let catalogue: Catalogue
  private let console: Console
  private let command: any Command

  init(_ catalogue: Catalogue, _ console: Console, _ command: any Command) {
    (self.catalogue, self.console, self.command) = (catalogue, console, command)
  }

  func run(_ port: ViewPort) -> ExitStatus {
    let (status, isOver) = (Locked<ExitStatus?>(nil), DispatchSemaphore(value: 0))
    for notice in catalogue.wire.notices { console.listen(to: notice, port) }
    port.on(ResponseFollowedLines.self) { [console] event, _ in
      var bytes: [UInt8] = []
      for line in event.lines { bytes += Array(line.utf8) + [UInt8(ascii: "\n")] }
      guard status.withLock({ $0 == nil }), let ending = console.printOn(bytes) else { return }
      status.withLock { $0 = ending }
      isOver.signal()
    }
    let run = CommandRun(
      through: port,
      console.rendering,
      saysYes: console.saysYes,
      ask: console.asking(),
      mayFollow: true
    )
    run.begin(command) { [console] ending in
      let ended = console.end(ending)
      status.withLock { $0 = $0 ?? ended }
      isOver.signal()
    }
    isOver.wait()
    return status.withLock { $0 } ?? .failed
  }
}
