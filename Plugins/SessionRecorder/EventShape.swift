import EventCommands
import EventMVVM
import EventValues
import JSONText
@_spi(Reflection) import Swift

/// The shape of an event type, derived from the type itself: its fields, and those of the
/// structures in them.
///
/// A recording stores it, so that a change of a type without a new version is found before anything
/// is misread. Of an enumeration only its name is known.
struct EventShape: Sendable, Equatable {
  /// The fields of each structure by its name, the event's own first.
  private(set) var types: [(name: String, fields: [Field])] = []
  /// The fields of new values of the structures to which fields can be added.
  private(set) var newForms: [String: [JSON.Member]] = [:]
  /// The names of events in a field of the event, and of the structures that only those have: each event has a
  /// version of its own, by which it is compared where it is recorded itself.
  private var inner: Set<String> = []

  /// A stored property.
  struct Field: Sendable, Equatable {
    /// Its name.
    let name: String
    /// The name of its type.
    let type: String
  }

  /// Derives the shape of a type and its parts.
  init(of type: any Any.Type) {
    add(type)
  }

  private mutating func add(_ type: any Any.Type, isInner: Bool = false) {
    let isInner = isInner || !types.isEmpty && type is any Event.Type
    let event = types.isEmpty ? type as? any Event.Type : nil
    let name = event?.name ?? Self.name(of: type)
    guard !types.contains(where: { $0.name == name }) else { return }
    if let parts = (type as? any ComposedType.Type)?.parts {
      return parts.forEach { add($0, isInner: isInner) }
    }
    guard Self.isOurs(type) else { return }
    var fields: [Field] = []
    var parts: [any Any.Type] = []
    _ = _forEachField(of: type) { label, _, field, _ in
      fields.append(Field(name: String(cString: label), type: Self.name(of: field)))
      parts.append(field)
      return true
    }
    guard !fields.isEmpty || types.isEmpty else { return }
    types.append((name, fields))
    if isInner { inner.insert(name) }
    if case .object(let members)? = (type as? any GrowingValue.Type)?._newForm {
      newForms[name] = members
    }
    // Events last: what the event has itself is its own.
    for type in parts where !Self.isEvent(type) { add(type, isInner: isInner) }
    for type in parts where Self.isEvent(type) { add(type, isInner: isInner) }
  }

  /// Whether it is an event, or an optional one.
  private static func isEvent(_ type: any Any.Type) -> Bool {
    type is any Event.Type
      || (type as? any ComposedType.Type)?.parts.contains { $0 is any Event.Type } ?? false
  }

  private static func name(of type: any Any.Type) -> String { _typeName(type, qualified: false) }

  /// Whether it is a structure outside the standard library, whose structures are known by their
  /// names.
  private static func isOurs(_ type: any Any.Type) -> Bool {
    guard !_typeName(type, qualified: true).utf8.starts(with: "Swift.".utf8) else { return false }
    return !(type is any AnyObject.Type) && isStructure(type)
  }

  /// Whether it has stored properties.
  private static func isStructure(_ type: any Any.Type) -> Bool {
    var kind: String?
    func probe<T>(_: T.Type) {
      _ = _forEachField(of: Probe<T>.self) { _, _, _, found in
        kind = "\(found)"
        return false
      }
    }
    _openExistential(type, do: probe)
    return kind == "struct"
  }

  /// Whether both have the same fields.
  static func == (first: Self, second: Self) -> Bool {
    first.types.elementsEqual(second.types) { $0.name == $1.name && $0.fields == $1.fields }
  }

  /// Returns the members that values of this shape may have in addition to those of an old one.
  func additions(to old: EventShape) -> [JSON.Member] {
    newForms.flatMap { name, members in
      let before = old.types.first { $0.name == name }?.fields
      return before == types.first { $0.name == name }?.fields ? [] : members
    }
  }

  /// Returns the first difference between an old shape and this one, as a sentence; nil if there is
  /// none but fields that were added to growing values.
  ///
  /// - Parameter old: The old shape.
  /// - Returns: `RequestAdd: 'due' was Text, is Date`.
  func difference(from old: EventShape) -> String? {
    for (name, fields) in old.types where !inner.contains(name) {
      guard let now = types.first(where: { $0.name == name })?.fields else {
        if !inner.isEmpty { continue }
        return "\(name) is not part of it any more"
      }
      for field in fields {
        guard let match = now.first(where: { $0.name == field.name }) else {
          return "\(name): '\(field.name)' was \(field.type), is gone"
        }
        if match.type != field.type {
          return "\(name): '\(field.name)' was \(field.type), is \(match.type)"
        }
      }
      if newForms[name] == nil,
        let new = now.first(where: { field in !fields.contains { $0.name == field.name } })
      {
        return "\(name): '\(new.name)' is new"
      }
    }
    // A structure that only a new field of a record has can't be told from another one here: its values
    // are compared.
    guard newForms.isEmpty else { return nil }
    let new = types.first { type in
      !inner.contains(type.name) && !old.types.contains { $0.name == type.name }
    }
    return new.map { "\($0.name) is new in it" }
  }

  /// The shape in its recorded form.
  var json: JSON {
    .object(
      types.map { type in
        JSON.Member(type.name, .object(type.fields.map { JSON.Member($0.name, .string($0.type)) }))
      }
    )
  }

  /// Reads the form of ``json``; nil for any other JSON.
  init?(_ json: JSON) {
    guard case .object(let members) = json else { return nil }
    for member in members {
      guard case .object(let fields) = member.value else { return nil }
      var known: [Field] = []
      for field in fields {
        guard case .string(let type) = field.value else { return nil }
        known.append(Field(name: field.name, type: type))
      }
      types.append((member.name, known))
    }
  }
}

/// A type of which only its element types matter.
private protocol ComposedType {
  static var parts: [any Any.Type] { get }
}

extension Optional: ComposedType {
  fileprivate static var parts: [any Any.Type] { [Wrapped.self] }
}

extension Array: ComposedType {
  fileprivate static var parts: [any Any.Type] { [Element.self] }
}

extension Set: ComposedType {
  fileprivate static var parts: [any Any.Type] { [Element.self] }
}

extension Result: ComposedType {
  fileprivate static var parts: [any Any.Type] { [Success.self, Failure.self] }
}

extension Change: ComposedType {
  fileprivate static var parts: [any Any.Type] { [Value.self] }
}

/// A field's type, for finding its kind.
private struct Probe<T> {
  let value: T
}
