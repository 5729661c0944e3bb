import Foundation

/// What processes did to the files of a folder, in the one order in which they did it, as the shim
/// has recorded it.
struct OperationLog {
  enum Kind: UInt8 {
    case open = 0x6F  // o
    case write = 0x77  // w
    case truncate = 0x74  // t
    case allocate = 0x61  // a
    case sync = 0x73  // s
    case unlink = 0x75  // u
    case rename = 0x72  // r
    case link = 0x6C  // l
    case makeFolder = 0x6D  // m
    /// What went to standard output: an acknowledgement.
    case print = 0x70  // p
    /// An operation that was made to fail.
    case fault = 0x66  // f
  }

  struct Record {
    let kind: Kind
    /// Which operation of its process it is; 0 for what is not counted.
    let number: Int
    let process: pid_t
    /// Whether opening has made the file, or what is synced is a folder.
    let isNew: Bool
    let inode: UInt64
    /// Where it was written, or the new size.
    let offset: Int
    /// Below the folder that is watched.
    let path: String
    /// What was written; the new name of what was renamed or linked.
    let data: ArraySlice<UInt8>

    var newPath: String { String(decoding: data, as: UTF8.self) }
  }

  struct Damaged: Error {
    let offset: Int
  }

  let records: [Record]

  /// Reads a log; a process that was ended before it came to it has none.
  ///
  /// - Parameters:
  ///   - path: The log's file.
  ///   - wasKilled: Whether the process was: the system ends a write then between two pages, and
  ///     the last record is not whole. Its operation was carried out, and is left out.
  /// - Throws: That it is damaged.
  init(_ path: String, wasKilled: Bool = false) throws {
    let bytes = access(path, F_OK) == 0 ? try readBytes(path) : []
    var records: [Record] = []
    var offset = 0
    while offset < bytes.count {
      if wasKilled, !Self.isWhole(bytes, from: offset) { break }
      records.append(try Self.record(in: bytes, at: &offset))
    }
    self.records = records
  }

  /// Whether the record that begins there is followed by all that it says it has.
  private static func isWhole(_ bytes: [UInt8], from offset: Int) -> Bool {
    guard bytes.count >= offset + headerSize else { return false }
    let lengths = bytes.withUnsafeBytes { bytes in
      [32, 36].map { Int(bytes.loadUnaligned(fromByteOffset: offset + $0, as: UInt32.self)) }
    }
    return bytes.count >= offset + headerSize + lengths[0] + lengths[1]
  }

  // As `struct record` in the shim has it.
  private static let headerSize = 40

  private static func record(in bytes: [UInt8], at offset: inout Int) throws -> Record {
    func number<T: FixedWidthInteger>(_ place: Int) -> T {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset + place, as: T.self) }
    }
    guard bytes.count >= offset + headerSize else { throw Damaged(offset: offset) }
    let (pathLength, dataLength) = (Int(number(32) as UInt32), Int(number(36) as UInt32))
    let path = offset + headerSize
    let data = path + pathLength
    guard data + dataLength <= bytes.count, let kind = Kind(rawValue: bytes[offset]) else {
      throw Damaged(offset: offset)
    }
    defer { offset = data + dataLength }
    return Record(
      kind: kind,
      number: Int(number(4) as UInt32),
      process: pid_t(number(8) as UInt32),
      isNew: (number(12) as UInt32) != 0,
      inode: number(16),
      offset: Int(number(24) as Int64),
      path: String(decoding: bytes[path..<data], as: UTF8.self),
      data: bytes[data..<(data + dataLength)]
    )
  }
}
