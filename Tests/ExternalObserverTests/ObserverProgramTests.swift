import EventMVVM
import EventMVVMTesting
import Foundation
import Testing

@testable import ExternalObserver

/// Which programs are started, and with what.
@Suite(.hangLimit) final class ObserverProgramTests {
  private let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    .appending(path: "observers-\(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755]
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func make(_ name: String, _ mode: Int = 0o755) throws -> String {
    let path = "\(folder)/\(name)"
    try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  private func problem(_ word: String, searchPath: String? = nil) -> String? {
    #expect(throws: Failure.self) { try ObserverProgram(word, searchPath: searchPath) }?.message
  }

  @Test func `a path names a file, and a word a program on the search path`() throws {
    let path = try make("watch")
    #expect(try ObserverProgram(path, searchPath: nil).name == "watch")
    let found = try ObserverProgram("watch", searchPath: "relative::/nowhere:\(folder)")
    #expect(found.path == path)
  }

  @Test func `what can't be started is refused with what to do`() throws {
    #expect(problem("") == "--observer needs the name of a program.")
    #expect(
      problem("watch", searchPath: ".:relative")
        == "There is no program 'watch' on the search path; give the path of a file as ./watch."
    )
    #expect(
      problem("/nowhere/watch")
        == "The observer '/nowhere/watch' can't be started: No such file or directory."
    )
    #expect(problem("/tmp") == "The observer '/tmp' can't be started: it is no file.")
    let plain = try make("plain", 0o644)
    #expect(
      problem(plain)
        == "The observer '\(plain)' can't be started: it is not executable; 'chmod +x' makes it so."
    )
  }

  @Test func `what anybody can change is not started`() throws {
    let open = try make("open", 0o757)
    #expect(
      problem(open)
        == "The observer '\(open)' is not started: anybody can change it; 'chmod o-w' forbids that."
    )
    let path = try make("watch")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    #expect(
      problem(path)
        == "The observer '\(path)' is not started: anybody can change '\(folder)', through which the way "
        + "to it leads; 'chmod o-w' forbids that."
    )
    guard case .failure(let failure)? = ObserverProgram.all(in: folder).first else {
      Issue.record("the folder was not refused")
      return
    }
    #expect(
      failure.message
        == "The observers in '\(folder)' are not started: other users can change that folder; "
        + "'chmod go-w' forbids that."
    )
    // Where the sticky bit is set, nobody can put another file in its place.
    try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder)
    #expect(try ObserverProgram(path, searchPath: nil).path == path)
  }

  @Test func `a program behind links is judged by every folder that they lead through`() throws {
    let files = FileManager.default
    func makeFolder(_ name: String, _ mode: Int) throws -> String {
      let path = "\(folder)/\(name)"
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      return path
    }
    func refusal(_ path: String, _ open: String) -> String {
      "The observer '\(path)' is not started: anybody can change '\(open)', through which the way to it "
        + "leads; 'chmod o-w' forbids that."
    }
    for name in ["open/inner", "safe"] { _ = try makeFolder(name, 0o755) }
    let open = try makeFolder("open", 0o777)
    let program = try make("open/inner/watch")
    // The program's own folder is safe, and the one above it is not.
    #expect(problem(program) == refusal(program, open))
    let link = "\(folder)/safe/watch"
    try files.createSymbolicLink(atPath: link, withDestinationPath: "../open/inner/watch")
    #expect(problem(link) == refusal(link, open))
    // A link in an open folder can be made to lead somewhere else, wherever it leads today.
    let safe = try make("safe/other")
    try files.createSymbolicLink(atPath: "\(open)/way", withDestinationPath: "\(folder)/safe")
    #expect(problem("\(open)/way/other") == refusal("\(open)/way/other", open))
    try files.createSymbolicLink(atPath: "\(folder)/safe/far", withDestinationPath: "\(open)/way")
    #expect(problem("\(folder)/safe/far/other") == refusal("\(folder)/safe/far/other", open))
    try files.createSymbolicLink(atPath: "\(folder)/near", withDestinationPath: "safe/./../safe")
    #expect(try ObserverProgram("\(folder)/near/other", searchPath: nil).name == "other")
    #expect(try ObserverProgram(safe, searchPath: nil).path == safe)
    // What anybody can change is refused through a link, too.
    try files.setAttributes([.posixPermissions: 0o757], ofItemAtPath: safe)
    #expect(problem("\(folder)/near/other")?.contains("anybody can change it;") == true)
  }

  @Test func `of a folder all programs are started, by name, and nothing else`() throws {
    for name in ["b", "a", ".hidden"] { _ = try make(name) }
    _ = try make("notes.txt", 0o644)
    let names = ObserverProgram.all(in: folder).map { try? $0.get().name }
    #expect(names == ["a", "b"])
    #expect(ObserverProgram.all(in: folder + "/none").isEmpty)
  }

  @Test func `what editors and package managers leave in the folder is no observer`() throws {
    let leftovers = [
      "tap~", "tap.bak", "tap.orig", "tap.rej", "tap.dpkg-old", "tap.dpkg-dist", ".tap.swp",
      ".tap.swo", "#tap#",
    ]
    for name in leftovers + ["tap", "tap.backup", "swp", "#"] { _ = try make(name) }
    let names = ObserverProgram.all(in: folder).map { try? $0.get().name }
    #expect(names == ["#", "swp", "tap", "tap.backup"])
  }

  @Test func `of a folder nothing is started that other users can change`() throws {
    _ = try make("tap")
    let open = try make("open", 0o757)
    func problems() -> [String] {
      ObserverProgram.all(in: folder)
        .compactMap { found in
          guard case .failure(let failure) = found else { return nil }
          return failure.message
        }
    }
    #expect(
      problems()
        == [
          "The observer '\(open)' is not started: other users can change it; "
            + "'chmod go-w' forbids that."
        ]
    )
    // Who can write to a folder can put a program there, whoever may remove it.
    for mode in [0o777, 0o1777] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
      #expect(
        problems()
          == [
            "The observers in '\(folder)' are not started: other users can change that folder; "
              + "'chmod go-w' forbids that."
          ]
      )
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `a program of another user is started only if it is named`() throws {
    let path = try make("tap")
    try #require(chown(path, 65534, gid_t.max) == 0)
    #expect(
      ObserverProgram.all(in: folder)
        == [
          .failure(
            Failure(
              .usage,
              "The observer '\(path)' is not started: it belongs to another user; make a copy of "
                + "your own."
            )
          )
        ]
    )
    #expect(try ObserverProgram(path, searchPath: nil).path == path)
  }

  @Test func `the environment is what a program needs, and no more`() {
    let all = [
      "PATH": "/bin", "HOME": "/home/me", "LC_ALL": "C", "XDG_DATA_HOME": "/data", "SECRET": "x",
      "LD_PRELOAD": "/x.so", "TODOSTREAM_STORE": "/store", "PYTHONPATH": "/x", "TZ": "UTC",
    ]
    #expect(
      ObserverEnvironment.variables(of: all, for: "watch") == [
        "HOME=/home/me", "LC_ALL=C", "PATH=/bin", "TZ=UTC", "XDG_DATA_HOME=/data",
        "TODOSTREAM_OBSERVER=watch",
      ]
    )
  }

  @Test func `of what is written to a log the newest is kept, in two files`() throws {
    let path = "\(folder)/logs/watch.log"
    let (log, other) = (LogFile(path), LogFile(path))
    func size(_ path: String) throws -> Int {
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? -1
    }
    for number in 1...1000 {
      // Two processes, in turn.
      let line = "\(number) " + String(repeating: "x", count: 1000) + "\n"
      (number % 2 == 0 ? log : other).append(Array(line.utf8))
    }
    let newest = try String(contentsOfFile: path, encoding: .utf8)
    let older = try String(contentsOfFile: path + ".1", encoding: .utf8)
    let numbers = (older + newest).split(separator: "\n")
      .map { line in Int(line.prefix { $0 != " " }) ?? 0 }
    #expect(numbers == Array((1000 - numbers.count + 1)...1000))
    #expect(numbers.count > 130)
    #expect(try size(path) + size(path + ".1") <= LogFile.mostBytes)
    let modes = try [path, path + ".1"]
      .map { path in
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
    #expect(modes == [0o600, 0o600])
  }

  @Test(.timeLimit(.minutes(10)))
  func `a log that is no file is neither waited for nor written to`() throws {
    let path = "\(folder)/watch.log"
    try #require(mkfifo(path, 0o600) == 0)
    let log = LogFile(path)
    log.append(Array("lost".utf8))
    unlink(path)
    log.append(Array("kept".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
  }

  @Test func `a request pays for what it used, and not for what it waited for`() {
    let use = Locked(1.0)
    let throttle = ObserverThrottle(use: { use.withLock { $0 } }) {}
    // A thousand requests that wait for a disk.
    for _ in 1...1000 { throttle.hasServed(in: .seconds(1), faults: 0) }
    #expect(throttle.debt == 0)
    // What the process did beside a short request is not the request's.
    use.withLock { $0 += 10 }
    throttle.hasServed(in: .milliseconds(5), faults: 0)
    #expect(throttle.debt == 0)
    let isFree = Locked(0)
    use.withLock { $0 += 0.03 }
    throttle.afterPart { isFree.withLock { $0 += 1 } }
    // 35 ms are used, 10 are free, and a fiftieth of a second comes back in a second.
    #expect((1.2...1.25).contains(throttle.debt))
    #expect(isFree.withLock { $0 } == 0)
    // A fiftieth of eleven seconds is more than is owed.
    throttle.hurry()
    #expect(throttle.debt == 0)
    throttle.afterPart { isFree.withLock { $0 += 1 } }
    #expect(isFree.withLock { $0 } == 1)
    throttle.stop()
    use.withLock { $0 += 1 }
    throttle.afterPart { isFree.withLock { $0 += 1 } }
    #expect(throttle.debt == .infinity)
    throttle.release()
    #expect(throttle.debt == 0)
  }

  @Test func `what is used up comes back with time`() {
    let start = ContinuousClock.now
    var allowance = Allowance(most: 1, perSecond: 0.5, from: start)
    #expect(allowance.take(1, at: start) == 0)
    #expect(allowance.take(1, at: start.advanced(by: .seconds(1))) == 1)
    #expect(allowance.take(0, at: start.advanced(by: .seconds(9))) == 0)
    #expect(allowance.take(1.5, at: start.advanced(by: .seconds(9))) == 1)
  }
}
