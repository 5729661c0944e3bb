public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues
import JSONText

/// The edits of a record in a command, by field.
///
/// The fields have their options from the record's declaration: name, summary, shape of the values,
/// completion and schema. A value is read at once, so that a script with an invalid date does not
/// begin, and is resolved when the edit is applied: `tomorrow` becomes a day then.
///
/// ```swift
/// struct RequestEditParcel: RecordEdit, Codable {
///   typealias Reply = ResponseView<Message>
///   var id = Target<Parcel>()
///   var parcel = RecordEdits<Parcel>()
///   static let command = CommandSpec<Self>("edit", "Changes a parcel.")
///     .record(\.id, "Which")
///     .option(of: \.parcel, \.title)
///     .option(of: \.parcel, \.status)
///     .option(of: \.parcel, \.due)
///     .option(of: \.parcel, \.tags)
///     .option(of: \.parcel, \.weight)
///     .option(of: \.parcel, \.pieces)
///     .option(of: \.parcel, \.isFragile)
///     .option(of: \.parcel, \.price)
///     .option(of: \.parcel, \.stations)
///     .option(of: \.parcel, \.days)
///     .option(removingFrom: \.parcel, \.tags, "A label to remove")
///     .option(removingFrom: \.parcel, \.days)
///     .needingOption()
///
///   func change(_ parcel: inout Parcel, seen: Parcel, _ turn: borrowing Turn) throws {
///     try self.parcel.apply(to: &parcel, turn)
///   }
/// ```
///
/// An empty word clears, `none` does for a date, and so does null: an optional becomes nil, a text becomes empty, and any
/// other field gets its value in a new record. Each word for a set or a list adds to it, and none
/// may be empty when it is applied; in JSON the set or list is replaced as a whole.
public struct RecordEdits<R: Record>: Sendable, Equatable {
  /// The edits, by the names of fields; null clears.
  ///
  /// For a list it is an array, or an object with its first value (`set`), the values to add to
  /// that (`add`), and the values to remove from it (`remove`).
  private(set) var members: [JSON.Member] = []

  /// Creates empty edits.
  public init() {}

  /// Sets the fields of a record that differ from those of a new one.
  ///
  /// - Throws: An error if no command could set one of them.
  public init(of record: R) throws {
    let new = R()
    for field in R._table.fields {
      let isSame = record.withFields { record in
        new.withFields { field.type._areIdentical(record + field.offset, $0 + field.offset) }
      }
      guard !isSame else { continue }
      let value = try record.withFields { try field.json($0) }
      try field.type._checkGiven(value)
      members.append(JSON.Member("\(field.name)", value))
    }
  }

  /// Whether there are no edits.
  public var isEmpty: Bool { members.isEmpty }

  /// Sets the value of a field.
  ///
  /// - Throws: An error if no command could set it.
  public mutating func set<Value: FieldOption>(
    _ path: WritableKeyPath<R, Value>,
    to value: Value
  ) throws {
    guard let index = MemoryLayout<R>.offset(of: path).flatMap({ R._table.index(at: $0) })
    else { preconditionFailure("what is set is no field of '\(R.kind)'") }
    var json = JSONWriter()
    try value.writeField(to: &json)
    let said = try JSON(parsing: json.bytes)
    try Value._checkGiven(said)
    self["\(R._table.fields[index].name)"] = said
  }

  private subscript(name: String) -> JSON? {
    get { members.first { $0.name == name }?.value }
    set {
      members.removeAll { $0.name == name }
      if let newValue { members.append(JSON.Member(name, newValue)) }
    }
  }

  // MARK: Reading

  /// Adds the word of a field.
  mutating func take<Value: FieldValue>(
    word: String,
    _ name: String,
    _ type: Value.Type
  ) throws(ValueError) {
    guard type._arity != .many else { return try amend("add", .string(word), name, type) }
    guard self[name] == nil else { throw ValueError("given twice") }
    let isCleared = word.isEmpty || type == CivilTime?.self && word.lowercased() == "none"
    guard !isCleared || type == String.self else { return self[name] = .null }
    try type._checkGiven(.string(word))
    self[name] = .string(word)
  }

  /// Adds a part of the value of a field; an empty one clears the field.
  mutating func take<Value: FieldValue>(
    _ value: JSON,
    of part: FieldPart,
    _ name: String,
    _ type: Value.Type
  ) throws(ValueError) {
    var isCleared = value == .null
    if case .string(let word) = value { isCleared = word.isEmpty || word.lowercased() == "none" }
    var parts: [JSON.Member] = []
    if case .object(let known) = self[name] { parts = known }
    if isCleared {
      // Of several parts those that are given count.
      if parts.isEmpty, part.shape != nil { self[name] = .null }
      return
    }
    guard !parts.contains(where: { $0.name.isIdentical(to: part.name) }) else {
      throw ValueError("given twice")
    }
    parts.append(JSON.Member(part.name, value))
    // What a part without a value goes with may follow.
    if part.shape != nil || parts.count > 1 { try type._checkGiven(.object(parts)) }
    self[name] = .object(parts)
  }

  /// Adds a value to add to a list or to remove from it.
  mutating func amend<Value: FieldValue>(
    _ action: String,
    _ item: JSON,
    _ name: String,
    _ type: Value.Type
  ) throws(ValueError) {
    try type._checkGiven(item)
    var parts = takeParts(name)
    let index = parts.firstIndex { $0.name == action } ?? parts.endIndex
    if index == parts.endIndex { parts.append(JSON.Member(action, .array([]))) }
    parts[index].value.append(item)
    parts.sort { Self.rank($0) < Self.rank($1) }
    self[name] = .object(parts)
  }

  /// Empties a list; what is added beside it stays.
  mutating func clear(list name: String) {
    let added = takeParts(name).filter { $0.name.isIdentical(to: "add") }
    self[name] = .object([JSON.Member("set", .array([]))] + added)
  }

  /// The order of the edits of a list.
  private static func rank(_ part: JSON.Member) -> Int {
    switch part.name {
    case "set": 0
    case "add": 1
    default: 2
    }
  }

  /// Removes and returns the edits of a list, so that an item is appended without a copy of the others.
  private mutating func takeParts(_ name: String) -> [JSON.Member] {
    defer { self[name] = nil }
    switch self[name] {
    case .object(let members): return members
    case .array(let items): return [JSON.Member("set", .array(items))]
    default: return []
    }
  }

  /// Adds the JSON value of a field.
  fileprivate mutating func take<Value: FieldValue>(
    json: JSON,
    _ name: String,
    _ type: Value.Type
  ) throws(ValueError) {
    if type._arity == .many {
      switch json {
      case .null: return try take(json: .array([]), name, type)
      case .array: break
      default: throw ValueError("expected an array, found \(json.kind)")
      }
      if let removed = self[name]?["remove"] {
        try type._checkGiven(json)
        return self[name] = .object([JSON.Member("set", json), JSON.Member("remove", removed)])
      }
    } else if json == .null || json == .string("") && type != String.self
      || json == .string("none") && type == CivilTime?.self
    {
      return self[name] = .null
    }
    try type._checkGiven(json)
    self[name] = json
  }

  // MARK: Applying

  /// Applies the edits to a record; the other fields are unchanged.
  ///
  /// A set that JSON replaces is merged with the base: names that were added since stay. New names are
  /// composed, so that those that look alike are one, and contain nothing that shows nothing.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - base: The record that the user had read; nil for the current one.
  ///   - turn: The turn of the command.
  /// - Throws: A failure with the field.
  public func apply(to record: inout R, seen base: R? = nil, _ turn: borrowing Turn) throws {
    let table = R._table
    for member in members {
      guard let index = table.index(of: member.name) else {
        throw Failure(.usage, "A \(R.kind) has no field '\(member.name)'.", field: member.name)
      }
      let field = table.fields[index]
      guard member.value != .null else {
        record.copy(FieldSet(field: index), from: R())
        continue
      }
      if !field.type._parts.isEmpty, member.value.saysNothing,
        record.withFields({ field.type._isAbsent($0 + field.offset) })
      {
        continue
      }
      do {
        if field.type._arity == .many, member.value.hasEmptyItem {
          throw field.emptyName(member.name)
        }
        let before = record
        let isSet = field.traits.contains(.set)
        var value = member.value
        if isSet {
          let known = before.names(of: field) + (base?.names(of: field) ?? [])
          value = try value.names(beside: known, field)
        }
        if let both = value.addedAndRemoved {
          throw Failure(
            .validation,
            "'\(both.quotable)' can't be added and removed at once.",
            field: "un" + member.name
          )
        }
        if field.isTime, case .string(let word) = member.value,
          let moved = try? When(word: word).spanAfterValue, moved.field != member.name
        {
          throw Failure(
            .usage,
            "'\(word.quotable)' moves a '\(moved.field)'; what moves this is \(member.name)+1w.",
            field: member.name
          )
        }
        try record.withMutableFields { record in
          try field.put(value, turn, into: record)
          guard isSet else { return }
          let names = (record + field.offset).assumingMemoryBound(to: [String].self)
          names.pointee = names.pointee.eachOnce
          guard let base, member.value.replaces else { return }
          var merged = before.names(of: field)
          merged.merge(names.pointee, since: base.names(of: field))
          names.pointee = merged
        }
      } catch let error as ValueError {
        throw Failure(.usage, error.message, field: member.name)
      } catch var failure as Failure {
        failure.field = failure.field ?? member.name
        throw failure
      }
    }
  }
}

extension Record {
  /// Creates a record with the edits of a command.
  ///
  /// - Throws: A failure with the field.
  public init(_ edits: RecordEdits<Self>, _ turn: borrowing Turn) throws {
    self.init()
    try edits.apply(to: &self, turn)
  }
}

extension RecordEdits: Codable {
  /// Writes an object.
  public func encode(to encoder: any Encoder) throws {
    try encoder.embed(Array(JSON.object(members).description.utf8))
  }

  /// Reads an object.
  public init(from decoder: any Decoder) throws {
    let json = try (decoder as? any JSONSource).map(\.json) ?? JSON(from: decoder)
    guard case .object(let members) = json else {
      throw ValueError("expected an object, found \(json.kind)")
    }
    self.members = members
  }
}

extension JSON {
  /// Appends an item to an array, without a copy of the others.
  fileprivate mutating func append(_ item: JSON) {
    guard case .array(var items) = self else { return }
    self = .null
    items.append(item)
    self = .array(items)
  }

  /// Whether the edit of a list sets it first.
  fileprivate var replaces: Bool {
    if case .array = self { true } else { self["set"] != nil }
  }

  /// Whether the edit of a list contains an empty text.
  fileprivate var hasEmptyItem: Bool {
    let lists = if case .array = self { [self] } else { ["set", "add", "remove"].map { self[$0] } }
    return lists.contains { list in
      if case .array(let items) = list { items.contains(.string("")) } else { false }
    }
  }

  /// Whether it is parts of a value that are all false.
  fileprivate var saysNothing: Bool {
    guard case .object(let parts) = self else { return false }
    return parts.allSatisfy { $0.value == .bool(false) }
  }

  /// A text that is both added to a list and removed from it.
  fileprivate var addedAndRemoved: String? {
    guard case .array(let added) = self["add"],
      case .array(let removed) = self["remove"]
    else {
      return nil
    }
    var names = TextSet()
    for case .string(let name) in removed { names.insert(name) }
    for case .string(let name) in added where names.contains(name) { return name }
    return nil
  }
}

extension JSON {
  /// Returns an edit of a set with the names that it means: one that the set has, if it looks the same,
  /// else the composed one.
  ///
  /// - Parameters:
  ///   - known: The names of the set, now and when it was read.
  ///   - field: The set.
  /// - Returns: The edit.
  /// - Throws: A failure where a new name contains a character that shows nothing.
  fileprivate func names(beside known: [String], _ field: Field) throws(Failure) -> JSON {
    let exact = TextSet(known)
    func composed(_ list: JSON, isNew: Bool) throws(Failure) -> JSON {
      guard case .array(let items) = list else { return list }
      var names: [JSON] = []
      for item in items {
        guard case .string(let name) = item, !exact.contains(name) else {
          names.append(item)
          continue
        }
        if isNew { try field.check(newName: name) }
        let composed = name.composed
        let meant = known.first { $0.composed.isIdentical(to: composed) }
        names.append(.string(meant ?? composed))
      }
      return .array(names)
    }
    guard case .object(let members) = self else { return try composed(self, isNew: true) }
    var edits: [Member] = []
    for edit in members {
      let isNew = !edit.name.isIdentical(to: "remove")
      edits.append(Member(edit.name, try composed(edit.value, isNew: isNew)))
    }
    return .object(edits)
  }
}

extension Record {
  /// Returns the names in a set.
  func names(of field: Field) -> [String] {
    withFields { ($0 + field.offset).assumingMemoryBound(to: [String].self).pointee }
  }
}

// MARK: - Listing

extension CommandSpec {
  /// Lists a field of a record as an option, with the record's declaration.
  ///
  /// A set and a list take any number of words, which are added.
  ///
  /// - Parameters:
  ///   - edits: The property that holds the edits.
  ///   - path: The field.
  ///   - summary: Its summary, in a few words; the field's own unless given.
  ///   - saysItClears: Whether help mentions that an empty value clears; not for a list.
  /// - Returns: The spec with the field listed.
  @inlinable
  @inline(__always)
  public consuming func option<R: Record, Value: FieldOption>(
    of edits:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, RecordEdits<R>>
      & Sendable,
    _ path: WritableKeyPath<R, Value>,
    _ summary: String? = nil,
    saysItClears: Bool = false
  ) -> Self {
    listing(edits, MemoryLayout<R>.offset(of: path), saysItClears ? .clearing : .adding, summary)
  }

  /// Lists each field of a record that has a summary as an option, in the order of their
  /// declaration.
  ///
  /// - Parameters:
  ///   - edits: The property that holds the edits.
  ///   - saysItClears: Whether help mentions that an empty value clears; not for a list.
  /// - Returns: The spec with the fields listed.
  public consuming func options<R: Record>(
    of edits:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, RecordEdits<R>>
      & Sendable,
    saysItClears: Bool = false
  ) -> Self {
    listing(edits, excluding: nil, saysItClears ? .clearing : .adding)
  }

  /// Lists each field of a record that has a summary as an option, except one, in the order of
  /// their declaration.
  ///
  /// - Parameters:
  ///   - edits: The property that holds the edits.
  ///   - path: The excluded field.
  ///   - saysItClears: Whether help mentions that an empty value clears; not for a list.
  /// - Returns: The spec with the fields listed.
  @inlinable
  @inline(__always)
  public consuming func options<R: Record, Value: FieldValue>(
    of edits:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, RecordEdits<R>>
      & Sendable,
    excluding path: WritableKeyPath<R, Value>,
    saysItClears: Bool = false
  ) -> Self {
    listing(edits, excluding: MemoryLayout<R>.offset(of: path), saysItClears ? .clearing : .adding)
  }

  /// Lists a set or a list of a record as an option that removes: `--untag` where `--tag` adds.
  ///
  /// - Parameters:
  ///   - edits: The property that holds the edits.
  ///   - path: The set or the list.
  ///   - summary: The summary of what is removed; the field's own unless given.
  /// - Returns: The spec with the option listed.
  @inlinable
  @inline(__always)
  public consuming func option<R: Record, Value: FieldOption>(
    removingFrom edits:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<
        Root, RecordEdits<R>
      > & Sendable,
    _ path: WritableKeyPath<R, [Value]>,
    _ summary: String? = nil
  ) -> Self {
    listing(edits, MemoryLayout<R>.offset(of: path), .removing, summary)
  }

  /// Lists a field of a record as the text of all the words together.
  ///
  /// - Parameters:
  ///   - edits: The property that holds the edits.
  ///   - path: The field.
  ///   - summary: Its summary, in a few words; the field's own unless given.
  /// - Returns: The spec with the text listed.
  @inlinable
  @inline(__always)
  public func text<R: Record>(
    of edits:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, RecordEdits<R>>
      & Sendable,
    _ path: WritableKeyPath<R, String>,
    _ summary: String? = nil
  ) -> Self {
    listing(edits, MemoryLayout<R>.offset(of: path), .text, summary)
  }

  @usableFromInline
  func listing<R: Record>(
    _ edits: @escaping @Sendable () -> any WritableKeyPath<Root, RecordEdits<R>> & Sendable,
    _ offset: Int?,
    _ use: FieldUse,
    _ summary: String? = nil
  ) -> Self {
    listing(PropertyAccess(edits), offset, use, summary)
  }

  @usableFromInline
  func listing<R: Record>(
    _ edits: @escaping @Sendable () -> any WritableKeyPath<Root, RecordEdits<R>> & Sendable,
    excluding offset: Int?,
    _ use: FieldUse
  ) -> Self {
    listing(PropertyAccess(edits), excluding: offset, use)
  }

  func listing<R: Record>(
    _ edits: PropertyAccess<Root, RecordEdits<R>>,
    _ offset: Int?,
    _ use: FieldUse,
    _ summary: String? = nil
  ) -> Self {
    listing { lines in
      guard let index = offset.flatMap({ R._table.index(at: $0) }) else {
        preconditionFailure("what is listed is no field of '\(R.kind)'")
      }
      R._table.fields[index].addLines(edits, use, summary, to: &lines)
    }
  }

  func listing<R: Record>(
    _ edits: PropertyAccess<Root, RecordEdits<R>>,
    excluding offset: Int?,
    _ use: FieldUse
  ) -> Self {
    listing { lines in
      for field in R._table.fields
      where field.summary.utf8CodeUnitCount > 0 && field.offset != offset {
        field.addLines(edits, use, nil, to: &lines)
      }
    }
  }
}

/// The use of a field in a line of a spec.
@usableFromInline
enum FieldUse: Sendable { case text, adding, clearing, removing }

extension Field {
  /// Assigns the value of a command; a name of the session that is none is told at this field.
  fileprivate func put(
    _ value: JSON,
    _ turn: borrowing Turn,
    into record: UnsafeMutableRawPointer
  ) throws {
    do {
      try type._put(value, turn, into: record + offset)
    } catch var failure as Failure where isReference && failure.field == "id" {
      failure.field = "\(name)"
      throw failure
    }
  }
}

extension Field {
  /// The most bytes of UTF-8 in the name of a set.
  private static let longestName = 256

  /// Checks a name that is added to a set.
  fileprivate func check(newName name: String) throws(Failure) {
    let field = "\(self.name)"
    try name.checkVisible(as: "A \(nameOfOne)", field: field)
    guard name.isOneLine else { throw emptyName(field) }
    guard name.utf8.count <= Self.longestName else {
      throw Failure(
        .validation,
        "A \(nameOfOne) has at most \(Self.longestName) bytes of UTF-8; this one has \(name.utf8.count).",
        field: field
      )
    }
  }

  /// The failure of a name that is empty, or of several lines.
  func emptyName(_ field: String) -> Failure {
    Failure(.validation, "A \(nameOfOne) is one line and not empty.", field: field)
  }

  /// Whether completion suggests existing values.
  private var hasCandidates: Bool {
    traits.contains(.set)
      || traits.contains(.indexed) && (type == String.self || type == String?.self)
  }

  /// The name of one of the values in a list.
  var nameOfOne: String { one.utf8CodeUnitCount > 0 ? "\(one)" : "value of '\(name)'" }

  /// Returns the shape of the values: null clears, and completion suggests existing values.
  private func shape<Value: FieldValue>(_ type: Value.Type, _ kind: String) -> ValueShape {
    var shape = filterShape(type, kind)
    if Value._arity != .many, !Value._isOptional {
      shape.schema = ["anyOf": .array([shape.schema, ["type": "null"]])]
    }
    return shape
  }

  /// Returns the shape of values that are asked for: completion suggests existing ones.
  func filterShape<Value: FieldValue>(_ type: Value.Type, _ kind: String) -> ValueShape {
    var shape = Value._givenShape
    let name = "\(name)"
    guard hasCandidates else { return shape }
    shape.placeholder = (one.utf8CodeUnitCount > 0 ? "\(one)" : name).uppercased()
    shape.candidates = { RequestFieldCandidates(kind, name, prefix: $0) }
    return shape
  }

  /// Adds its option, or those for the parts of its value.
  fileprivate func addLines<Root, R: Record>(
    _ edits: PropertyAccess<Root, RecordEdits<R>>,
    _ use: FieldUse,
    _ summary: String?,
    to lines: inout [CommandField<Root>]
  ) {
    let parts = type._parts
    for part in parts { lines.append(line(edits, use, self.type, part)) }
    if parts.isEmpty { lines.append(line(edits, use, self.type, summary ?? "\(self.summary)")) }
  }

  /// Returns the option for a part of its value.
  fileprivate func line<Root, R: Record, Value: FieldValue>(
    _ edits: PropertyAccess<Root, RecordEdits<R>>,
    _ use: FieldUse,
    _ type: Value.Type,
    _ part: FieldPart
  ) -> CommandField<Root> {
    let name = "\(name)"
    let isClearable = use == .clearing && part.shape != nil
    return CommandField(
      part.name,
      of: edits,
      .option,
      part.summary + (isClearable ? "; empty clears" : ""),
      part.shape == nil ? Bool.self : String?.self,
      shape: part.shape,
      takeWord: { edits, word throws(ValueError) in
        try edits.take(part.shape == nil ? .bool(true) : .string(word), of: part, name, type)
      },
      takeJSON: { edits, json, _ throws(ValueError) in
        if part.shape == nil {
          var isGiven = false
          try isGiven.take(json: json)
        } else {
          var word: String?
          try word.take(json: json)
        }
        try edits.take(json, of: part, name, type)
      }
    )
  }

  func line<Root, R: Record, Value: FieldValue>(
    _ edits: PropertyAccess<Root, RecordEdits<R>>,
    _ use: FieldUse,
    _ type: Value.Type,
    _ summary: String
  ) -> CommandField<Root> {
    let name = "\(name)"
    let isClearable =
      use == .clearing && type._arity != .many && !(isReference && !type._isOptional)
    let shape: @Sendable () -> ValueShape = { self.shape(Value.self, R.kind) }
    let one = self.one.utf8CodeUnitCount > 0 ? "\(self.one)" : nil
    let flag = one.map { (use == .removing ? "--un" : "--") + $0 }
    return CommandField(
      use == .removing ? "un" + name : name,
      of: edits,
      use == .text ? .text : .option,
      summary + (isClearable ? "; empty clears" : ""),
      flag: use == .text ? nil : flag,
      use == .text ? String.self : FieldProperty<Value>.self,
      shape: use == .text ? nil : shape,
      takeWord: { edits, word throws(ValueError) in
        let isSet = R._table.index(of: name).map { R._table.fields[$0].traits.contains(.set) }
        for word in isSet == true ? word.betweenCommas : [word] {
          if use == .removing {
            try edits.amend("remove", .string(word), name, type)
          } else {
            try edits.take(word: word, name, type)
          }
        }
      },
      takeJSON: { edits, json, _ throws(ValueError) in
        guard use == .removing else { return try edits.take(json: json, name, type) }
        guard case .array(let items) = json else {
          throw ValueError("expected an array, found \(json.kind)")
        }
        for item in items { try edits.amend("remove", item, name, type) }
      }
    )
  }
}

/// Represents the values of a field among the properties of a command.
struct FieldProperty<Value: FieldValue>: CommandProperty {
  static var arity: ValueArity { Value._arity }
  static var shape: ValueShape { Value._givenShape }

  mutating func take(word: String) throws(ValueError) {}
  mutating func take(json: JSON) throws(ValueError) {}
}
