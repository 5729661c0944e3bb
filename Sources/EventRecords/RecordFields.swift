public import JSONText

/// The fields of a record, in order; none for one that is not there.
public struct RecordFields: Sendable {
  private var members: [JSON.Member]

  /// No fields.
  init() { members = [] }

  /// Reads the fields of a record; none of one that is not there.
  ///
  /// - Throws: That they can't be read.
  public init(_ body: String?, _ number: Int, _ kind: String) throws {
    guard let body else {
      members = []
      return
    }
    guard case .object(let members)? = try? JSON(parsing: body) else {
      throw RecordError.damaged(number, kind: kind, "it is no JSON object")
    }
    self.members = members
  }

  /// A field; null if there is none of that name.
  public subscript(name: String) -> JSON {
    get { members.first { $0.name == name }?.value ?? .null }
    set {
      let index = members.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, .null): members.remove(at: index)
      case (let index?, _): members[index] = JSON.Member(name, newValue)
      case (nil, .null): break
      case (nil, _): members.append(JSON.Member(name, newValue))
      }
    }
  }

  /// The names of the fields that this or the other has, and in which they differ.
  public func differences(from other: RecordFields) -> [String] {
    let names =
      members.map(\.name)
      + other.members.map(\.name)
      .filter { name in
        !members.contains { $0.name == name }
      }
    return names.filter { self[$0] != other[$0] }
  }

  /// The fields as they are stored.
  public var body: String { JSON.object(members).description }

  /// These fields with what somebody made of an earlier state of them.
  ///
  /// - Parameters:
  ///   - wanted: What somebody made of it.
  ///   - base: The earlier state.
  ///   - conflict: Says what is wrong with a field that both have changed to different values.
  /// - Returns: The fields, merged.
  /// - Throws: The conflict.
  public func merging(
    _ wanted: RecordFields,
    since base: RecordFields,
    orThrow conflict: (_ field: String, _ seen: String, _ now: String) -> any Error
  ) throws -> RecordFields {
    var result = self
    for name in wanted.differences(from: base) where self[name] != wanted[name] {
      guard self[name] == base[name] else {
        throw conflict(name, base[name].description, self[name].description)
      }
      result[name] = wanted[name]
    }
    return result
  }
}
