import EventCommands
import EventValues
import Platform
import EventMVVM
import Foundation
import JSONText
import Seams

/// The file that stores statistics from one process to the next.
///
/// It is private to its user, and replaced under a lock by a new file next to it, so that several
/// processes lose none of each other's data. All of it can be lost: the history is counted again,
/// and only the times of commands are missing. An unreadable file therefore counts as missing.
struct StatisticsFile: Sendable {
  /// The contents of the file.
  struct Contents: Sendable, Equatable {
    /// The statistics of each counted history, the latest first.
    var statistics: [Statistics] = []
    /// The usage of each store, the latest first.
    private(set) var stores: [StoreUsage] = []
    /// The usage of all stores together, before each was counted separately.
    fileprivate(set) var usage = Usage()

    init() {}

    fileprivate init(_ json: JSON, ofVersion version: Int64, _ program: String) {
      if version == StatisticsFile.version, json["program"] == .string(program),
        case .array(let histories)? = json["histories"]
      {
        statistics = histories.compactMap { Statistics($0) }
      }
      usage = json["usage"].flatMap { Usage($0) } ?? Usage()
      if case .array(let kept)? = json["stores"] { stores = kept.compactMap { StoreUsage($0) } }
    }

    /// Returns the usage of a store, with usage that is not in the file yet.
    func sum(with new: StoreUsage) -> StoreUsage {
      guard var sum = stores.first(where: { $0.store.isIdentical(to: new.store) }) else {
        return new
      }
      sum.usage.add(new.usage)
      return sum
    }

    /// Adds usage of a store.
    mutating func add(_ new: StoreUsage) {
      let sum = sum(with: new)
      stores.removeAll { $0.store.isIdentical(to: new.store) }
      stores.insert(sum, at: 0)
      stores.removeLast(max(0, stores.count - mostStores))
    }

    /// Replaces earlier statistics.
    mutating func keep(_ new: Statistics, insteadOf old: Statistics) {
      statistics.removeAll { $0 == old }
      statistics.insert(new, at: 0)
      statistics.removeLast(max(0, statistics.count - mostHistories))
    }
  }

  /// The usage on the streams of processes with a store.
  struct StoreUsage: Sendable, Equatable {
    /// The path of the store.
    let store: String
    /// The time of its first count.
    let since: Instant
    var usage: Usage

    init(of store: String, since: Instant, _ usage: Usage) {
      self.store = store
      self.since = since
      self.usage = usage
    }

    /// Reads what ``write(to:)`` writes; nil for any other JSON.
    init?(_ json: JSON) {
      guard case .string(let store)? = json["store"], case .string(let text)? = json["since"],
        let since = Instant(iso8601: text), let usage = json["usage"].flatMap({ Usage($0) })
      else { return nil }
      self.init(of: store, since: since, usage)
    }

    func write(to json: inout JSONWriter) {
      json.object { json in
        json.member("store", store)
        json.member("since", since.iso8601)
        json.key("usage")
        usage.write(to: &json)
      }
    }
  }

  /// The most histories: a person has few stores.
  private static let mostHistories = 8
  /// The most stores with usage; some exist for a test alone.
  private static let mostStores = 32

  /// Statistics of version 1 counted an addition that was undone: from those files only the usage
  /// is taken.
  private static let version: Int64 = 2
  private static let mostBytes = 64 << 20
  private let path: String
  /// The version of the program: another one may measure something else, so the history is counted
  /// again.
  var program = ""

  init(path: String) {
    self.path = path
  }

  func read() -> Contents {
    guard let bytes = try? OrdinaryFile.read(path, atMost: Self.mostBytes),
      let json = try? JSON(parsing: String(decoding: bytes, as: UTF8.self)),
      case .integer(let version)? = json["version"], (1...Self.version).contains(version)
    else { return Contents() }
    return Contents(json, ofVersion: version, program)
  }

  /// Changes the contents, including concurrent changes of another process.
  ///
  /// Waits a second for a process that holds the lock; after that nothing is written.
  ///
  /// - Returns: Whether it could be written.
  @discardableResult
  func update(_ change: (inout Contents) -> Void) -> Bool {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { return false }
    defer { close(lock) }
    guard lockFile(lock), !StoreSigns.isStore(at: path) else { return false }
    var contents = read()
    change(&contents)
    return write(contents)
  }

  private func write(_ contents: Contents) -> Bool {
    var json = JSONWriter()
    json.object { json in
      json.member("version", Self.version)
      json.member("program", program)
      json.key("histories")
      json.array { json in
        for statistics in contents.statistics { statistics.write(to: &json) }
      }
      json.key("usage")
      contents.usage.write(to: &json)
      // An additional member, which earlier programs ignore: a later version would be unreadable to
      // them.
      json.key("stores")
      json.array { json in
        for store in contents.stores { store.write(to: &json) }
      }
    }
    let partial = path + ".partial"
    guard !StoreSigns.isStore(at: partial) else { return false }
    unlink(partial)
    let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return false }
    let isWritten = writeAll(json.bytes, to: file) == nil
    close(file)
    guard isWritten else {
      unlink(partial)
      return false
    }
    Seam.pass(.file)
    return rename(partial, path) == 0
  }
}
