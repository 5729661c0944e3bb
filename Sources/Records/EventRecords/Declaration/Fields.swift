public import EventMVVM
public import EventValues
public import JSONText

/// The fields of a record, declared once: storing, comparing, merging, undo and views follow from
/// them.
///
/// A name is that of the field in the history, in conflicts and in JSON, and its first one in the store. Renaming a
/// property is safe; a field that is renamed says so, since what was stored before has the old name: see
/// ``renamed(from:)``. No name begins with `_`, and none differs from another in case alone; there are at
/// most 60.
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
  ///   - former: The names of one record in earlier versions, oldest first: what is stored retains the
  ///     first. They stay declared, and no other record may have them.
  @inlinable
  @inline(__always)
  public init(_ name: String, several: String = "records", formerly former: String...) {
    table = FieldTable(kind: name, several: several, formerly: former)
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

  /// Declares the names that the last field had in earlier versions, oldest first.
  ///
  /// What is stored retains the first name, so that a rename costs nothing, and earlier versions of the
  /// program can use the store, too; JSON, commands and messages have the name of today. The log of changes
  /// and recordings name fields as well: a former name stays declared, and no other field may have it.
  ///
  /// ```swift
  /// .field("writer", \.writer, [.searched, .indexed]).renamed(from: "author")
  /// ```
  @inlinable
  @inline(__always)
  public consuming func renamed(from names: StaticString...) -> Self {
    Fields(table: table.renaming(names))
  }

  /// Declares that a field had another type in an earlier version, or values of another meaning.
  ///
  /// ```swift
  /// .converted(\.weight, from: Int.self) { Double($0) / 1000 }
  /// ```
  ///
  /// The first version that declares it converts all records when it opens the store: in one transaction, after
  /// a copy of the store, and again what it reads in the log and in recordings. Earlier versions of the
  /// program refuse the store from then on. Each conversion stays declared, the oldest first: all convert to
  /// the type of today.
  ///
  /// - Parameters:
  ///   - path: The field, which is declared before this; no set, no reference and not the identity.
  ///   - type: The type that it had.
  ///   - convert: Converts a value; a missing one stays missing. Where it throws, nothing is changed, and the
  ///     store is refused with the number of the record.
  /// - Returns: The fields, with this conversion.
  @inlinable
  @inline(__always)
  public consuming func converted<Old: FieldValue, Value: FieldValue>(
    _ path: WritableKeyPath<R, Value>,
    from type: Old.Type,
    _ convert: @escaping @Sendable (Old) throws -> Value
  ) -> Self {
    Fields(
      table: table.converting(
        MemoryLayout<R>.offset(of: path),
        FieldConversion(isCast: false, convert)
      )
    )
  }

  /// Declares that a field was an integer in an earlier version: a number or a text can have it, too.
  ///
  /// All records are converted by one statement.
  @inlinable
  @inline(__always)
  public consuming func converted<Value: IntegerConvertible>(
    _ path: WritableKeyPath<R, Value>,
    from type: Int.Type
  ) -> Self {
    Fields(
      table: table.converting(
        MemoryLayout<R>.offset(of: path),
        FieldConversion(isCast: Value._isCast) { (number: Int) in try Value.converting(number) }
      )
    )
  }

  /// Declares names of fields that earlier versions had, and this one has no longer.
  ///
  /// What is stored of them stays, so that these versions can use the store. Of a field that is neither
  /// declared nor named here, the first start tells how many records have it, and `doctor` does each time: it
  /// may have been renamed.
  @inlinable
  @inline(__always)
  public consuming func removed(_ names: StaticString...) -> Self {
    Fields(table: table.removing(names))
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

  /// Declares that no two records have the same values in some fields, taken together.
  ///
  /// ```swift
  /// .unique(\.guest, where: .isNil(\.left)) { "\($0.guest ?? "") has a seat already." }
  /// ```
  ///
  /// It does not count a record that lacks one of the values, or that is marked as deleted. A command that would
  /// break it fails with the sentence, and so does one that restores a record; an undo that would is a conflict.
  /// The store has a unique index as well. A store with duplicates is refused by the first version that
  /// declares the rule, with their numbers; `doctor` finds them, too. For one field ``FieldTraits/unique`` says the same.
  ///
  /// - Parameters:
  ///   - paths: The fields, which are declared before this; no sets.
  ///   - condition: Which records it counts; by default all. No texts are searched in it, and no names in sets.
  ///   - sentence: What a person is told, by the record that would break it.
  /// - Returns: The fields, with this rule.
  @inlinable
  public consuming func unique<each Value: FieldValue>(
    _ paths: repeat WritableKeyPath<R, each Value>,
    where condition: Condition<R>? = nil,
    _ sentence: (@Sendable (R) -> String)? = nil
  ) -> Self {
    var offsets: [Int?] = []
    repeat offsets.append(MemoryLayout<R>.offset(of: each paths))
    var erased: (@Sendable (UnsafeRawPointer) -> String)?
    if let sentence {
      erased = { record in sentence(record.assumingMemoryBound(to: R.self).pointee) }
    }
    return Fields(table: table.adding(unique: offsets, condition?.node, erased))
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

  /// Says what a field means, for plugins and frontends that know no record; see ``Role``.
  ///
  /// ```swift
  /// .field("due", \.due, .indexed, "When it is to be back")
  /// .field("returned", \.returned, .indexed)
  /// .identity("uuid", \.uuid)
  /// .role(.due, \.due)
  /// .role(.completion, \.returned)
  /// ```
  ///
  /// - Parameters:
  ///   - role: The role, of values of the field's type; a record has a role once.
  ///   - path: The field, which is declared before this.
  /// - Returns: The fields, with this role.
  @inlinable
  @inline(__always)
  public consuming func role<Value: FieldValue>(
    _ role: Role<Value>,
    _ path: WritableKeyPath<R, Value>
  ) -> Self {
    Fields(table: table.adding(role, MemoryLayout<R>.offset(of: path), Value.self))
  }

  /// Says what a field means whose values can be absent.
  @inlinable
  @inline(__always)
  public consuming func role<Value: FieldValue>(
    _ role: Role<Value>,
    _ path: WritableKeyPath<R, Value?>
  ) -> Self {
    Fields(table: table.adding(role, MemoryLayout<R>.offset(of: path), Value?.self))
  }

  /// Says that the rank of a field is meant.
  @inlinable
  @inline(__always)
  public consuming func role<Value: RankedValue>(
    _ role: Role<any RankedValue>,
    _ path: WritableKeyPath<R, Value>
  ) -> Self {
    Fields(table: table.adding(role, MemoryLayout<R>.offset(of: path), Value.self))
  }

  /// Says that a field tells whether a record is done.
  @inlinable
  @inline(__always)
  public consuming func role<Value: CompletionValue>(
    _ role: Role<any CompletionValue>,
    _ path: WritableKeyPath<R, Value>
  ) -> Self {
    Fields(
      table: table.adding(
        role,
        MemoryLayout<R>.offset(of: path),
        Value.self,
        completion: Value.self
      )
    )
  }

  @inlinable
  @inline(__always)
  init(table: FieldTable) { self.table = table }
}
