import JSONText
public import EventMVVM
public import EventValues

/// What a field means, for code that knows no record: when something is due, what completes it.
///
/// A record says which of its fields has a role, and a plugin works on any record that has the roles which it
/// needs. A role is a name with the type of its values; a module declares its own in an extension.
///
/// ```swift
/// extension Role<Bool> {
///   /// Whether it has a star.
///   static var star: Self { Role("star") }
/// }
/// ```
///
/// Records, stores and recordings give roles no meaning: a role can be added to a field and taken from it at any time.
public struct Role<Value>: Sendable {
  /// Its name, by which it is the same wherever it is declared.
  public let name: StaticString

  /// Declares a role.
  public init(_ name: StaticString) { self.name = name }

  /// The type of its values.
  var valueType: ObjectIdentifier { ObjectIdentifier(Value.self) }
}

extension Role<String> {
  /// What a record is called.
  public static var title: Self { Role("title") }
  /// Notes, of any number of lines.
  public static var notes: Self { Role("notes") }
  /// What it is part of, by name.
  public static var project: Self { Role("project") }
}

extension Role<[String]> {
  /// The names by which people group records.
  public static var labels: Self { Role("labels") }
}

extension Role<CivilTime> {
  /// When it is due.
  public static var due: Self { Role("due") }
  /// Until when it is out of lists.
  public static var wait: Self { Role("wait") }
  /// When it is to be begun.
  public static var scheduled: Self { Role("scheduled") }
  /// Until when it is of use; it is closed from then on.
  public static var until: Self { Role("until") }
}

extension Role<Recurrence> {
  /// How it comes again.
  public static var recurrence: Self { Role("recurrence") }
}

extension Role<any RankedValue> {
  /// How much it matters.
  public static var priority: Self { Role("priority") }
}

extension Role<any CompletionValue> {
  /// Whether it is done.
  public static var completion: Self { Role("completion") }
}

/// A value that says whether a record is done: the time or the day of it, true or false, or one of a few values.
///
/// An optional ``EventMVVM/Instant`` or ``EventValues/CivilTime`` is one, and so is a `Bool`. An enumeration says which
/// of its values are meant:
///
/// ```swift
/// extension Sample.Status: CompletionValue {
///   static var open: Self { .started }
///   static var done: [Self] { [.finished] }
/// }
/// ```
public protocol CompletionValue: FieldValue {
  /// The value of a record that is opened again.
  static var open: Self { get }
  /// The values of what is done, first that of a record which is completed; empty where any but ``open`` is.
  static var done: [Self] { get }
  /// Returns the value of a record that is completed now; the first of ``done`` unless declared.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - day: The user's day.
  /// - Returns: The value.
  static func done(at time: Instant, on day: CivilDay) -> Self
}

extension CompletionValue {
  /// Returns the first of ``done``.
  public static func done(at time: Instant, on day: CivilDay) -> Self { done.first ?? open }

  /// Whether it is a value of what is done.
  public var isDone: Bool {
    let done = Self.done
    return done.isEmpty ? self != Self.open : done.contains(self)
  }

  /// Whether it says how a record is completed.
  static var _completes: Bool {
    let day = CivilDay(daysSinceEpoch: 0)
    return done(at: Instant(milliseconds: 0), on: day).isDone && !open.isDone
  }
}

extension Bool: CompletionValue {
  /// The mark of what is open is false.
  public static var open: Bool { false }
  /// The mark of what is done is true.
  public static var done: [Bool] { [true] }
}

/// A time at which something can have been done.
public protocol CompletionTime: FieldValue {
  /// Returns the value for a time and the user's day.
  static func completed(at time: Instant, on day: CivilDay) -> Self
}

extension Instant: CompletionTime {
  /// Returns the time.
  public static func completed(at time: Instant, on day: CivilDay) -> Self { time }
}

extension CivilTime: CompletionTime {
  /// Returns the day.
  public static func completed(at time: Instant, on day: CivilDay) -> Self { .day(day) }
}

extension Optional: CompletionValue where Wrapped: CompletionTime {
  /// What is open has no time.
  public static var open: Self { nil }
  /// Any time is one of what is done.
  public static var done: [Self] { [] }
  /// Returns the time or the day.
  public static func done(at time: Instant, on day: CivilDay) -> Self {
    .some(.completed(at: time, on: day))
  }
}

/// The field of a record that has a role: its value in a record, and conditions on it.
///
/// ```swift
/// .condition("starred", "Only starred ones", star.equals(true))
/// .column { view, _, page in
///   if star.value(of: view.value) == true { page.write("  ★", .prominent) }
/// }
/// ```
public struct RoleField<R: Record, Value>: Sendable {
  /// The field itself.
  package let field: Field
  /// The type of the value, where that says whether a record is done.
  let completion: (any CompletionValue.Type)?

  /// The name of the field.
  public var name: String { "\(field.name)" }
  /// Whether people give it: it has a summary, and so an option and a column.
  public var isGiven: Bool { field.summary.utf8CodeUnitCount > 0 }
  fileprivate var offset: Int { field.offset }
  fileprivate var type: any FieldValue.Type { field.type }
}

extension Record {
  /// Returns the field that has a role; nil if none has it, or one of other values.
  public static func field<Value>(with role: Role<Value>) -> RoleField<Self, Value>? {
    let table = _table
    guard let found = table.role(role.name), found.valueType == role.valueType else {
      return nil
    }
    return RoleField(field: table.fields[found.field], completion: found.completion)
  }

  /// Whether a field has a role of that name, whatever its values are.
  package static func hasField(withRoleNamed name: StaticString) -> Bool {
    _table.role(name) != nil
  }
}

// A field is bound to `Value`, or to `Value?` where it is an optional: `Fields.role` takes a role for fields of
// these two types alone, and the table checks that the field at the offset has the type; the type of the role is
// compared above, as another module can declare one of the same name.

extension RoleField where Value: FieldValue {
  /// Returns its value in a record; nil where that is absent.
  public func value(of record: R) -> Value? {
    record.withFields { record in
      type._isOptional
        ? (record + offset).assumingMemoryBound(to: Value?.self).pointee
        : (record + offset).assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Whether a record has a value in it.
  public func hasValue(in record: R) -> Bool {
    record.withFields { !type._isAbsent($0 + offset) }
  }

  /// Sets its value in a record.
  ///
  /// - Parameters:
  ///   - value: The value; for nil, that of a new record where the field is no optional.
  ///   - record: The record.
  public func set(_ value: Value?, in record: inout R) {
    let new = type._isOptional ? nil : self.value(of: R())
    record.withMutableFields { record in
      if type._isOptional {
        (record + offset).assumingMemoryBound(to: Value?.self).pointee = value
      } else if let value = value ?? new {
        (record + offset).assumingMemoryBound(to: Value.self).pointee = value
      }
    }
  }

  /// The field has this value.
  public func equals(_ value: Value) -> Condition<R> {
    Condition(ConditionNode(offset, equals: value))
  }

  /// The field has no value.
  public var isNil: Condition<R> { Condition(ConditionNode(offset, anyOf: [Value?.none])) }

  /// The field is less than a value, as ``Condition/less(_:than:)`` says.
  public func less(than value: Value) -> Condition<R> {
    Condition(ConditionNode(offset, .less, value))
  }

  /// The field is greater than or equal to a value.
  public func atLeast(_ value: Value) -> Condition<R> {
    Condition(ConditionNode(offset, .atLeast, value))
  }
}

extension RoleField where Value == CivilTime {
  // With the absent first, as nearly all are: a database then looks at no more.

  /// The field has no time, or one that has begun at a minute: a day begins with its first one.
  public func hasBegun(at now: CivilMinute) -> Condition<R> {
    // As they are stored a day is less than its minutes.
    .any(isNil, Condition(.compare(field.offset, .atMost, CivilTime.minute(now).stored)))
  }

  /// The field has no time, or one that is not over at a minute: a day is at its end.
  public func lasts(at now: CivilMinute) -> Condition<R> { .any(isNil, atLeast(.minute(now))) }

  /// The field is a day, or a minute of it.
  public func isOn(_ day: CivilDay) -> Condition<R> {
    .all(atLeast(.day(day)), day.adding(days: 1).map { less(than: .day($0)) } ?? .all())
  }
}

extension RoleField where Value == any RankedValue {
  /// Returns the rank of its value in a record; nil where that is absent.
  public func rank(of record: R) -> Int? {
    let stored = record.withFields { try? type._stored($0 + offset) }
    guard case .text(let name) = stored else { return nil }
    for rank in type._ranks where rank.name.isIdentical(to: name) { return rank.rank }
    return nil
  }

  /// The field has this rank, or a greater one.
  public func atLeast(rank: Int) -> Condition<R> {
    Condition(.compare(offset, .atLeast, .integer(Int64(rank))))
  }
}

extension RoleField where Value == any CompletionValue {
  /// Whether a record is done.
  public func isDone(_ record: R) -> Bool {
    guard let completion else { return false }
    return record.withFields { completion._isDone($0 + offset) }
  }

  /// Whether it has the time at which something was done.
  public var hasTime: Bool { type == Instant?.self }

  /// Returns the time at which a record was done; nil where it is open, or the field does not have the time.
  public func time(of record: R) -> Instant? {
    guard hasTime else { return nil }
    return record.withFields { ($0 + offset).assumingMemoryBound(to: Instant?.self).pointee }
  }

  /// Completes a record at the time of a turn, or opens it again; one that is done keeps its time.
  public func complete(_ record: inout R, _ isDone: Bool = true, _ turn: borrowing Turn) {
    complete(&record, isDone, at: turn.time, on: turn.zone.day(at: turn.time))
  }

  /// Completes a record, or opens it again; one that is done keeps its time.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - isDone: Whether it is done from now on.
  ///   - time: The time.
  ///   - day: The user's day.
  public func complete(_ record: inout R, _ isDone: Bool = true, at time: Instant, on day: CivilDay)
  {
    guard let completion, isDone != self.isDone(record) else { return }
    record.withMutableFields { completion._set(isDone, at: time, on: day, in: $0 + offset) }
  }

  /// Gives a record the completion of another state of it.
  public func copy(from other: R, to record: inout R) {
    record.withMutableFields { record in
      other.withFields { type._copy($0 + offset, to: record + offset) }
    }
  }

  /// The condition of what is not done.
  public var isOpen: Condition<R> {
    guard let completion else { return .any() }
    return Condition(completion._isOpen(offset))
  }

  /// The condition of what is done.
  public var isDone: Condition<R> { .not(isOpen) }
}

extension CompletionValue {
  fileprivate static func _isDone(_ value: UnsafeRawPointer) -> Bool {
    value.assumingMemoryBound(to: Self.self).pointee.isDone
  }

  fileprivate static func _set(
    _ isDone: Bool,
    at time: Instant,
    on day: CivilDay,
    in value: UnsafeMutableRawPointer
  ) {
    value.assumingMemoryBound(to: Self.self).pointee = isDone ? done(at: time, on: day) : open
  }

  fileprivate static func _isOpen(_ offset: Int) -> ConditionNode {
    done.isEmpty ? ConditionNode(offset, equals: open) : .not([ConditionNode(offset, anyOf: done)])
  }
}
