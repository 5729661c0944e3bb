import JSONText

/// The fields of a record as JSON, in order; none for one that does not exist.
package struct RecordFields: Sendable, Equatable {
  private var members: [JSON.Member]

  /// No fields.
  init() { members = [] }

  /// Reads the fields of a record.
  ///
  /// - Throws: An error that names the unwritable field, and why.
  package init<R: Record>(of record: R) throws { try self.init(record.text(), 0, R.kind) }

  /// Reads an object; nil has no fields.
  ///
  /// - Throws: An error if it can't be read.
  package init(_ text: String?, _ number: Int, _ kind: String) throws {
    guard let text else {
      members = []
      return
    }
    guard case .object(let members)? = try? JSON(parsing: text) else {
      throw RecordError.damaged(number, kind: kind, "it is no JSON object")
    }
    self.members = members
  }

  /// Reads a row: an unreadable field has its stored value.
  ///
  /// - Throws: An error if a text has a U+0000, which another program may have written.
  init(_ row: any RecordRow, of table: RecordTable) throws {
    func read<R: Record>(_ type: R.Type) throws -> [JSON.Member] {
      var record = R()
      let unreadable = record.withMutableFields {
        table.fields.loadReadable(row, into: $0).fields
      }
      var json = JSONWriter()
      try record.write(to: &json)
      guard case .object(var members)? = try? JSON(parsing: json.bytes) else {
        throw RecordError.damaged(row.number, kind: R.kind, "a text has the character U+0000")
      }
      for index in unreadable {
        let name = table.column(index).name
        members.removeAll { $0.name == name }
        members.append(JSON.Member(name, (try? row.value(index))?.json ?? .null))
      }
      return members
    }
    members = try read(table.type)
  }

  /// A field; null if there is none of that name.
  subscript(name: String) -> JSON {
    get { members.first { $0.name == name }?.value ?? .null }
    set {
      let index = members.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, .null): members.remove(at: index)
      case (let index?, _): members[index] = JSON.Member(name, newValue)
      case (nil, .null): break
      case (nil, _): members.append(JSON.Member(name, newValue))
      }
    }
  }

  /// Returns the fields as this version would store them: those that it does not have unchanged, and without
  /// those that it can't convert.
  package func today(in table: RecordTable) -> RecordFields {
    guard table.hasFormerNames else { return self }
    var today = RecordFields()
    for member in members {
      guard let known = table.fields.today(member) else { continue }
      today[known.name] = known.value
      if known.value == .null { today.members.append(known) }
    }
    return today
  }

  /// Replaces fields by those of another value.
  mutating func take(_ fields: RecordFields) {
    for member in fields.members { self[member.name] = member.value }
  }

  /// Its fields, each by itself.
  var each: [RecordFields] {
    members.map { member in
      var field = RecordFields()
      field.members = [member]
      return field
    }
  }

  /// The names of its fields.
  package var names: [String] { members.map(\.name) }

  /// Returns the names of the fields of either in which they differ.
  package func differences(from other: RecordFields) -> [String] {
    let names =
      members.map(\.name)
      + other.members.map(\.name)
      .filter { name in
        !members.contains { $0.name == name }
      }
    return names.filter { self[$0] != other[$0] }
  }

  /// The fields as a JSON object.
  var json: JSON { .object(members) }
  /// The fields as the text of a JSON object.
  package var text: String { json.description }
  /// Returns some fields as the text of a JSON object, null for absent ones.
  package func text(of names: [String]) -> String {
    JSON.object(names.map { JSON.Member($0, self[$0]) }).description
  }
}

extension StoredValue {
  fileprivate var json: JSON {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .string(text)
    }
  }
}
