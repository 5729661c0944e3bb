import EventMVVM
import JSONText

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
  private let transition: (any Sendable)?

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

  /// The change in the form for undo and redo, independent of the domain: without fields where
  /// the record was added, or removed.
  var reversed: SubjectChange {
    SubjectChange(
      id: number,
      title: title,
      kind: !wasThere ? .added : isThere ? .changed : .removed,
      fields: wasThere && isThere ? fields() : []
    )
  }
}

extension RecordTransition {
  /// The fields that have changed.
  fileprivate var fields: [FieldChange] {
    get throws {
      guard let after else { return [] }
      let before = before ?? R()
      let set = after.differences(from: before).subtracting(R._table.all(.fixed))
      let later = try RecordFields(after.text(set), number, R.kind)
      let earlier = try RecordFields(before.text(set), number, R.kind)
      return later.names.map { R._table.change(of: $0, from: earlier[$0], to: later[$0]) }
    }
  }
}
