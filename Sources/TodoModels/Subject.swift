/// How events of the domain name the todos that they are about.
package enum Subject {
  /// How many are named; of more there is an ellipsis.
  private static let most = 3

  /// A todo by its number: `#3`.
  package static func number(_ number: Int) -> String {
    "#" + String(number)
  }

  /// The first three of several todos: `#3 #4 #5 …`; nil if there is none.
  package static func numbers(_ numbers: some Sequence<Int>) -> String? {
    list(numbers.lazy.map { number($0) })
  }

  /// The first three of several names: `@last #4 #5 …`; nil if there is none.
  package static func list(_ names: some Sequence<String>) -> String? {
    var names = names.makeIterator()
    guard var list = names.next() else { return nil }
    for _ in 1..<most {
      guard let name = names.next() else { return list }
      list += " " + name
    }
    return names.next() == nil ? list : list + " …"
  }
}

extension [Todo] {
  /// Their numbers, at most three.
  package var subject: String? { Subject.numbers(lazy.map(\.number)) }
}

extension [TodoReference] {
  /// How they are referred to, at most three.
  package var subject: String? { Subject.list(lazy.map(\.text)) }
}

extension Result where Failure == ModelError {
  /// What a response is about: what its success names, or whom its failure is about.
  func subject(_ success: (Success) -> String?) -> String? {
    switch self {
    case .success(let value): success(value)
    case .failure(let error): error.subject
    }
  }
}

extension ModelError {
  /// The todo that it is about, as it was referred to.
  fileprivate var subject: String? {
    switch self {
    case .notFound(let reference), .ambiguous(let reference, _): reference.text
    case .deleted(let number), .conflict(let number, _), .tooManyTags(let number, _):
      Subject.number(number)
    case .store: nil
    }
  }
}
