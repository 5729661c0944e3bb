import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import RecordCommands

/// The fields of a generated record: each link has a value of a type that is chosen at run time.
protocol FieldChain: Sendable {
  init()
  /// How many there are.
  static var count: Int { get }
  /// Adds them to a declaration.
  static func declare<R: Record>(
    _ fields: Fields<R>,
    at path: WritableKeyPath<R, Self>
  ) -> Fields<R>
}

struct NoFields: FieldChain {
  static var count: Int { 0 }

  static func declare<R: Record>(
    _ fields: Fields<R>,
    at path: WritableKeyPath<R, Self>
  ) -> Fields<R> {
    fields
  }
}

struct FieldLink<Kind: FieldKind, Rest: FieldChain>: FieldChain {
  var value = Kind.initial
  var rest = Rest()
  static var count: Int { Rest.count + 1 }

  static func declare<R: Record>(
    _ fields: Fields<R>,
    at path: WritableKeyPath<R, Self>
  ) -> Fields<R> {
    let name = fieldNames[Rest.count]
    let declared = Kind.declare(fields, name, at: path.appending(path: \.value))
    return Rest.declare(declared, at: path.appending(path: \.rest))
  }
}

private let fieldNames: [StaticString] = [
  "alpha", "bravoOne", "charlie", "delta", "echo", "foxtrotAt", "golf", "hotel", "indiaTwo",
  "juliett", "kilo", "lima", "mike", "november", "oscar", "papaThree", "quebec", "romeo", "sierra",
  "tango",
]

/// A type of field with its traits.
protocol FieldKind: Sendable {
  associatedtype Value: FieldOption
  static var initial: Value { get }
  static func declare<R: Record>(
    _ fields: Fields<R>,
    _ name: StaticString,
    at path: WritableKeyPath<R, Value>
  ) -> Fields<R>
}

enum Plain<Value: FieldOption & Initial>: FieldKind {
  static var initial: Value { .initial }

  static func declare<R: Record>(
    _ fields: Fields<R>,
    _ name: StaticString,
    at path: WritableKeyPath<R, Value>
  ) -> Fields<R> { fields.field(name, path, "A value") }
}

enum Indexed<Value: FieldOption & Initial>: FieldKind {
  static var initial: Value { .initial }

  static func declare<R: Record>(
    _ fields: Fields<R>,
    _ name: StaticString,
    at path: WritableKeyPath<R, Value>
  ) -> Fields<R> { fields.field(name, path, .indexed, "A value") }
}

enum Searched: FieldKind {
  static var initial: String { "" }

  static func declare<R: Record>(
    _ fields: Fields<R>,
    _ name: StaticString,
    at path: WritableKeyPath<R, String>
  ) -> Fields<R> { fields.field(name, path, .searched, "A text") }
}

enum Names: FieldKind {
  static var initial: [String] { [] }

  static func declare<R: Record>(
    _ fields: Fields<R>,
    _ name: StaticString,
    at path: WritableKeyPath<R, [String]>
  ) -> Fields<R> { fields.set(name, path, "A name") }
}

/// A type with a value in a new record.
protocol Initial { static var initial: Self { get } }
extension String: Initial { static var initial: String { "" } }
extension Int: Initial { static var initial: Int { 0 } }
extension Double: Initial { static var initial: Double { 0 } }
extension Bool: Initial { static var initial: Bool { false } }
extension Amount: Initial { static var initial: Amount { Amount(hundredths: 0) } }
extension Optional: Initial { static var initial: Self { nil } }
extension Array: Initial { static var initial: Self { [] } }

enum Shade: String, Choice, RankedValue, FieldOption, Codable, Initial {
  case light, medium, dark
  static var initial: Shade { .light }
}

/// The declarations of generated records, by their types.
private let declarations = Locked<[ObjectIdentifier: any Sendable]>([:])

private func declared<R, Declaration: Sendable>(
  for type: R.Type,
  _ make: () -> Declaration
) -> Declaration {
  let key = ObjectIdentifier(Pair<R, Declaration>.self)
  if let known = declarations.withLock({ $0[key] }) as? Declaration { return known }
  let declaration = make()
  declarations.withLock { $0[key] = declaration }
  return declaration
}

private enum Pair<First, Second> {}

/// A record with a title and the fields of a chain; those with an even number of fields are only marked when they are
/// deleted.
struct Generated<Chain: FieldChain>: CommandRecord {
  var title = ""
  var chain = Chain()
  var isGone = false

  static var fields: Fields<Self> {
    declared(for: Self.self) {
      Chain.declare(
        Fields<Self>("thing", several: "things").field("title", \.title, "What it is"),
        at: \.chain
      )
      .field(
        "isGone",
        \.isGone,
        Chain.count.isMultiple(of: 2) ? [.hidden, .marksDeletion] : .hidden
      )
    }
  }
  static var commands: RecordCommands<Self> {
    declared(for: Self.self) {
      RecordCommands<Self>()
        .verb("shout", "Says what things are in capitals.", "Shouted") { thing, _ in
          thing.title = thing.title.uppercased()
        }
    }
  }
}

/// Builds a record of up to twenty fields, each of a type that chance chooses, and hands it on.
func generate<Chain: FieldChain>(
  _ chain: Chain.Type = NoFields.self,
  count: Int,
  _ chance: inout Chance,
  _ body: (any CommandRecord.Type, inout Chance) throws -> Void
) throws {
  guard chain.count < count else { return try body(Generated<Chain>.self, &chance) }
  func link<Kind: FieldKind>(_ kind: Kind.Type) throws {
    try generate(FieldLink<Kind, Chain>.self, count: count, &chance, body)
  }
  switch Int.random(in: 0..<16, using: &chance) {
  case 0: try link(Plain<String>.self)
  case 1: try link(Indexed<String>.self)
  case 2: try link(Searched.self)
  case 3: try link(Names.self)
  case 4: try link(Plain<Int>.self)
  case 5: try link(Indexed<Int?>.self)
  case 6: try link(Plain<Double>.self)
  case 7: try link(Plain<Double?>.self)
  case 8: try link(Plain<Bool>.self)
  case 9: try link(Plain<Amount?>.self)
  case 10: try link(Indexed<CivilTime?>.self)
  case 11: try link(Indexed<Shade>.self)
  case 12: try link(Plain<[Int]>.self)
  case 13: try link(Plain<[String]>.self)
  case 14: try link(Indexed<Shade?>.self)
  default: try link(Indexed<String?>.self)
  }
}
