public import EventMVVM
import EventCommands
import EventPatterns
import EventRecords
import EventValues
import RecordCommands
import JSONText
import TodoModels

/// The only bridge between the layers (S7, S13): converts requests of views to model events, and
/// models to view models; commands on records answer themselves, at its request.
///
/// It depends on the stream alone. Its handlers send one event for each that they receive (S56).
public final class ViewModelServer: Plugin {
  /// Its name among the plugins.
  public let name = "view-models"

  /// Creates a server.
  public init() {}

  /// Subscribes to the requests that it answers.
  public func join(_ stream: EventStream) {
    stream.answer(TodoCommands.commands)
    stream.answer([RequestNewTodoDetailViewModel.self])
    Todo.commands.join(on: stream)
    ResponseChangedTodoViewModels.tell(on: stream)
  }
}

extension Failure {
  /// The failure as views see it: completion is one field to them, without its time; and a command
  /// brings back what is deleted, which models do not know.
  var ofTodo: Failure {
    if let id, self == Todo.isDeleted(id) {
      var failure = self
      failure.message = "#\(id) is deleted; 'restore \(id)' brings it back."
      return failure
    }
    guard kind == .conflict, field?.isIdentical(to: "completedAt") ?? false, let id else {
      return self
    }
    let (was, isNow) = (expected != .json("null"), actual != .json("null"))
    var failure = self
    failure.message =
      "Somebody changed the complete of #\(id) meanwhile: you saw '\(was)', now it is '\(isNow)'."
    failure.field = "complete"
    failure.expected = .json("\(was)")
    failure.actual = .json("\(isNow)")
    return failure
  }
}
