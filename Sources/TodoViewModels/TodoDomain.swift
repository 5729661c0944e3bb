package import EventCommands

/// What the todo domain brings to an application.
package enum TodoDomain {
  /// What JSON-RPC puts before its methods.
  package static let group = "todo"
  /// What JSON-RPC puts before the methods that care for the store.
  package static let storeGroup = "store"
  /// The commands that care for the store.
  package static let storeCommands: [any Command.Type] = [RequestDoctor.self, RequestBackup.self]
  /// What it has to tell those who are looking at a screen.
  package static let announcements: [any Announcement.Type] = [
    ResponseChangedTodoViewModels.self, ResponseStoreTrouble.self,
  ]
  /// How many todos are open and overdue.
  package static let status: any StatusRequest.Type = RequestTodoStatus.self
  /// Its commands, in the order of help.
  package static let commands: [any Command.Type] = [
    RequestAddTodo.self, RequestTodoViewModels.self, RequestTodoDetailViewModel.self,
    RequestEditTodo.self, RequestToggleCompleteTodoViewModel.self, RequestCompleteTodo.self,
    RequestReopenTodo.self, RequestDeleteTodoViewModel.self, RequestRestoreTodo.self,
  ]
}
