public import EventMVVM

/// The subjects of events about records.
public enum RecordSubject {
  /// How many are listed; more are shown as an ellipsis.
  private static let most = 3

  /// Returns the name of a record by its number: `#3`.
  public static func number(_ number: Int) -> String {
    "#" + String(number)
  }

  /// Returns the first three of several names: `@last #4 #5 …`; nil if there is none.
  ///
  /// Takes a closure, and not a sequence: an event that is traced has its subject computed each
  /// time, and generic code of another module takes ten times as long.
  ///
  /// - Parameters:
  ///   - count: The number of names.
  ///   - name: Returns the n-th name, from 0; nil skips it.
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

  /// Returns the first three of several records by their numbers: `#3 #4 #5 …`; nil if there is
  /// none.
  ///
  /// - Parameters:
  ///   - count: The number of records.
  ///   - number: Returns the n-th number, from 0.
  /// - Returns: The names.
  public static func numbers(_ count: Int, _ number: (Int) -> Int) -> String? {
    list(count) { Self.number(number($0)) }
  }
}

extension Result where Failure == EventMVVM.Failure {
  /// Returns the subject of a response: that of its success, or the record of its failure.
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
  /// The record's reference in the write; nil if it is new.
  var subject: String? {
    switch self {
    case .add, .addOnce, .upsert: nil
    case .put(let number, _, _), .overwrite(let number, _, _): RecordSubject.number(number)
    case .remove(let reference), .move(let reference, _, _, _, _): reference.text
    }
  }
}
