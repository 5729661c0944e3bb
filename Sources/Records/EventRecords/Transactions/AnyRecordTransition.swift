import EventMVVM
import EventValues
package import JSONText

/// The change of a record, without its type: a ``RecordTransition`` of any type.
struct AnyRecordTransition: Sendable {
  let number: Int
  let kind: String
  /// Its title or, if it no longer exists, its last one.
  let title: String
  let wasThere: Bool
  let isThere: Bool
  let revision: Int
  /// The fields that have changed; none for a removed or unreadable record.
  private let fields: @Sendable () -> [FieldChange]
  /// The transition; nil where it can't be read.
  private let transition: (any ShownTransition)?

  init<R: Record>(_ transition: RecordTransition<R>, wasThere: Bool, isThere: Bool) {
    number = transition.number
    kind = R.kind
    title = (transition.after ?? transition.before)?.title ?? R.kind
    self.wasThere = wasThere
    self.isThere = isThere
    revision = transition.revision
    fields = { (try? transition.fields) ?? [] }
    self.transition = transition
  }

  /// Creates the transition of an external change.
  init(_ change: StoredChange, _ types: RecordTypes) {
    let (wasThere, isThere) = (change.before != nil, change.after != nil)
    func erased<R: Record>(_ type: R.Type) -> AnyRecordTransition? {
      guard let transition = try? RecordTransition<R>(change) else { return nil }
      return AnyRecordTransition(transition, wasThere: wasThere, isThere: isThere)
    }
    if let known = types.type(of: change.kind).flatMap({ erased($0) }) {
      self = known
      return
    }
    number = change.number
    kind = change.kind
    title = change.kind
    self.wasThere = wasThere
    self.isThere = isThere
    revision = change.revision
    fields = { [] }
    transition = nil
  }

  /// Returns the transition, if the record is of this type.
  func transition<R: Record>(of type: R.Type) -> RecordTransition<R>? {
    kind == R.kind ? transition as? RecordTransition<R> : nil
  }

  /// What the change made of the record.
  private var changeKind: SubjectChange.Kind {
    !wasThere ? .added : isThere ? .changed : .removed
  }

  /// The change as programs get to see it.
  var shown: ShownChange { ShownChange(kind: changeKind, of: kind, transition: transition) }

  /// The change in the form for undo and redo, independent of the domain: without fields where
  /// the record was added, or removed.
  var reversed: SubjectChange {
    SubjectChange(
      id: number,
      title: title,
      kind: changeKind,
      fields: wasThere && isThere ? fields() : []
    )
  }
}

/// The change of a record, as programs get to see it.
struct ShownChange: Sendable {
  fileprivate let kind: SubjectChange.Kind
  fileprivate let recordKind: String
  /// The transition; nil where it can't be read.
  fileprivate let transition: (any ShownTransition)?

  fileprivate init(
    kind: SubjectChange.Kind,
    of recordKind: String,
    transition: (any ShownTransition)?
  ) {
    (self.kind, self.recordKind, self.transition) = (kind, recordKind, transition)
  }

  /// Writes the change, with the record as a ``RecordView`` shows it; what was removed as it was
  /// before, and null what can't be read.
  func write(at time: CivilMinute?, to json: inout JSONWriter) {
    json.object { json in
      json.member("novelty", kind.rawValue)
      json.member("kind", recordKind)
      json.key("fields")
      json.array { json in
        for name in transition?.changedFields ?? [] { json.value(name) }
      }
      json.key("record")
      var view = JSONWriter()
      let isShown = (try? transition?.writeView(at: time, to: &view)) != nil
      isShown ? json.value(text: view.bytes) : json.null()
    }
  }
}

/// The changes that programs get to see of an event; no part of what is recorded or compared.
package struct ShownChanges: Sendable, Equatable {
  fileprivate let changes: [ShownChange]
  /// What time it was for the user.
  private let time: CivilMinute?

  /// Nothing to see: the event was read from a recording.
  package init() { (changes, time) = ([], nil) }

  /// Shows changes.
  init(_ updates: [AnyRecordTransition], at time: CivilMinute) {
    (changes, self.time) = (updates.map(\.shown), time)
  }

  package static func == (first: Self, second: Self) -> Bool { true }

  /// Writes them as an array.
  package func write(to json: inout JSONWriter) {
    json.array { json in
      for change in changes { change.write(at: time, to: &json) }
    }
  }
}

/// A transition of any type that programs get to see.
private protocol ShownTransition: Sendable {
  var changedFields: [String] { get }
  func writeView(at time: CivilMinute?, to json: inout JSONWriter) throws
}

extension RecordTransition: ShownTransition {
  fileprivate func writeView(at time: CivilMinute?, to json: inout JSONWriter) throws {
    guard let value = after ?? before else { return json.null() }
    try Kept(number, value, revision: revision).writeView(at: time, to: &json)
  }
}

extension RecordTransition {
  /// The fields that have changed, without fixed ones, in the order of their declaration; none if the record
  /// no longer exists.
  ///
  /// - Throws: An error for a value that can't be written.
  public var fields: [FieldChange] {
    get throws {
      guard let after else { return [] }
      let before = before ?? R()
      let set = after.differences(from: before).subtracting(R._table.all(.fixed))
      return try set.map { index in
        let field = R._table.fields[index]
        return try R._table.change(
          of: "\(field.name)",
          from: before.withFields { try field.shown($0) },
          to: after.withFields { try field.shown($0) }
        )
      }
    }
  }
}
