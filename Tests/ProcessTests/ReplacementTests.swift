#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// Each file of a store is deleted, replaced or damaged while a program uses the store.
  ///
  /// Each later answer is an error that says what to do, or is in the store.
  @Suite(.hangLimit) struct ReplacementTests {
    @Test(arguments: StoreFilePart.allCases, Damage.allCases)
    func `what is acknowledged after a file was damaged is in the store`(
      part: StoreFilePart,
      damage: Damage
    ) throws {
      for face in Face.allCases {
        let problems = try DamagedStore(part, damage, face).problems()
        #expect(problems == [], "\(part), \(damage), \(face)")
      }
    }

    @Test func `ten replacements cost a server no descriptor`() throws {
      let store = try SharedStore()
      let input = try NamedPipe("input", in: store.place)
      let server = try FaceProcess(.server, store.place, input)
      _ = try server.add("first")
      try store.run("backup", "copy.sqlite")
      func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.processNumber)/fd")
          .count
      }
      var counts: [Int] = []
      for round in 1...10 {
        try Data(contentsOf: store.place.folder.appending(path: "copy.sqlite"))
          .write(to: store.place.folder.appending(path: "new.sqlite"))
        rename(store.place.folder.path + "/new.sqlite", store.path)
        unlink(store.path + "-wal")
        var answer = try server.add("round \(round)")
        for _ in 1...3 where answer.number == nil { answer = try server.add("round \(round)") }
        #expect(answer.number != nil, "\(answer)")
        counts.append(try openFiles())
      }
      // What watches the store may be closing and opening it meanwhile; four were lost with each
      // before.
      #expect(counts.allSatisfy { abs($0 - counts[0]) < 10 }, "\(counts)")
      #expect(try server.end() == 1)
    }

    @Test
    func `a backup that is renamed over the store is used by a server once the old log is gone`()
      throws
    {
      let store = try SharedStore()
      let input = try NamedPipe("input", in: store.place)
      try store.run("add", "kept")
      try store.run("backup", "copy.sqlite")
      let server = try FaceProcess(.server, store.place, input)
      #expect(try server.add("regretted").number == 2)
      rename(store.place.folder.path + "/copy.sqlite", store.path)
      #expect(
        try server.add("refused").refusal
          == "todos.sqlite: was deleted, moved or replaced while it was open; nothing was written. "
          + "Put it back, or try again to use what is there now"
      )
      #expect(
        try server.add("refused").refusal
          == "todos.sqlite: is a copy that was put in the place of the store, and todos.sqlite-wal is the log of the "
          + "store before. Move todos.sqlite-wal away to use the copy"
      )
      rename(store.path + "-wal", store.path + "-wal.old")
      #expect(try server.add("afterwards").number == 2)
      #expect(try store.todos().map(\.title) == ["kept", "afterwards"])
    }
  }

  enum StoreFilePart: String, CaseIterable, CustomStringConvertible {
    case store = ""
    case wal = "-wal"
    case shm = "-shm"
    case bell = "-bell"
    var description: String { rawValue.isEmpty ? "store" : rawValue }
  }

  enum Damage: CaseIterable {
    case unlink, truncate, renameOver, restoreInPlace, fifo, folder, symbolicLink, hardLink
  }

  enum Face: CaseIterable {
    case server, terminal, script, oneShot
  }

  /// What a program says to an `add`.
  struct Answer: CustomStringConvertible {
    let title: String
    let text: String
    /// The number of the todo, if it was acknowledged.
    let number: Int?
    /// The message of the error, without folders.
    var refusal: String? {
      guard number == nil else { return nil }
      let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let error = object?["error"] as? [String: Any]
      return (error?["message"] as? String ?? text)
        .replacing(/[^ ]*\/(todos\.sqlite)/) { $0.1 }
    }
    var description: String { "\(title): \(text)" }
  }

  /// A program that has the store open, and adds when it is told to.
  final class FaceProcess {
    private let face: Face
    private let input: NamedPipe
    private let job: Job?
    private let terminal: Terminal?
    private var count = 0
    private static let ended = "The program has ended; start it once more, or try again."

    init(_ face: Face, _ place: Workplace, _ input: NamedPipe) throws {
      (self.face, self.input) = (face, input)
      guard face != .terminal else {
        job = nil
        let terminal = try Terminal(columns: 400, rows: 30)
        self.terminal = terminal
        let program = try Workplace.binaries().appending(path: "todostream").path
        try terminal.start(
          ["/bin/sh", "-c", #"cd "$1" && exec "$2""#, "sh", place.folder.path, program],
          environment: place.environment
        )
        try terminal.wait("there is a prompt") { $0.lines.last?.contains("›") == true }
        return
      }
      terminal = nil
      let words = face == .server ? "serve --stdio" : "--json run --keep-going -"
      job = try place.start("exec todostream \(words) <input 2>&1")
      guard face == .server else { return }
      try input.write(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#)
      _ = try line { $0.hasPrefix(#"{"jsonrpc":"2.0","id":0,"#) }
    }

    var processNumber: Int { job?.number ?? 0 }

    /// Waits for the next line that is as wanted.
    private func line(where isWanted: (String) -> Bool) throws -> String {
      var found: String?
      try job?
        .wait(until: "answer \(count) is printed") { printed in
          found = printed.physicalLines.dropLast().map(String.init).first(where: isWanted)
          return found != nil || job?.isRunning == false
        }
      return found ?? Self.ended
    }

    func add(_ title: String) throws -> Answer {
      count += 1
      let count = count
      switch face {
      case .server:
        try input.write(
          #"{"jsonrpc":"2.0","id":\#(count),"method":"todo/add","params":{"title":"\#(title)"}}"#
        )
        let text = try line { $0.hasPrefix(#"{"jsonrpc":"2.0","id":\#(count),"#) }
        return Answer(title: title, text: text, number: text.number(after: #""result":{"id":"#))
      case .terminal:
        terminal?.type("add '\(title)'\r")
        var text = ""
        try terminal?
          .wait("'\(title)' is answered") { screen in
            // Notices of the watch come in between.
            let lines = screen.allLines
            guard let typed = lines.firstIndex(where: { $0.hasSuffix("add '\(title)'") }) else {
              return false
            }
            text =
              lines[(typed + 1)...].first { $0.hasPrefix("Added #") || $0.contains("error: ") }
              ?? ""
            if text.isEmpty, terminal?.isClosed == true { text = Self.ended }
            return !text.isEmpty
          }
        return Answer(title: title, text: text, number: text.number(after: "Added #"))
      case .script, .oneShot:
        try input.write("add '\(title)'")
        var text = ""
        try job?
          .wait(until: "answer \(count) is printed") { printed in
            let lines = printed.physicalLines.dropLast().filter { $0.hasPrefix("{") }
            if lines.count >= count { text = String(lines[count - 1]) }
            // A script that keeps going ends nevertheless where the store fails.
            return lines.count >= count || job?.isRunning == false
          }
        if text.isEmpty { text = Self.ended }
        return Answer(title: title, text: text, number: text.number(after: #"{"id":"#))
      }
    }

    /// Ends it, and gives its status.
    func end() throws -> Int32 {
      input.end()
      terminal?.type("\u{4}")
      return try job?.outcome().status ?? terminal?.outcome() ?? 0
    }
  }

  /// A store of which one file is damaged while a program has it open.
  final class DamagedStore {
    private let part: StoreFilePart
    private let damage: Damage
    private let face: Face
    private let store: SharedStore
    private var before: [Answer] = []
    private var after: [Answer] = []

    init(_ part: StoreFilePart, _ damage: Damage, _ face: Face) throws {
      (self.part, self.damage, self.face) = (part, damage, face)
      store = try SharedStore()
    }

    private var file: String { store.path + part.rawValue }

    /// What is not as it has to be.
    func problems() throws -> [String] {
      let input = try NamedPipe("input", in: store.place)
      before.append(try oneShot("one-shot 1"))
      let process = try FaceProcess(face, store.place, input)
      before.append(try process.add("face 1"))
      try shell("cp todos.sqlite\(part.rawValue) earlier 2>/dev/null || : >earlier")
      if part == .store { try store.run("backup", "copy.sqlite") }
      before.append(try process.add("face 2"))
      guard before.allSatisfy({ $0.number != nil }) else { return ["before: \(before)"] }
      try doDamage()
      for round in 3...5 {
        let adders: [() throws -> Answer] = [
          { try process.add("face \(round)") }, { try self.oneShot("one-shot \(round)") },
        ]
        for add in face == .oneShot ? adders.reversed() : adders { after.append(try add()) }
      }
      let status = try process.end()
      return (mayEnd(with: status) ? [] : ["it ended with \(status)"]) + problemsOfAnswers()
        + (try problemsOfStore())
    }

    /// SQLite maps the shared memory: whoever uses it between a shell's truncation and its next
    /// write is ended by the kernel, and has acknowledged nothing that is not in the log.
    private func mayEnd(with status: Int32) -> Bool {
      let isTruncated = part == .shm && (damage == .truncate || damage == .restoreInPlace)
      return status <= 4 || isTruncated && status == 128 + SIGBUS
    }

    private func oneShot(_ title: String) throws -> Answer {
      let outcome = try store.run("--json", "add", title)
      let text = (outcome.output + outcome.errors).joined(separator: " ")
      return Answer(title: title, text: text, number: text.number(after: #"{"id":"#))
    }

    private func shell(_ command: String) throws {
      let outcome = try store.place.start(command).outcome()
      try #require(outcome.status == 0, "\(command): \(outcome.errors)")
    }

    private func doDamage() throws {
      let name = "todos.sqlite" + part.rawValue
      let earlier = part == .store ? "copy.sqlite" : "earlier"
      let command =
        switch damage {
        case .unlink: "rm \(name)"
        case .truncate: ": >\(name)"
        case .renameOver: "mv \(earlier) \(name)"
        case .restoreInPlace: "cat \(earlier) >\(name)"
        // The program may make its file anew between the two.
        case .fifo: "until rm \(name) && mkfifo \(name); do :; done"
        case .folder: "until rm \(name) && mkdir \(name); do :; done"
        case .symbolicLink: "mv \(name) moved && ln -s moved \(name)"
        case .hardLink: "ln \(name) moved"
        }
      try shell(command)
    }

    /// Whether what was said fits together, and says what to do.
    private func problemsOfAnswers() -> [String] {
      let advice =
        /([Pp]ut |try again|[Mm]ove |delete |restart|end these|name a)/
      return after.filter { $0.refusal.map { !$0.contains(advice) } ?? false }
        .map { "no advice: \($0)" }
    }

    /// Whether all that was acknowledged is there, once the user has done what the messages say.
    private func problemsOfStore() throws -> [String] {
      if damage == .symbolicLink { try shell("rm -f '\(file)'; mv moved '\(file)'") }
      if damage == .hardLink { try shell("rm moved") }
      for _ in 1...4 {
        let outcome = try store.run("--json", "list", "--all")
        if outcome.status == 0 { return try problems(in: outcome.output.joined()) }
        let message = outcome.errors.joined()
        if let match = message.firstMatch(of: /([^ "]*todos.sqlite-[a-z]+): is no ordinary file/) {
          try shell("rm -rf '\(match.1)'")
        } else if let match = message.firstMatch(of: /[Mm]ove ([^ ]*todos.sqlite-wal) away/) {
          try shell("mv '\(match.1)' away")
        } else if let match = message.firstMatch(of: /to [a-z ]*, delete ([^ "]*-bell)/) {
          try shell("rm '\(match.1)'")
        } else if message.contains("is no ordinary file; name another")
          || message.contains("is a folder")
        {
          try shell("rm -rf '\(store.path)'")
        } else {
          return ["the store can't be read: \(message)"]
        }
      }
      return ["the store can't be read, whatever is done"]
    }

    private func problems(in list: String) throws -> [String] {
      let todos = try JSONDecoder().decode([SharedStore.Todo].self, from: Data(list.utf8))
      // What a file held that is gone is gone with it; what the messages ask for may be more than
      // that.
      let isWhole = part == .shm || part == .bell || damage == .symbolicLink || damage == .hardLink
      return (isWhole ? before + after : after)
        .filter { answer in
          answer.number != nil
            && !todos.contains { $0.id == answer.number && $0.title == answer.title }
        }
        .map { "LOST: \($0); there are \(todos.map(\.id))" }
    }
  }

  extension String {
    /// The digits that follow a text, as a number.
    fileprivate func number(after text: String) -> Int? {
      range(of: text).flatMap { Int(self[$0.upperBound...].prefix(while: \.isNumber)) }
    }
  }
#endif
