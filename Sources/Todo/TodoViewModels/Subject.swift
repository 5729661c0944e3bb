public import EventRecords
public import TodoModels

// The subjects of this layer's events.

extension [TodoViewModel] {
  /// Their numbers, at most three.
  var subject: String? { RecordSubject.numbers(count) { self[$0].number } }
}

extension TodoDetailGroup {
  /// Their numbers, at most three.
  public var subject: String? { RecordSubject.list(details.count) { details[$0].subject } }
}

extension Target<Todo> {
  /// Refers to the todo that a view shows.
  public init(_ viewModel: TodoViewModel) {
    self.init(viewModel.todo, by: RecordReference(viewModel.uuid))
  }
}

extension TodoDetailViewModel {
  /// The todo; nil if it is not stored yet.
  public var subject: String? { isNew ? nil : RecordSubject.number(number) }
}
