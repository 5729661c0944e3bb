public import EventMVVM
public import EventValues
public import JSONText

/// The fields of a record, declared once: storing, comparing, merging, undo and views follow from
/// them.
///
/// A name is that of the field in the store, in the history, in conflicts and in JSON. Renaming a
/// property is safe, renaming a field is not: what was stored before has the old name. No name
/// begins with `_`, and none differs from another in case alone; there are at most 60.
///
/// ```swift
/// static let fields = Fields<Self>("sample")
///   .field("title", \.title, .searched)
///   .field("status", \.status, .indexed)
///   .field("city", \.origin.city)
///   .set("tags", \.tags)
/// ```
///
/// Key paths determine the offset of a property in the record. The methods are inlined for that,
/// so that optimised code creates no key path when a process starts. Only stored properties are
/// allowed, and parts of them that are stored themselves (`\.address.city`).
public struct Fields<R: Record>: Sendable {
  @usableFromInline let table: FieldTable

  /// Creates a record's declaration without fields.
  ///
  /// - Parameters:
  ///   - name: The name of one record: letters, digits, `-` and `_`.
  ///   - several: The name of several records, for counts.
  @inlinable
  @inline(__always)
  public init(_ name: String, several: String = "records") {
    table = FieldTable(kind: name, several: several)
  }

  /// Adds a field.
  ///
  /// - Parameters:
  ///   - name: Its name, which needs no escape in JSON; no other field of the record has it.
  ///   - path: The stored property, or a stored part of one.
  ///   - traits: The traits that a store implements for it.
  ///   - summary: Its summary, in a few words, for its options; see `RecordEdits`.
  /// - Returns: The fields, followed by this one.
  @inlinable
  @inline(__always)
  public consuming func field<Value: FieldValue>(
    _ name: StaticString,
    _ path: WritableKeyPath<R, Value>,
    _ traits: FieldTraits = [],
    _ summary: StaticString = ""
  ) -> Self {
    Fields(
      table: table.adding(name, MemoryLayout<R>.offset(of: path), Value.self, traits, summary)
    )
  }

  /// Adds a field with a name and a summary alone.
  @inlinable
  @inline(__always)
  public consuming func field<Value: FieldValue>(
    _ name: StaticString,
    _ path: WritableKeyPath<R, Value>,
    _ summary: StaticString
  ) -> Self {
    Fields(table: table.adding(name, MemoryLayout<R>.offset(of: path), Value.self, [], summary))
  }

  /// Adds the identity of the record: a UUID, unique everywhere, that it has from its addition
  /// on.
  ///
  /// A record that is added without one gets a new one. People refer to a record by its UUID, or
  /// the beginning of it, or by its number; see ``RecordReference``.
  ///
  /// - Parameters:
  ///   - name: The name of the field; no other field of the record has it.
  ///   - path: The stored property: ``EventMVVM/UniqueID/none`` in a new record.
  /// - Returns: The fields, followed by this one.
  @inlinable
  @inline(__always)
  public consuming func identity(_ name: StaticString, _ path: WritableKeyPath<R, UniqueID>) -> Self
  {
    Fields(table: table.adding(name, MemoryLayout<R>.offset(of: path), UniqueID.self, .identity))
  }

  /// Adds a set of names: a merge of two edits has what either has added, without what either has
  /// removed.
  ///
  /// - Parameters:
  ///   - name: Its name, which needs no escape in JSON; no other field of the record has it.
  ///   - path: The stored property: the names in the order in which they are shown, each once.
  ///   - summary: The summary of one name, in a few words, for its options.
  ///   - one: The name of one there: `tag`, for `--tag` and `--untag`.
  /// - Returns: The fields, followed by this one.
  @inlinable
  @inline(__always)
  public consuming func set(
    _ name: StaticString,
    _ path: WritableKeyPath<R, [String]>,
    _ summary: StaticString = "",
    one: StaticString = ""
  ) -> Self {
    Fields(
      table: table.adding(
        name,
        MemoryLayout<R>.offset(of: path),
        [String].self,
        .set,
        summary,
        one
      )
    )
  }

  /// Adds a reference to another record; see ``Reference``.
  ///
  /// - Parameters:
  ///   - name: Its name, which needs no escape in JSON; no other field of the record has it.
  ///   - path: The stored property.
  ///   - removal: What happens to this record when that one is removed.
  ///   - traits: More traits: it is indexed in any case.
  ///   - summary: Its summary, in a few words, for its options.
  /// - Returns: The fields, followed by this one.
  @inlinable
  @inline(__always)
  public consuming func reference<Target: Record>(
    _ name: StaticString,
    _ path: WritableKeyPath<R, Reference<Target>>,
    onRemoval removal: ReferenceRemoval = .restrict,
    traits: FieldTraits = [],
    _ summary: StaticString = ""
  ) -> Self {
    Fields(
      table: table.adding(
        name,
        MemoryLayout<R>.offset(of: path),
        Reference<Target>.self,
        traits.union(.indexed),
        summary,
        reference: Reference<Target>.self,
        removal
      )
    )
  }

  /// Adds a reference to another record, which may be none; see ``Reference``.
  @inlinable
  @inline(__always)
  public consuming func reference<Target: Record>(
    _ name: StaticString,
    _ path: WritableKeyPath<R, Reference<Target>?>,
    onRemoval removal: ReferenceRemoval = .restrict,
    traits: FieldTraits = [],
    _ summary: StaticString = ""
  ) -> Self {
    Fields(
      table: table.adding(
        name,
        MemoryLayout<R>.offset(of: path),
        Reference<Target>?.self,
        traits.union(.indexed),
        summary,
        reference: Reference<Target>?.self,
        removal
      )
    )
  }

  /// Declares an index that finds records by the values of some fields, in the order of another
  /// one.
  ///
  /// - Parameters:
  ///   - path: The field by which they are sorted.
  ///   - condition: The fields that are compared with one value each, with any value:
  ///     ``Condition/equals(_:_:)``, or several of these in ``Condition/all(_:)``.
  /// - Returns: The fields, with this order.
  @inlinable
  @inline(__always)
  public consuming func listed<Value: FieldValue>(
    by path: WritableKeyPath<R, Value>,
    where condition: Condition<R>
  ) -> Self {
    Fields(table: table.adding(order: MemoryLayout<R>.offset(of: path), condition.node))
  }

  /// Adds a value that views show in addition to the fields; it is not stored.
  ///
  /// - Parameters:
  ///   - name: Its name in the JSON, where it follows the fields that are declared before it.
  ///   - value: Computes it from the record and the user's local time.
  /// - Returns: The fields, with this one shown.
  @inlinable
  @inline(__always)
  public consuming func shown<Value: FieldValue>(
    _ name: StaticString,
    _ value: @escaping @Sendable (_ record: R, _ now: CivilMinute) -> Value
  ) -> Self {
    Fields(
      table: table.adding(name, isTimed: true) { record, now, json in
        guard let now else { preconditionFailure("'\(name)' is shown without the time") }
        try value(record.assumingMemoryBound(to: R.self).pointee, now).writeField(to: &json)
      }
    )
  }

  /// Adds a value that views show in addition to the fields, independent of the time; it is not
  /// stored.
  @inlinable
  @inline(__always)
  public consuming func shown<Value: FieldValue>(
    _ name: StaticString,
    _ value: @escaping @Sendable (_ record: R) -> Value
  ) -> Self {
    Fields(
      table: table.adding(name) { record, _, json in
        try value(record.assumingMemoryBound(to: R.self).pointee).writeField(to: &json)
      }
    )
  }

  @inlinable
  @inline(__always)
  init(table: FieldTable) { self.table = table }
}
