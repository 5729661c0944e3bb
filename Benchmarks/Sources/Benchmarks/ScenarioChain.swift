import EventMVVM
import Foundation
import OpenCombine

/// Four events: a view asks its view model server to toggle a todo, that asks the model server to
/// write it, and the two answers come back the same way.
///
/// With us both requests are conversations, whose replies find their way; with the peers nobody
/// knows which answer belongs to which request.
let chain = Scenario(
  name: "chain of four events",
  contenders: [
    Contender(Contender.ours, isSynchronous: true) {
      let (stream, model, view) = (EventStream(), TodoModel(), TodoView())
      stream.on(RequestToggle.self) { request, turn in turn.send(RequestWrite(id: request.id)) }
      stream.on(RequestWrite.self) { request, turn in
        if let todo = model.toggle(request.id) { turn.send(ResponseTodo(.success(todo))) }
      }
      stream.on(ResponseTodo.self) { response, turn in
        turn.send(ResponseTodoViewModel(response.result.map(viewModel)))
      }
      stream.on(ResponseTodoViewModel.self) { response, _ in
        if case .success(let todo) = response.result { view.show(todo) }
      }
      return { count in
        for number in 0..<count { stream.send(RequestToggle(id: number % 100)) }
      }
    },
    Contender("limit: direct calls", isSynchronous: true) {
      let (model, view) = (TodoModel(), TodoView())
      return { count in
        for number in 0..<count {
          if let todo = model.toggle(number % 100) { view.show(viewModel(of: todo)) }
        }
      }
    },
    Contender("OpenCombine, a subject a type", isSynchronous: true) {
      let (model, view) = (TodoModel(), TodoView())
      let toggles = PassthroughSubject<RequestToggle, Never>()
      let writes = PassthroughSubject<RequestWrite, Never>()
      let todos = PassthroughSubject<ResponseTodo, Never>()
      let viewModels = PassthroughSubject<ResponseTodoViewModel, Never>()
      let held = [
        toggles.sink { writes.send(RequestWrite(id: $0.id)) },
        writes.sink { request in
          if let todo = model.toggle(request.id) { todos.send(ResponseTodo(.success(todo))) }
        },
        todos.sink { viewModels.send(ResponseTodoViewModel($0.result.map(viewModel))) },
        viewModels.sink { response in
          if case .success(let todo) = response.result { view.show(todo) }
        },
      ]
      return { count in
        withExtendedLifetime(held) {
          for number in 0..<count { toggles.send(RequestToggle(id: number % 100)) }
        }
      }
    },
    Contender("NotificationCenter, a name a type", isSynchronous: true) {
      let (center, model, view) = (NotificationCenter(), TodoModel(), TodoView())
      center.on(.toggle) { (request: RequestToggle) in
        center.send(.write, RequestWrite(id: request.id))
      }
      center.on(.write) { (request: RequestWrite) in
        if let todo = model.toggle(request.id) {
          center.send(.todo, ResponseTodo(.success(todo)))
        }
      }
      center.on(.todo) { (response: ResponseTodo) in
        center.send(.viewModel, ResponseTodoViewModel(response.result.map(viewModel)))
      }
      center.on(.viewModel) { (response: ResponseTodoViewModel) in
        if case .success(let todo) = response.result { view.show(todo) }
      }
      return { count in
        for number in 0..<count { center.send(.toggle, RequestToggle(id: number % 100)) }
      }
    },
  ]
)

extension Notification.Name {
  fileprivate static let toggle = Self("toggle")
  fileprivate static let write = Self("write")
  fileprivate static let todo = Self("todo")
  fileprivate static let viewModel = Self("viewModel")
}
