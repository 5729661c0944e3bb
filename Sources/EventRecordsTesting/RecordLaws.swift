import EventMVVM
import EventMVVMTesting
public import EventRecords
public import Foundation
import SQLiteEngine
public import Testing

/// The laws for the records of every program, as a suite of one line.
public enum RecordLaws {
  /// Checks all laws.
  ///
  /// 1. An example is the same after it is stored and read.
  /// 2. The records of each earlier version of the program can be read: the folder has a store of
  ///    each version, with its examples.
  /// 3. The folder has a store of today's version. After a change of the fields it is missing: the
  ///    check fails once and adds it, to be committed.
  ///
  /// - Parameters:
  ///   - folder: The folder, next to the file of the test; created if it is missing.
  ///   - examples: Values in which each field differs, and which `Record.check` accepts.
  ///   - file: The file of the test.
  ///   - location: The location of the check in the test, for its failures.
  /// - Throws: The reason why the folder can't be read or written.
  public static func check<R: Record>(
    in folder: String,
    _ examples: R...,
    file: String = #filePath,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let place = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent(folder)
    for law in try violations(in: place, examples) {
      Issue.record(Comment(rawValue: law), sourceLocation: location)
    }
  }

  /// Returns the violated laws of a type, a sentence each.
  ///
  /// - Parameters:
  ///   - folder: The folder with the stores of earlier versions.
  ///   - examples: The values.
  /// - Returns: The sentences.
  /// - Throws: The reason why the folder can't be read or written.
  public static func violations<R: Record>(in folder: URL, _ examples: [R]) throws -> [String] {
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    // A folder that no other test uses: no stream reads its name.
    let scratch = files.temporaryDirectory.appendingPathComponent("records-\(UUID().uuidString)")
    try files.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: scratch) }
    var broken: [String] = []

    let fresh = scratch.appendingPathComponent("fresh.sqlite")
    let kept = Trial<R>(fresh.path).run(RequestWriteRecords(examples.map { .add($0) }))
    broken += kept.trouble.map { "Law 1: \($0)" }
    // Records are equal if their fields are; other properties show in the description.
    if kept.trouble.isEmpty, kept.records != examples || "\(kept.records)" != "\(examples)" {
      broken.append("Law 1: stored and read, \(examples) are \(kept.records).")
    }

    let signature = String(UInt64(bitPattern: RecordTable(R.self).signature), radix: 16)
    let today = folder.appendingPathComponent("\(R.kind)-\(signature).sqlite")
    let stores = try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter {
        $0.pathExtension == "sqlite" && $0.lastPathComponent.hasPrefix("\(R.kind)-")
      }
    for store in stores.sorted(by: { $0.path < $1.path }) {
      let copy = scratch.appendingPathComponent(store.lastPathComponent)
      try files.copyItem(at: store, to: copy)
      let trouble = Trial<R>(copy.path).run(nil).trouble
      broken += trouble.map { "Law 2: \(store.lastPathComponent) can't be read: \($0)" }
    }
    if kept.trouble.isEmpty, !files.fileExists(atPath: today.path) {
      try files.copyItem(at: fresh, to: today)
      broken.append("Law 3: \(today.lastPathComponent) was missing and is there now; commit it.")
    }
    return broken
  }
}

/// A process that stores records of one type in a file, for the time of a call.
private struct Trial<R: Record> {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Writes, reads everything, and closes the file.
  func run(_ writes: RequestWriteRecords<R>?) -> (records: [R], trouble: [String]) {
    let test = TestContext()
    defer { test.app.leave() }
    test.add(
      RecordServer(RecordDatabase(of: "laws", path: path), [R.self], watchesExternalChanges: false)
    )
    var (records, trouble): ([R], [String]) = ([], [])
    test.stream.on(ResponseUnreadableRecords.self) { event, _ in
      trouble.append(event.failure.message)
    }
    do {
      if let writes { try test.value(of: writes) }
      records = try test.value(of: RequestRecords<R>()).map(\.value)
    } catch {
      trouble.append(Failure(error).message)
    }
    return (records, trouble)
  }
}
