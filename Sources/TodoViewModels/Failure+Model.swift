import EventCommands
import EventPatterns
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
      self.init(
        .ambiguous,
        "\(reference.text) could be \(Self.some(of: numbers)); give more of the UUID, or the number.",
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
        conflict.sentence(on: number),
        field: conflict.field,
        id: number,
        expected: conflict.value(conflict.expected),
        actual: conflict.value(conflict.actual)
      )
    case .unseen(let number, let revision):
      self.init(
        .conflict,
        "Nobody can have seen #\(number) at revision \(revision) of this store; read it again.",
        field: "expectedRevision",
        id: number
      )
    case .tooManyTags(let number, let count):
      self = Rules.tooManyTags(count, of: number)
    case .beside(let error):
      self.init(error)
      field = "other"
    case .besideItself(let number):
      self.init(.validation, "#\(number) can't stand beside itself.", field: "other", id: number)
    case .noRoom(let number):
      self.init(
        .validation,
        "Too much was moved there: #\(number) has no room beside it. Move what stands there elsewhere first.",
        field: "other",
        id: number
      )
    case .noSuchPlace:
      self.init(.notFound, "The history has no such place; it is another one.")
    case .store(let error):
      self.init(error.kind, error.message)
      isRetryable = error.isRetryable
    }
  }

  /// The first five numbers, and whether there are more.
  private static func some(of numbers: [Int]) -> String {
    numbers.prefix(5).map { "#\($0)" }.joined(separator: ", ")
      + (numbers.count > 5 ? " or more" : "")
  }
}

extension TodoConflict {
  /// A value of the field, as a todo has it in JSON.
  fileprivate func value(_ text: String) -> Failure.Value {
    switch field {
    case "complete", "deleted": .json(text)
    case "due", "project", "place": text.isEmpty ? .json("null") : .text(text)
    default: .text(text)
    }
  }

  /// What has happened; where there is no value it says so, as the history does.
  fileprivate func sentence(on number: Int) -> String {
    guard field != TodoField.place.rawValue else {
      let (expected, actual) = (Self.place(expected), Self.place(actual))
      return "Somebody moved #\(number) meanwhile: you saw it \(expected), now it is \(actual)."
    }
    func quoted(_ value: String) -> String { value.isEmpty ? "none" : "'\(value.quotable)'" }
    return "Somebody changed the \(field) of #\(number) meanwhile: you saw \(quoted(expected)), "
      + "now it is \(quoted(actual))."
  }

  /// A place in the order that somebody gave the list by hand, as the history names it.
  private static func place(_ text: String) -> String {
    text.isEmpty ? "where its number puts it" : "at \(text)"
  }
}

extension TodoReference {
  fileprivate var number: Int? {
    guard case .number(let number) = self else { return nil }
    return number
  }
}
