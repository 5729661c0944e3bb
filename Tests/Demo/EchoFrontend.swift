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
      var tokenizer = Tokenizer(SourceText(name: "echo", bytes: Array(line.utf8)))
      do {
        guard let words = try tokenizer.next()?.get().words else { continue }
        send(try catalogue.read(words), port)
      } catch let error as SyntaxError {
        screen.append(error.message)
      } catch let error as CommandError {
        screen.append(error.message)
      } catch {
        screen.append("\(error)")
      }
    }
    return .success
  }

  /// Opens the command's own type, so that its reply is typed, too.
  private func send<C: Command>(_ command: C, _ port: ViewPort) {
    var isAnswered = false
    port.request(command) { [self] result, _ in
      isAnswered = true
      do {
        var page = Page()
        command.show(try result.get().result.get(), on: &page)
        screen.append(page.text)
      } catch {
        screen.append(Failure(error).message)
      }
    }
    port.run { isAnswered }
  }
}
