import EventMVVM

/// Numbers for objects that have an identity and no value, such as the rest of a list that is being
/// read: a recording refers to one by number, and a replay finds its own object by it.
public final class Identities: Sendable {
  private struct Known {
    var numbers: [ObjectIdentifier: (number: Int, object: Reference)] = [:]
    var objects: [Int: any AnyObject & Sendable] = [:]
    var count = 0
  }

  private struct Reference {
    weak var object: AnyObject?
  }

  private let known = Locked(Known())
  /// Whether objects are retained, to be found by number.
  private let keeps: Bool

  /// Creates an empty table.
  ///
  /// - Parameter keeps: Whether objects are retained, to be found by number.
  public init(keeps: Bool = false) {
    self.keeps = keeps
  }

  /// Returns the identities of an encoder or a decoder.
  package static func of(_ info: [CodingUserInfoKey: Any]) -> Identities? {
    CodingUserInfoKey.identities.flatMap { info[$0] as? Identities }
  }

  /// Returns the number of an object; the next one for a new object.
  public func number(of object: any AnyObject & Sendable) -> Int {
    known.withLock { known in
      let id = ObjectIdentifier(object)
      if let entry = known.numbers[id], entry.object.object === object { return entry.number }
      known.count += 1
      // The addresses of deallocated objects are used again; their entries are swept from time to
      // time.
      if known.count.isMultiple(of: 1024) {
        known.numbers = known.numbers.filter { $0.value.object.object != nil }
      }
      known.numbers[id] = (known.count, Reference(object: object))
      if keeps { known.objects[known.count] = object }
      return known.count
    }
  }

  /// Returns the object with a number; nil if there is none.
  public func object(_ number: Int) -> (any AnyObject & Sendable)? {
    known.withLock { $0.objects[number] }
  }
}
