/// How events of the domain name the todos that they are about.
package enum Subject {
  /// How many are named; of more there is an ellipsis.
  private static let most = 3

  /// A todo by its number: `#3`.
  package static func number(_ number: Int) -> String {
    "#" + String(number)
  }

  /// The first three of several names: `@last #4 #5 …`; nil if there is none.
  ///
  /// By a closure, and not by a sequence: an event that is traced has its subject computed each time,
  /// and what is generic in another module takes ten times as long.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - name: What the n-th, from 0, is called; nil leaves it out.
  /// - Returns: The names.
  package static func list(_ count: Int, _ name: (Int) -> String?) -> String? {
    if count == 1 { return name(0) }
    var list: String?
    var named = 0
    for index in 0..<count {
      guard let name = name(index) else { continue }
      named += 1
      guard let names = list else {
        list = name
        continue
      }
      guard named <= most else { return names + " …" }
      list = names + " " + name
    }
    return list
  }
}

extension [Todo] {
  /// Their numbers, at most three.
  var subject: String? { Subject.list(count) { Subject.number(self[$0].number) } }
}

extension [TodoReference] {
  /// How they are referred to, at most three.
  var subject: String? { Subject.list(count) { self[$0].text } }
}

extension [WrittenTodo] {
  /// Their numbers, at most three.
  var subject: String? { Subject.list(count) { Subject.number(self[$0].todo.number) } }
}

extension [TodoWrite] {
  /// The todos as the writer refers to them, at most three; nil if they are new.
  var subject: String? { Subject.list(count) { self[$0].subject } }
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
    case .deleted(let number), .conflict(let number, _), .unseen(let number, _),
      .tooManyTags(let number, _),
      .besideItself(let number), .noRoom(let number):
      Subject.number(number)
    case .beside(let error): error.subject
    case .noSuchPlace, .store: nil
    }
  }
}
