import Foundation

/// What an event says of a record or of a state, and where.
struct Change: Sendable {
  /// What is said.
  enum Form: Sendable {
    /// A state has a value.
    case state
    /// A record was read, and had a value that the session had not written.
    case seen
    /// A record was written.
    case written
    /// The unit that wrote it was rolled back.
    case reverted
  }

  let form: Form
  /// The index of the kind of records, or of the state.
  let subject: UInt16
  /// The number of the record; 0 for a state.
  let number: Int64
  /// The revision of the record.
  let revision: Int64
  /// The position of the event after which it is so.
  let position: UInt32
  /// The position of the event that says it.
  let source: UInt32
  /// The index of the element that says it.
  let element: UInt32
}

/// A kind of records, or a state.
struct ChangeTopic: Hashable, Sendable {
  let name: String
  let isState: Bool
}

/// What the events of a type say of records or of a state, by the names of EventRecords and EventMVVM.
enum ChangeSource: Sendable {
  case state
  case seen(kind: String)
  case written(kind: String)

  init?(of type: String) {
    func kind(in name: String) -> String? {
      type.hasPrefix(name + "<") && type.hasSuffix(">")
        ? String(type.dropFirst(name.count + 1).dropLast()) : nil
    }
    if kind(in: "ResponseState") != nil {
      self = .state
    } else if let kind = kind(in: "ResponseRecords") {
      self = .seen(kind: kind)
    } else if let kind = kind(in: "ResponseWriteRecords") ?? kind(in: "ResponseRecordChanges") {
      self = .written(kind: kind)
    } else {
      return nil
    }
  }
}

/// An element of a body that says something of a record.
struct RecordElement {
  var number: Int64?
  var revision: Int64 = 0

  /// Reads the elements of a body, as far as they are of records.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - body: Called with each, and its index.
  static func each(in bytes: UnsafeRawBufferPointer, _ body: (RecordElement, Int) -> Void) {
    var reader = ByteReader(bytes)
    _ = reader.takeObject { name, value in
      guard name.isText("success") || name.isText("changes") else { return }
      var index = 0
      _ = value.takeArray { element in
        var record = RecordElement()
        _ = element.takeObject { name, value in
          if name.isText("number") {
            record.number = value.takeInteger()
          } else if name.isText("revision") {
            record.revision = value.takeInteger() ?? 0
          }
        }
        body(record, index)
        index += 1
      }
    }
  }
}
