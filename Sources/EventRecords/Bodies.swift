import EventMVVM
import EventPatterns
import JSONText

// Records as the JSON texts that are stored.

/// The types of records that a server keeps, by kind.
struct RecordTypes: Sendable {
  let all: [any Record.Type]

  init(_ types: [any Record.Type]) {
    all = types
    precondition(Set(types.map { $0.kind }).count == types.count, "two records of one kind")
    for type in types { type.checkDeclaration() }
  }

  /// The type of a kind; nil if nobody knows it any more.
  func type(of kind: String) -> (any Record.Type)? { all.first { $0.kind == kind } }

  /// What a record is called.
  func title(_ kind: String, _ body: String?) -> String {
    func title<R: Record>(_ type: R.Type) -> String? {
      body.flatMap { try? R(body: $0, 0).title }
    }
    return type(of: kind).flatMap { title($0) } ?? kind
  }

  /// What is wrong with a record; nil if nothing is.
  func problem(_ record: StoredRecord) -> StoreReport.Finding? {
    let name = "\(record.kind) #\(record.number)"
    guard let type = type(of: record.kind) else {
      return .init(.warning, "\(name) is of a kind that this version of the program does not know")
    }
    do {
      try type.check(record)
      return nil
    } catch RecordError.damaged(_, _, let why) {
      return .init(.error, "\(name) can't be read: \(why)")
    } catch {
      return .init(.error, "\(name) can't be read: \(error)")
    }
  }

  /// What can be counted of a change.
  func measures(_ change: StoredChange, at time: Instant) -> [Measure] {
    func measures<R: Record>(_ type: R.Type) -> [Measure] {
      guard let transition = try? RecordTransition<R>(change) else { return [] }
      return R.measures(from: transition.before, to: transition.after, at: time)
    }
    return type(of: change.kind).map { measures($0) } ?? []
  }
}

extension Record {
  /// Its fields as a JSON object; the same value always as the same text.
  var body: String {
    get throws {
      var json = JSONWriter()
      try write(to: &json)
      return String(decoding: json.bytes, as: UTF8.self)
    }
  }

  /// Its fields as they are stored; what could not be read again is refused.
  var readableBody: String {
    get throws {
      let body: String
      do {
        body = try self.body
      } catch {
        throw Failure(.validation, "A \(Self.kind) can't be stored: \(error).")
      }
      // JSON has U+0000, and readers of it refuse that; a text can also have these six characters.
      if body.utf8.contains(UInt8(ascii: "\\")), body.contains(#"\u0000"#),
        (try? JSON(parsing: body)) == nil
      {
        throw Failure(
          .validation,
          "A \(Self.kind) can't contain the character NUL (U+0000)."
        )
      }
      return body
    }
  }

  /// Reads the fields of a record, to see whether that can be done.
  fileprivate static func check(_ record: StoredRecord) throws {
    _ = try Self(body: record.body, record.number)
  }

  /// Reads fields.
  init(body: String, _ number: Int) throws {
    do {
      try self.init(json: try JSON(parsing: body))
    } catch {
      throw RecordError.damaged(number, kind: Self.kind, "\(error)")
    }
  }
}

extension Kept {
  init(_ record: StoredRecord) throws {
    self.init(
      record.number,
      try R(body: record.body, record.number),
      revision: record.revision
    )
  }
}

extension RecordTransition {
  init(_ change: StoredChange) throws {
    self.init(
      change.number,
      // What was there and can't be read must not be in the way of what comes instead.
      from: change.before.flatMap { try? R(body: $0, change.number) },
      // Nor is it a failure of a write that has left it as it was.
      to: change.before.isIdentical(to: change.after)
        ? change.after.flatMap { try? R(body: $0, change.number) }
        : try change.after.map { try R(body: $0, change.number) },
      revision: change.revision
    )
  }
}
