import RecordCommands
import EventCommands
import EventMVVM
import EventPatterns
import JSONText

/// Opens lists, and updates them (S28).
final class TodoListFlow: Coordinator {
  func join(_ stream: EventStream, _ navigator: Navigator) {
    stream.on(ResponseChangedTodoViewModels.self, owner: navigator) { navigator, change, turn in
      for screen in navigator.screens(TodoListScreen.self) { screen.hear(change, turn) }
    }
    stream.declareAnswerer(of: RequestRows.self)
    stream.on(RequestRows.self, owner: navigator) { navigator, rows, turn in
      do {
        let isForScripts = rows == RequestRows()
        let screen = try navigator.topmost(TodoListScreen.self, isForScripts: isForScripts, turn)
        screen.refresh(rows, turn) { result, turn in turn.send(ResponseTodoViewModels(result)) }
      } catch {
        turn.send(ResponseTodoViewModels(.failure(Failure(error))))
      }
    }
  }

  /// Follows `list`, with the words of the command of that name.
  func follow(
    _ route: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) -> Bool {
    guard route.first?.isIdentical(to: RequestTodoViewModels.verb) == true else { return false }
    let request: RequestTodoViewModels
    do {
      request = try Self.request(route)
    } catch {
      then(.failure(error.failure), turn)
      return true
    }
    turn.request(request) { result, turn in
      let list = result.mapError(Failure.init).flatMap(\.result)
      if case .success(let list) = list {
        let screen = TodoListScreen(list, request, route, navigator, on: turn.stream)
        navigator.open(screen, turn)
      }
      then(list.map { $0 as any CommandResult }, turn)
    }
    return true
  }

  private static func request(_ route: [String]) throws(CommandError) -> RequestTodoViewModels {
    let words = route.enumerated().map { Word(text: $1, offset: $0, isBare: true) }
    let request = try RequestTodoViewModels._read(words, other: nil)
    return request.limited(to: TodoListScreen.mostRows)
  }
}
