public import EventMVVM

/// How events name the records that they are about.
public enum RecordSubject {
  /// How many are named; of more there is an ellipsis.
  private static let most = 3

  /// A record by its number: `#3`.
  public static func number(_ number: Int) -> String {
    "#" + String(number)
  }

  /// The first three of several names: `@last #4 #5 …`; nil if there is none.
  ///
  /// By a closure, and not by a sequence: an event that is traced has its subject computed each
  /// time, and what is generic in another module takes ten times as long.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - name: What the n-th, from 0, is called; nil leaves it out.
  /// - Returns: The names.
  public static func list(_ count: Int, _ name: (Int) -> String?) -> String? {
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

  /// The first three of several records by their numbers: `#3 #4 #5 …`; nil if there is none.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - number: The number of the n-th, from 0.
  /// - Returns: The names.
  public static func numbers(_ count: Int, _ number: (Int) -> Int) -> String? {
    list(count) { Self.number(number($0)) }
  }
}

extension Result where Failure == EventMVVM.Failure {
  /// What a response is about: what its success names, or the record of its failure.
  public func subject(_ success: (Success) -> String?) -> String? {
    switch self {
    case .success(let value): success(value)
    case .failure(let failure): failure.id.map { RecordSubject.number($0) }
    }
  }
}

extension [RecordReference] {
  /// The references, at most three.
  var subject: String? { RecordSubject.list(count) { self[$0].text } }
}

extension RecordWrite {
  /// The record as the writer refers to it; nil if it is new.
  var subject: String? {
    switch self {
    case .add, .addOnce, .upsert: nil
    case .put(let number, _, _), .overwrite(let number, _, _): RecordSubject.number(number)
    case .remove(let reference), .move(let reference, _, _, _, _): reference.text
    }
  }
}
