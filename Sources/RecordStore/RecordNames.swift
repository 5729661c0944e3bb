/// What the records of a kind are called by in a field: each name with the first record that has it.
///
/// Names are told apart byte by byte, as texts are everywhere in the store.
struct RecordNames {
  private let kind: String
  private let field: String
  private var numbers: [[UInt8]: Int] = [:]

  /// Reads the names that there are.
  init(_ table: RecordTable, _ kind: String, _ field: String) throws {
    self.kind = kind
    self.field = field
    for (text, number) in try table.texts(field, of: kind) where self[text] == nil {
      self[text] = number
    }
  }

  /// The names, if they are those of this field.
  func matching(_ kind: String, _ field: String) -> RecordNames? {
    self.kind == kind && self.field == field ? self : nil
  }

  /// The record of a name.
  subscript(name: String) -> Int? {
    get { numbers[[UInt8](name.utf8)] }
    set { numbers[[UInt8](name.utf8)] = newValue }
  }
}
