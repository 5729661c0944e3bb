public import EventMVVM
public import EventValues
public import JSONText

/// A part of a field's value that a command is given by itself, with an option of its own: `--every` and `--after` of a recurrence.
///
/// The parts that were given are an object by their names, from which the value is made.
public struct FieldPart: Sendable {
  /// Its name in JSON; its option is that with hyphens.
  public let name: String
  /// What it is, in a few words.
  public let summary: String
  /// The shape of its values; nil where it is true by being named.
  public let shape: (@Sendable () -> ValueShape)?

  init(_ name: String, _ summary: String, _ shape: (@Sendable () -> ValueShape)? = nil) {
    (self.name, self.summary, self.shape) = (name, summary, shape)
  }
}

extension Recurrence: FieldOption {
  /// Creates the value, with the end of its rule resolved by the turn's clock.
  public init(given: GivenRecurrence, in turn: borrowing Turn) throws {
    self = try given.resolved { try $0.date(at: turn.time, in: turn.zone) }
  }

  /// The rule, the length of time, and whether days that have passed come nevertheless.
  public static var _parts: [FieldPart] {
    [
      FieldPart("every", "How often it comes again") { GivenRecurrence.shape },
      FieldPart("after", "How long after it is done it comes again") {
        GivenRecurrence.shapeOfSpan
      },
      FieldPart("pile", "With --every: days that have passed come nevertheless"),
    ]
  }

  /// Assigns the value of a command, which can say of the one before whether days pile up.
  public static func _put(
    _ json: JSON,
    _ turn: borrowing Turn,
    into value: UnsafeMutableRawPointer
  ) throws {
    let place = value.assumingMemoryBound(to: Self.self)
    if case .object(let parts) = json, parts.count == 1, parts[0].name == "pile",
      case .bool(let piles) = parts[0].value, case .every = place.pointee.way
    {
      return place.pointee.piles = piles
    }
    let known = place.pointee
    let given = try GivenRecurrence(json: json)
    place.pointee = try given.resolved(inPlaceOf: known) {
      try $0.date(at: turn.time, in: turn.zone)
    }
  }

  /// Reads the object.
  public init(field json: JSON) throws { try self.init(json: json) }

  /// Writes the object: `{"every":"FREQ=WEEKLY;BYDAY=MO","from":"2026-12-07"}`.
  public func writeField(to json: inout JSONWriter) {
    json.object { json in
      switch bound.way {
      case .every(let rule): json.member("every", rule.text)
      case .after(let span): json.member("after", span.text)
      }
      if let from { json.member("from", from.text) }
      if piles { json.member("pile", true) }
    }
  }
}
