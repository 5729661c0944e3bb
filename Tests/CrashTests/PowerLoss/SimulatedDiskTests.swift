import EventMVVMTesting
import Testing

/// The simulated disk does what disks may do, and no more: a judge must be judged.
@Suite(.hangLimit) struct SimulatedDiskTests {
  @Test func `what was synced is there whatever is lost`() {
    var disk = SimulatedDisk()
    for record in [
      .creation("a", 1), .write("a", 1, at: 0, "old "), .write("a", 1, at: 4, "text"),
      .sync("a", 1), .folderSync, .write("a", 1, at: 0, "new "),
    ] as [OperationLog.Record] {
      disk.apply(record)
    }
    #expect(outcomes(of: disk, .anyOrder) == ["a=old text", "a=new text"])
    #expect(outcomes(of: disk, .inOrder) == ["a=old text", "a=new text"])
  }

  @Test func `writes that were not synced are kept or lost each for itself`() {
    var disk = SimulatedDisk()
    for record in [
      .creation("a", 1), .write("a", 1, at: 0, "--"), .sync("a", 1), .folderSync,
      .write("a", 1, at: 0, "1"), .write("a", 1, at: 1, "2"),
    ] as [OperationLog.Record] {
      disk.apply(record)
    }
    #expect(outcomes(of: disk, .anyOrder) == ["a=--", "a=1-", "a=-2", "a=12"])
  }

  @Test func `a torn write has whole sectors`() {
    let (old, new) = (String(repeating: "o", count: 1024), String(repeating: "n", count: 1024))
    var disk = SimulatedDisk()
    for record in [
      .creation("a", 1), .write("a", 1, at: 0, old), .sync("a", 1), .folderSync,
      .write("a", 1, at: 0, new),
    ] as [OperationLog.Record] {
      disk.apply(record)
    }
    let (o, n) = (old.prefix(512), new.prefix(512))
    #expect(
      outcomes(of: disk, .anyOrder) == ["a=\(o)\(o)", "a=\(n)\(o)", "a=\(o)\(n)", "a=\(n)\(n)"]
    )
  }

  @Test func `a new file's name is kept by syncing its folder, or, in order, by syncing the file`()
  {
    var disk = SimulatedDisk()
    for record in [.creation("a", 1), .write("a", 1, at: 0, "x"), .sync("a", 1)]
      as [OperationLog.Record]
    {
      disk.apply(record)
    }
    #expect(outcomes(of: disk, .anyOrder) == ["", "a=x"])
    #expect(outcomes(of: disk, .inOrder) == ["a=x"])
    disk.apply(.folderSync)
    #expect(outcomes(of: disk, .anyOrder) == ["a=x"])
  }

  @Test func `what was removed may come back until its folder is synced`() {
    var disk = SimulatedDisk()
    for record in [
      .creation("a", 1), .write("a", 1, at: 0, "x"), .sync("a", 1), .folderSync, .removal("a"),
    ] as [OperationLog.Record] {
      disk.apply(record)
    }
    #expect(outcomes(of: disk, .anyOrder) == ["", "a=x"])
    #expect(outcomes(of: disk, .inOrder) == ["", "a=x"])
    disk.apply(.folderSync)
    #expect(outcomes(of: disk, .anyOrder) == [""])
  }

  @Test func `syncing a file that has its old size keeps no names, also in order`() {
    var disk = SimulatedDisk()
    for record in [
      .creation("a", 1), .write("a", 1, at: 0, "x"), .sync("a", 1), .folderSync,
      .creation("b", 2), .write("a", 1, at: 0, "y"), .sync("a", 1),
    ] as [OperationLog.Record] {
      disk.apply(record)
    }
    #expect(outcomes(of: disk, .inOrder) == ["a=y", "a=y b="])
  }

  @Test func `a file in a folder whose own name was not synced is lost with it`() {
    var disk = SimulatedDisk()
    for record in [
      .folder("f"), .creation("f/a", 1), .write("f/a", 1, at: 0, "x"), .sync("f/a", 1),
      .folderSync("f"),
    ] as [OperationLog.Record] {
      disk.apply(record)
    }
    #expect(outcomes(of: disk, .anyOrder) == ["", "f/a=x"])
    #expect(outcomes(of: disk, .inOrder) == ["f/a=x"])
  }

  @Test func `an inode that is used again is another file`() {
    var disk = SimulatedDisk()
    for record in [
      .creation("a", 1), .write("a", 1, at: 0, "old"), .sync("a", 1), .removal("a"),
      .creation("b", 1), .write("b", 1, at: 0, "n"), .sync("b", 1), .folderSync,
    ] as [OperationLog.Record] {
      disk.apply(record)
    }
    #expect(outcomes(of: disk, .anyOrder) == ["b=n"])
  }

  /// Everything that might be found.
  private func outcomes(of disk: SimulatedDisk, _ names: SimulatedDisk.Names) -> Set<String> {
    var chance = Chance(1)
    return Set(
      (0..<1_000)
        .map { _ in
          disk.afterPowerLoss(names, &chance).sorted { $0.key < $1.key }
            .map { "\($0.key)=\(String(decoding: $0.value, as: UTF8.self))" }
            .joined(separator: " ")
        }
    )
  }
}

extension OperationLog.Record {
  fileprivate static func creation(_ path: String, _ inode: UInt64) -> Self {
    Self(.open, path, inode, isNew: true)
  }

  fileprivate static func write(
    _ path: String,
    _ inode: UInt64,
    at offset: Int,
    _ text: String
  )
    -> Self
  {
    Self(.write, path, inode, offset: offset, data: Array(text.utf8)[...])
  }

  fileprivate static func sync(_ path: String, _ inode: UInt64) -> Self { Self(.sync, path, inode) }

  fileprivate static let folderSync = folderSync("")

  fileprivate static func folderSync(_ path: String) -> Self { Self(.sync, path, 99, isNew: true) }

  fileprivate static func removal(_ path: String) -> Self { Self(.unlink, path, 0) }

  fileprivate static func folder(_ path: String) -> Self { Self(.makeFolder, path, 0) }

  private init(
    _ kind: OperationLog.Kind,
    _ path: String,
    _ inode: UInt64,
    isNew: Bool = false,
    offset: Int = 0,
    data: ArraySlice<UInt8> = []
  ) {
    self.init(
      kind: kind,
      number: 1,
      process: 1,
      isNew: isNew,
      inode: inode,
      offset: offset,
      path: path,
      data: data
    )
  }
}
