import EventMVVMTesting
import Foundation
import FuzzChecks
import Testing

/// What the fuzzers check, on their seeds and a little more; `make fuzz` looks for more itself.
@Suite(.hangLimit) struct FuzzTests {
  // A check that fails ends its process, which says why on standard error.

  @Test func `the tokenizer's seeds, and what is like them, keep to what must hold`() async {
    await #expect(processExitsWith: .success) { try Mutants.check(.Tokenizer, count: 200) }
  }

  @Test func `the commands' seeds, and what is like them, keep to what must hold`() async {
    await #expect(processExitsWith: .success) { try Mutants.check(.Commands, count: 60) }
  }

  @Test func `the parameters' seeds, and what is like them, keep to what must hold`() async {
    await #expect(processExitsWith: .success) { try Mutants.check(.Parameters, count: 200) }
  }

  @Test func `the frames' seeds, and what is like them, keep to what must hold`() async {
    await #expect(processExitsWith: .success) { try Mutants.check(.Frames, count: 200) }
  }

  @Test func `the rows' seeds, and what is like them, keep to what must hold`() async {
    await #expect(processExitsWith: .success) { try Mutants.check(.Rows, count: 120) }
  }

  @Test func `the recordings' seeds, and what is like them, keep to what must hold`() async {
    await #expect(processExitsWith: .success) { try Mutants.check(.Recordings, count: 25) }
  }

  @Test func `a check that fails ends the process`() async {
    await #expect(processExitsWith: .failure) { require(false, "it does not hold") }
  }
}

/// Inputs that are like a seed.
private enum Mutants {
  /// Checks each seed, and so many inputs made of it; the same ones each time.
  static func check(_ fuzzer: Fuzzer, count: Int) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Programs/Fuzz/Seeds/\(fuzzer.seeds)").standardizedFileURL
    let files = try FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
    guard !files.isEmpty else { fatalError("no seeds in \(folder.path)") }
    var chance = Chance(1)
    for file in files {
      let seed = Array(try Data(contentsOf: file))
      FileHandle.standardError.write(Data("\(file.lastPathComponent)\n".utf8))
      fuzzer.check(seed)
      for _ in 0..<count { fuzzer.check(mutant(of: seed, &chance)) }
    }
  }

  private static func mutant(of seed: [UInt8], _ chance: inout Chance) -> [UInt8] {
    var bytes = seed
    for _ in 0..<chance.pick(1...4) {
      guard !bytes.isEmpty else { return [UInt8(chance.pick(0...255))] }
      let start = chance.pick(0...bytes.count - 1)
      let part = start..<min(bytes.count, start + chance.pick(1...8))
      switch chance.pick(0...4) {
      case 0: bytes[start] ^= 1 << UInt8(chance.pick(0...7))
      case 1: bytes[start] = UInt8(chance.pick(0...255))
      case 2: bytes.removeSubrange(part)
      case 3: bytes.insert(contentsOf: bytes[part], at: chance.pick(0...bytes.count))
      default: bytes.insert(UInt8(chance.pick(0...255)), at: start)
      }
    }
    return bytes
  }
}
