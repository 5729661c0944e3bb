import Foundation
import GRDB

/// What stands in a column: what belongs there, or anything that SQLite can store.
enum Column {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  /// Mostly what belongs there.
  init(_ sound: [Column], _ choices: inout Choices) {
    switch choices.byte() & 0xF {
    case 1: self = .null
    case 2: self = .integer(choices.int64())
    case 3: self = .integer(Int64(Int8(bitPattern: choices.byte())))
    case 4: self = .integer(choices.one(of: [.min, .max, 0x7FFF_FFFF, -62_135_596_800_001]))
    case 5: self = .real(Double(bitPattern: UInt64(bitPattern: choices.int64())))
    case 6: self = .text(choices.bytes())
    case 7: self = .blob(choices.bytes())
    default: self = choices.one(of: sound)
    }
  }

  /// What SQL has in its place: text is cast from bytes, as it may be no UTF-8.
  static let sql = "iif(?, CAST(? AS TEXT), ?)"

  var arguments: [DatabaseValue] {
    guard case .text = self else { return [false.databaseValue, .null, value] }
    return [true.databaseValue, value, .null]
  }

  private var value: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let bytes), .blob(let bytes): Data(bytes).databaseValue
    }
  }
}

extension Column: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  init(stringLiteral text: String) { self = .text(Array(text.utf8)) }
  init(integerLiteral number: Int64) { self = .integer(number) }
}
