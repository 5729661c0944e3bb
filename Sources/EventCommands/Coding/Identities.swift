import EventMVVM

/// Numbers for what is no value but itself, such as the rest of a list that is being read: a
/// recording names it by number, and a replay finds its own by that.
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
  /// Whether what has a number is kept, to be found by it.
  private let keeps: Bool

  /// Knows nothing yet.
  ///
  /// - Parameter keeps: Whether what has a number is kept, to be found by it.
  public init(keeps: Bool = false) {
    self.keeps = keeps
  }

  /// Those that an encoder or a decoder was given.
  package static func of(_ info: [CodingUserInfoKey: Any]) -> Identities? {
    CodingUserInfoKey.identities.flatMap { info[$0] as? Identities }
  }

  /// The number of an object; the next one where it is new.
  public func number(of object: any AnyObject & Sendable) -> Int {
    known.withLock { known in
      let id = ObjectIdentifier(object)
      if let entry = known.numbers[id], entry.object.object === object { return entry.number }
      known.count += 1
      // The addresses of deallocated objects are used again; other entries are swept now and then.
      if known.count.isMultiple(of: 1024) {
        known.numbers = known.numbers.filter { $0.value.object.object != nil }
      }
      known.numbers[id] = (known.count, Reference(object: object))
      if keeps { known.objects[known.count] = object }
      return known.count
    }
  }

  /// The object of a number; nil if none is known.
  public func object(_ number: Int) -> (any AnyObject & Sendable)? {
    known.withLock { $0.objects[number] }
  }
}
