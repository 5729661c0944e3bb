import ArgumentParser
import Foundation
import NIOCore
import RecordingIndex

/// Serves the inspector of a recording, until it is interrupted.
@main struct InspectorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todostream-inspector",
    abstract: "Shows the events of a recording in a browser.",
    discussion: """
      It prints an address with a secret, which only opens the page on this machine. Whoever has the address can read \
      the recording, for as long as the program runs.
      """
      .replacing("Whoever has the address", with: "A person with the address")
  )

  @Argument(help: "The recording, also one that is being written.", completion: .file())
  var file: String

  @Argument(help: "Another recording, to compare it with.", completion: .file())
  var other: String?

  @Option(help: "The port; a free one unless given.")
  var port: Int = 0

  @Option(help: "The program that was recorded, which replays the recording.")
  var program: String?

  @Option(
    help: ArgumentHelp("The number of the program that writes the recording.", visibility: .hidden)
  )
  var beside: Int32?

  @Flag(help: ArgumentHelp("Commands can be sent from the page.", visibility: .hidden))
  var write = false

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
  }

  func run() async throws {
    let answers = try Self.open(file, named: beside.map { "process \($0)" })
    let others = try other.map { try Self.open($0) }
    let companion = Companion()
    let sender = write ? CommandSender() : nil
    let server = InspectorServer(
      InspectorRoutes(
        answers,
        others,
        program.map { Replayer(program: $0, recording: file) },
        sender
      ),
      companion
    )
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await server.run(port: port) { address in
            print(address)
            // It is also read through a pipe, by the program that starts this one.
            fflush(nil)
            sender?.begin()
          }
        }
        if let beside {
          group.addTask { try await companion.wait(beside: beside, answers.index) }
        }
        try await group.next()
        group.cancelAll()
      }
    } catch let error as IOError {
      throw Self.failure("port \(port): \(String(cString: strerror(error.errnoCode)))")
    }
  }

  private static func open(_ path: String, named name: String? = nil) throws -> RecordingAnswers {
    do throws(RecordingProblem) {
      return RecordingAnswers(try RecordingIndex(path: path, name: name))
    } catch {
      throw failure("\(path): \(error)")
    }
  }

  private static func failure(_ text: String) -> any Error {
    FileHandle.standardError.write(Data("error: \(text)\n".utf8))
    return ExitCode(2)
  }
}
