import EventMVVM
import EventMVVMTesting
public import EventRecords
public import Foundation
import SQLiteEngine
public import Testing

/// The laws for the records of every program, as a suite of one line.
///
/// ```swift
/// let examples = [Shelf(title: "A", width: 1.5), Shelf(title: "B", width: nil)]
/// let added = try RecordLaws.violations(in: folder, examples)
/// ```
public enum RecordLaws {
  /// Checks all laws.
  ///
  /// 1. An example is the same after it is stored and read, and in the log of changes, and each field has a value of its own in
  ///    one of them. Each stored property is a field, or has fields as its parts.
  /// 2. The records of each earlier version of the program can be read, and each of their fields has
  ///    the value that it had: the folder has a store of each version, with its examples, and their
  ///    fields as JSON, a record a line. If a field was meant to be removed, or to mean something
  ///    else, remove the files of the versions that have the old one.
  /// 3. The folder has both files of today's version. After a change of the fields they are missing:
  ///    the check fails once and adds them, to be committed.
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
    if let property = R.unnamedProperty {
      return ["Law 1: the property '\(property)' of a \(R.kind) is no field, and would be lost."]
    }

    let fresh = scratch.appendingPathComponent("fresh.sqlite")
    let kept = Trial<R>(fresh.path).run(RequestWriteRecords(examples.map { .add($0) }))
    broken += kept.trouble.map { "Law 1: \($0)" }
    let written = try examples.map { try RecordFields(of: $0) }
    broken += try R.unset(in: written)
      .map { name in
        "Law 1: no example has a '\(name)' that a new \(R.kind) has not; give one of them a value."
      }
    if kept.trouble.isEmpty {
      let read = try kept.records.map { try RecordFields(of: $0) }
      let changes = written.changes(to: read, after: "it is stored and read")
      broken += changes.map { "Law 1: \($0)" }
      for example in examples where try R(RecordFields(of: example), 0) != example {
        broken.append(
          "Law 1: \(example) is not the same in the log, from which an undo restores it."
        )
      }
      // Records are equal if their fields are; other properties show in the description.
      if changes.isEmpty, "\(kept.records)" != "\(examples)" {
        broken.append("Law 1: stored and read, \(examples) are \(kept.records).")
      }
    }

    let signature = String(UInt64(bitPattern: RecordTable(R.self).signature), radix: 16)
    let today = folder.appendingPathComponent("\(R.kind)-\(signature).sqlite")
    let stores = try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { file in
        let name = file.lastPathComponent
        return file.pathExtension == "sqlite"
          && R._table.kinds.contains { name.hasPrefix("\($0)-") }
      }
    for store in stores.sorted(by: { $0.path < $1.path }) {
      let copy = scratch.appendingPathComponent(store.lastPathComponent)
      try files.copyItem(at: store, to: copy)
      let (records, trouble) = Trial<R>(copy.path).run(nil)
      let name = store.lastPathComponent
      broken += trouble.map { "Law 2: \(name) can't be read: \($0)" }
      guard trouble.isEmpty, let lines = try? String(contentsOf: store.fields, encoding: .utf8)
      else { continue }
      let table = RecordTable(R.self)
      let before = try lines.split(separator: "\n")
        .map { try RecordFields("\($0)", 0, R.kind).today(in: table) }
      let now = try records.map { try RecordFields(of: $0) }
      broken += before.changes(to: now, after: "\(name) is read by this version", in: table)
        .map { "Law 2: \($0) What was stored under another name or type is lost." }
    }
    // What is wrong is not to be committed.
    guard broken.isEmpty else { return broken }
    if !files.fileExists(atPath: today.path) {
      try files.copyItem(at: fresh, to: today)
      broken.append("Law 3: \(today.lastPathComponent) was missing and is there now; commit it.")
    }
    if !files.fileExists(atPath: today.fields.path) {
      let records = Trial<R>(today.path).run(nil).records
      let lines = try records.map { try RecordFields(of: $0).text + "\n" }.joined()
      try Data(lines.utf8).write(to: today.fields)
      broken.append(
        "Law 3: \(today.fields.lastPathComponent) was missing and is there now; commit it."
      )
    }
    return broken
  }
}

extension URL {
  /// The file with the fields of a store's records.
  fileprivate var fields: URL { deletingPathExtension().appendingPathExtension("jsonl") }
}

extension Record {
  /// The names of the fields that have in no example a value of their own.
  fileprivate static func unset(in examples: [RecordFields]) throws -> [String] {
    guard !examples.isEmpty else { return [] }
    let new = try RecordFields(of: Self())
    let table = RecordTable(Self.self)
    return (0..<table.count).map { table.column($0).name }
      .filter { name in
        examples.allSatisfy { !$0.differences(from: new).contains(name) }
      }
  }
}

extension [RecordFields] {
  /// Returns a sentence for each field that another value has replaced.
  fileprivate func changes(
    to records: [RecordFields],
    after what: String,
    in table: RecordTable? = nil
  ) -> [String] {
    guard records.count == count else { return ["of \(count) records there are \(records.count)."] }
    return indices.flatMap { index in
      let (before, after) = (self[index], records[index])
      return before.differences(from: after)
        .filter { name in before.names.contains(name) && table?.isRemoved(name) != true }
        .map { name in
          "example \(index + 1) has \(before.text(of: [name])); after \(what) it has "
            + "\(after.text(of: [name]))."
        }
    }
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
