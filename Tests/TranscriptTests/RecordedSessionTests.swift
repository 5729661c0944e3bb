import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// Sessions that last, with others beside them, and what `replay` shows of them.
@Suite(.hangLimit) struct RecordedSessionTests {
  /// A server that reads while another process writes; what is waited for has been said.
  private static let session = """
    mkfifo in
    todostream --record session serve --stdio <in >out &
    exec 3>in
    until_said() { while ! grep -q "$1" out; do :; done; }
    say() { echo '{"jsonrpc":"2.0",'"$1"'}' >&3; }
    say '"id":1,"method":"initialize"'
    say '"id":2,"method":"todo/add","params":{"title":"Milk 牛乳","tags":["home"]}'
    until_said '"id":2'
    todostream add 'From another process' >added
    until_said '"origin":"cli"'
    say '"id":3,"method":"todo/list"'
    say '"id":4,"method":"todo/edit","params":{"id":2,"title":"Changed here","expectedRevision":2}'
    say '"id":5,"method":"todo/show","params":{"id":9}'
    say '"id":6,"method":"history/undo"'
    say '"id":7,"method":"store/doctor"'
    until_said '"id":7'
    say '"id":8,"method":"shutdown"'
    until_said '"id":8'
    say '"method":"exit"'
    wait
    """

  @Test func `S57 a server's session is told again, with what others did meanwhile`() throws {
    let place = try Workplace()
    #expect(try place.start(Self.session).outcome().status == 0)
    let told =
      try place.start(
        "TZ=Asia/Tokyo todostream replay session && todostream --json replay session"
      )
      .outcome()
    #expect(told.status == 0, "\(told.output)")
    let count = told.output.first?.split(separator: " ").dropFirst().first ?? ""
    #expect(
      told.output == [
        "Replayed \(count) of \(count) events: no divergence.",
        #"{"replayed":\#(count),"events":\#(count),"whole":true,"divergence":null}"#,
      ]
    )
    // Nothing is done to the store that it was recorded on.
    let left = try place.start("todostream list --sort created").outcome()
    #expect(left.output == ["#2 [ ] From another process", "#1 [ ] Milk 牛乳  +home"])
  }

  /// Recordings of versions of the program in which requests had other forms.
  @Test(arguments: [
    ("script-2", 106), ("server-2", 36), ("screens-2", 196), ("script-3", 62), ("filters-1", 72),
  ])
  func `S57 a recording of an earlier version replays`(name: String, events: Int) throws {
    let place = try Workplace()
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Recordings/\(name).jsonl")
    try FileManager.default.copyItem(at: file, to: place.folder.appending(path: "r"))
    let told = try place.start("todostream replay r").outcome()
    #expect(told.output == ["Replayed \(events) of \(events) events: no divergence."])
  }

  @Test func `a replay stops behind an event, and shows each with what it follows from`() throws {
    let place = try Workplace()
    _ = try place.start("todostream --record r add Milk").outcome()
    let stopped = try place.start("todostream replay r --until 2").outcome()
    #expect(
      stopped.output.first?.hasPrefix("Stopped after event 2: RequestWriteRecords<Todo>, cli, ")
        == true
    )
    #expect(stopped.output.last?.hasPrefix("Replayed 2 of ") == true)
    let steps = try place.start("todostream replay r --step").outcome()
    #expect(
      Array(steps.output.prefix(4)) == [
        "1  RequestAddTodo  (cli)", "2    RequestWriteRecords<Todo>",
        "3      ResponseWriteRecords<Todo>", "4      ResponseRecordChanges<Todo>",
      ]
    )
  }

  @Test func `what goes another way is shown with its path, and is exit 1`() throws {
    let place = try Workplace()
    _ = try place.start("todostream --record r add Milk").outcome()
    // Each line has a mark by which a change of it is known.
    let outcome = try place.start("sed 's/Milk/Silk/' r >s; todostream replay s").outcome()
    #expect(outcome.status == 1)
    #expect(outcome.output.first?.hasPrefix("Divergence at event 1, s:") == true)
    #expect(outcome.output.contains { $0.hasPrefix("  path     1 RequestAddTodo (cli)") })
    let none = try place.start("echo x >none; todostream replay none").outcome()
    #expect(none.status == 2)
    #expect(none.errors == ["error: none:1: this is no recording that this program can read"])
  }

  // MARK: The world outside

  /// What a replay of `r` prints, which was recorded by a command, elsewhere.
  private func replayed(_ command: String, in place: Workplace) throws -> [String] {
    _ = try place.start(command).outcome()
    let told = try place.start("TZ=Asia/Tokyo LANG=tr_TR.UTF-8 todostream replay r").outcome()
    return told.output + told.errors
  }

  /// The bodies of the events of a type in the recording `r`.
  private func bodies(of type: String, in place: Workplace) throws -> [Substring] {
    try String(contentsOf: place.folder.appending(path: "r"), encoding: .utf8)
      .split(separator: "\n")
      .filter { $0.hasPrefix(#"{"seq""#) && $0.contains(#""type":"\#(type)""#) }
      .compactMap { $0.range(of: #""body":"#).map { [line = $0] in line[$0.upperBound...] } }
  }

  @Test func `what a report has posted, or could not write, is told again`() throws {
    let place = try Workplace()
    _ = try place.start("todostream add Milk").outcome()
    let posted = try replayed("todostream --record r report --post figures", in: place)
    #expect(posted == ["Replayed 8 of 8 events: no divergence."])
    #expect(try bodies(of: "ResponseReport", in: place).first?.contains(#""posted":1"#) == true)
    let unwritten = try replayed("rm r; todostream --record r report --html /nowhere/x", in: place)
    #expect(unwritten == ["Replayed 8 of 8 events: no divergence."])
    let timed = try replayed("rm r; todostream --record r report", in: place)
    #expect(timed == ["Replayed 8 of 8 events: no divergence."])
    // Nothing is posted again.
    #expect(try place.start("cat figures | wc -l").outcome().output == ["1"])
  }

  @Test func `the name and password of a URL are in no recording`() throws {
    let place = try Workplace()
    let script = "todostream --record r report --post 'ftp://ann:secret@example.org/x'"
    #expect(try replayed(script, in: place).first?.hasSuffix("events: no divergence.") == true)
    #expect(try bodies(of: "RequestReport", in: place).count == 1)
    let text = try String(contentsOf: place.folder.appending(path: "r"), encoding: .utf8)
    #expect(text.contains("ftp://example.org/x"))
    #expect(!text.contains("secret") && !text.contains("ann:"))
  }

  @Test func `an observer that dies is told again`() throws {
    let place = try Workplace()
    let session = """
      printf '#!/bin/sh\\necho broken >&2\\nexit 3\\n' >dies
      chmod +x dies
      mkfifo in
      todostream --record r --observer ./dies serve --stdio <in >out &
      exec 3>in
      until_said() { while ! grep -q "$1" out; do :; done; }
      echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}' >&3
      until_said '"notice"'
      echo '{"jsonrpc":"2.0","id":2,"method":"todo/add","params":{"title":"Milk"}}' >&3
      echo '{"jsonrpc":"2.0","id":3,"method":"shutdown"}' >&3
      until_said '"id":3'
      exec 3>&-
      wait
      """
    let verdict = try replayed(session, in: place)
    #expect(verdict.count == 1)
    #expect(verdict.first?.hasSuffix("events: no divergence.") == true, "\(verdict)")
    let troubles = try bodies(of: "ResponseObserverTrouble", in: place)
    #expect(troubles.first?.contains("broken") == true, "\(troubles)")
  }

  @Test(
    arguments: [
      "Europe/Berlin", "America/New_York", "Australia/Sydney", "Pacific/Chatham",
      "Africa/Casablanca",
      "Asia/Tehran", "Europe/Dublin",
    ])
  func `a date of any year is in the zone of the recording`(_ zone: String) throws {
    let place = try Workplace()
    var lines: [String] = []
    for year in ["1847", "1916", "2037", "2099", "2100", "2129", "2150", "2200", "2400", "9998"] {
      for day in ["01-01T00:30Z", "03-28T02:30Z", "07-01T12:00Z", "10-30T01:30Z", "12-31T23:30Z"] {
        lines.append("add x --due \(year)-\(day)")
      }
    }
    let script = "todostream --record r run - >added <<'END'\n\(lines.joined(separator: "\n"))\nEND"
    let verdict = try replayed("export TZ=\(zone); " + script, in: place)
    #expect(verdict == ["Replayed 302 of 302 events: no divergence."])
  }

  // MARK: What can't be

  @Test func `a store that could not be read is said to be missing, in a sentence`() throws {
    let place = try Workplace()
    let verdict = try replayed("echo junk >todos.sqlite; todostream --record r list", in: place)
    #expect(
      verdict == [
        "Replayed 4 of 4 events: no divergence.",
        "What the store held at the start is not in the recording: \(place.folder.path)/todos.sqlite: "
          + "is not a database; name another file with --store",
      ]
    )
  }

  @Test(arguments: ["replay r", "completions bash", "--version"])
  func `what is no session can't be recorded`(_ command: String) throws {
    let place = try Workplace()
    let outcome = try place.start("todostream --record new \(command); echo $?; ls").outcome()
    #expect(outcome.output == ["2", "home"])
    let word = command.split(separator: " ")[0]
    #expect(outcome.errors == ["error: --record is for a session, and '\(word)' is none"])
  }

  @Test func `what a replay that was killed has left goes with the next one, and nothing else`()
    throws
  {
    let place = try Workplace()
    let plan = (1...800).map { "add \($0)" }
    _ = try place.start("mkdir tmp; todostream --record r run - >added", input: plan).outcome()
    let variables = ["TMPDIR": "\(place.folder.path)/tmp"]
    let folder = place.folder.appending(path: "tmp").path
    func left() -> Set<String> {
      Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }
    /// A replay that waits, as nobody reads what it says; and its folder.
    func start(_ pipe: String) throws -> (job: Job, folder: String) {
      let before = left()
      let job = try place.start(
        "mkfifo \(pipe); exec 3<>\(pipe); exec todostream replay r --step >\(pipe)",
        variables: variables
      )
      try waitUntil("the replay uses its store", showing: { left().joined(separator: "\n") }) {
        left().subtracting(before).first
          .map { access("\(folder)/\($0)/todos.sqlite-wal", F_OK) == 0 } ?? false
      }
      return (job, try #require(left().subtracting(before).first))
    }
    let used = try start("one")
    let killed = try start("two")
    killed.job.send(SIGKILL)
    _ = try killed.job.outcome()
    // What others have called alike: a file, a link to a folder, a folder without an id.
    let id = "00000000-0000-4000-8000-00000000000"
    let others = ["todostream-replay.\(id)1", "todostream-replay.\(id)2", "todostream-replay.mine"]
    _ =
      try place.start(
        "mkdir kept; >kept/file; cd tmp; >\(others[0]); ln -s ../kept \(others[1]); mkdir \(others[2])"
      )
      .outcome()
    #expect(left() == Set([used.folder, killed.folder] + others))
    _ = try place.start("todostream replay r", variables: variables).outcome()
    #expect(left() == Set([used.folder] + others))
    #expect(access(place.folder.appending(path: "kept/file").path, F_OK) == 0)
    used.job.send(SIGTERM)
    #expect(try used.job.outcome().status == 128 + SIGTERM)
    #expect(left() == Set(others))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a replay that is ended by a signal leaves nothing behind`(_ signal: Int32) throws {
    let place = try Workplace()
    let plan = (1...800).map { "add \($0)" }
    _ = try place.start("mkdir tmp; todostream --record r run - >added", input: plan).outcome()
    // Nobody reads what it says, so that it waits for that.
    let job = try place.start(
      "mkfifo said; exec 3<>said; exec todostream replay r --step >said",
      variables: ["TMPDIR": "\(place.folder.path)/tmp"]
    )
    let folder = place.folder.appending(path: "tmp").path
    func left() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
    try waitUntil("the replay uses its store", showing: { left().joined(separator: "\n") }) {
      left().first.map { access("\(folder)/\($0)/todos.sqlite-wal", F_OK) == 0 } ?? false
    }
    job.send(signal)
    let outcome = try job.outcome()
    #expect(outcome.status == 128 + signal, "\(outcome.output.suffix(2)) \(outcome.errors)")
    #expect(left() == [])
  }
}
