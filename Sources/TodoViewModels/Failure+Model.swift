import EventMVVM
import TodoModels

extension Failure {
  /// Puts a model error in words for a person (S39).
  init(_ error: ModelError) {
    switch error {
    case .notFound(let reference):
      self.init(
        .notFound,
        "There is no todo \(reference.text).",
        field: "id",
        id: reference.number
      )
    case .ambiguous(let reference, let numbers):
      let list = numbers.map { "#\($0)" }.joined(separator: ", ")
      self.init(
        .ambiguous,
        "\(reference.text) could be \(list); give more of the UUID, or the number.",
        field: "id"
      )
    case .deleted(let number):
      self.init(
        .notFound,
        "#\(number) is deleted; 'restore \(number)' brings it back.",
        field: "id",
        id: number
      )
    case .conflict(let number, let conflict):
      self.init(
        .conflict,
        "Somebody changed the \(conflict.field) of #\(number) meanwhile: you saw "
          + "'\(conflict.expected)', now it is '\(conflict.actual)'.",
        field: conflict.field,
        id: number,
        expected: conflict.expected,
        actual: conflict.actual
      )
    case .store(let error):
      self.init(.store, error.message)
    }
  }
}

extension TodoReference {
  fileprivate var number: Int? {
    guard case .number(let number) = self else { return nil }
    return number
  }
}
