import EventMVVM
import TodoModels

// What the events of this layer are about.

extension Result where Failure == EventMVVM.Failure {
  /// What a response is about: what its success names, or whom its failure is about.
  func subject(_ success: (Success) -> String?) -> String? {
    switch self {
    case .success(let value): success(value)
    case .failure(let failure): failure.id.map { Subject.number($0) }
    }
  }
}

extension [TodoViewModel] {
  /// Their numbers, at most three.
  var subject: String? { Subject.list(count) { Subject.number(self[$0].number) } }
}

extension TodoViewModelGroup {
  /// Their numbers, at most three.
  var subject: String? { Subject.list(items.count) { Subject.number(items[$0].viewModel.number) } }
}

extension TodoDetailGroup {
  /// Their numbers, at most three.
  var subject: String? { Subject.list(details.count) { details[$0].subject } }
}

extension References {
  /// The todos as they were referred to, at most three.
  var subject: String? { Subject.list(list.count) { list[$0].text } }
}

extension TodoDetailViewModel {
  /// The todo; nil if nobody has stored it yet.
  var subject: String? { isNew ? nil : Subject.number(number) }
}
