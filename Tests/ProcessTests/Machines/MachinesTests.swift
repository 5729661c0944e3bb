#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  extension Processes {
    /// A list that two machines share, one of which loses its network: no packet arrives, and nobody
    /// is told.
    @Suite(.hangLimit, .enabled(if: PostgresServer.isHere && MachineNetwork.isHere))
    struct MachinesTests {
      private let network: MachineNetwork
      private let server: PostgresServer
      private let home: SharedStore
      private let office: SharedStore

      init() throws {
        let network = try MachineNetwork()
        let host = MachineNetwork.Machine.server.address
        let address = "postgresql://test@\(host)/postgres#todos"
        func store(_ machine: MachineNetwork.Machine) throws -> SharedStore {
          SharedStore(in: try Workplace(store: address, prefix: network.prefix(machine)))
        }
        server = try PostgresServer(prefix: network.serverPrefix, host: host)
        self.network = network
        (home, office) = (try store(.home), try store(.office))
        #expect(try office.run("--quiet", "store", "init", address) == Job.Outcome())
      }

      @Test func `who loses the network is told, and nothing is lost or doubled on its return`()
        throws
      {
        let watcher = try ServerWriter("office", office.address, prefix: office.place.prefix)
        let editor = try RPCClient(home.place)
        let prompt = try Prompt(home)
        try prompt.enter("add Home", until: "Added #1 Home")
        try office.add("Office", 2)
        try prompt.wait(for: "cli + #2 [ ] Office")

        try network.cut(.home)
        let loss = ContinuousClock.now
        let unreachable = "error: \(home.address): can't be reached: "
        prompt.type("add Lost")
        try prompt.wait("the loss is told") { $0.hasPrefix(unreachable) }
        // Five seconds without a packet, and an attempt to connect again.
        #expect(loss.duration(to: .now) < .seconds(15 * Patience.factor))
        try prompt.wait("the prompt says so") { $0.contains("no connection to the store") }
        prompt.type("add Lost again")
        try prompt.wait("the next is refused at once", count: 2) { $0.hasPrefix(unreachable) }
        try waitUntil("an editor is told that it can try again") {
          let refused = try editor.call("todo/add", #"{"title":"Lost in an editor"}"#)
          return refused["error"]?["data"]?["retryable"] == .bool(true)
        }
        try office.add("While it is away", 3)

        try network.mend(.home)
        let mended = ContinuousClock.now
        try prompt.wait(for: "cli + #3 [ ] While it is away")
        #expect(mended.duration(to: .now) < .seconds(2 * Patience.factor))
        try prompt.enter("add Back", until: "Added #4 Back")
        try prompt.enter("undo", until: "- #4 Back")
        try prompt.enter("add Back again", until: "Added #5 Back again")
        try office.add("Office again", 6)
        try prompt.wait(for: "cli + #6 [ ] Office again")
        let back = "The store can be read again."
        #expect(
          prompt.lines.filter { $0.hasPrefix("cli") || $0 == back } == [
            "cli + #2 [ ] Office", back, "cli + #3 [ ] While it is away",
            "cli + #6 [ ] Office again",
          ]
        )
        prompt.end()

        try watcher.watch(until: "Office again")
        #expect(watcher.told.external == Array(1...7))
        #expect(try watcher.end() == 0)
        #expect(
          try office.todos().map(\.title)
            == ["Home", "Office", "While it is away", "Back again", "Office again"]
        )
        #expect(try office.postgres("SELECT revision, number FROM counter") == ["7|6"])
      }

      /// Whether the server is sending an answer when the machine is lost.
      @Test(arguments: [false, true])
      func `a machine that is lost while it writes blocks others for some seconds`(
        answering: Bool
      ) throws {
        let script = try home.stoppedScript()
        if answering { script.send(SIGCONT) }
        try network.cut(.home)
        script.send(SIGKILL)
        let loss = ContinuousClock.now
        #expect(try office.isLocked())
        try waitUntil("the server gives its connection up") { try !office.isLocked() }
        #expect(loss.duration(to: .now) < .seconds(30 * Patience.factor))
        try office.add("After", 1)
      }
    }
  }

  extension SharedStore {
    /// Adds a todo, which has to get this number.
    fileprivate func add(_ title: String, _ number: Int) throws {
      #expect(try run("add", title) == Job.Outcome(output: ["Added #\(number) \(title)"]))
    }
  }

  /// A person at the prompt of a machine.
  private struct Prompt {
    private let terminal: Terminal

    init(_ store: SharedStore) throws {
      terminal = try Terminal(columns: 250, rows: 60)
      let program = try Workplace.binaries(with: "todostream").appending(path: "todostream").path
      try terminal.start(
        store.place.prefix + [program],
        environment: store.place.environment.merging(["NO_COLOR": "1"]) { $1 }
      )
      try terminal.wait { $0.lines.last?.hasPrefix("todostream ›") == true }
    }

    /// The lines of the screen.
    var lines: [String] { terminal.screen.lines }

    func type(_ line: String) { terminal.type(line + "\r") }

    func enter(_ line: String, until expected: String) throws {
      type(line)
      try wait(for: expected)
    }

    func wait(for line: String) throws {
      try wait("'\(line)' is shown") { $0.trimmingCharacters(in: .whitespaces) == line }
    }

    func wait(_ wanted: String, count: Int = 1, _ isOne: (String) -> Bool) throws {
      try terminal.wait(wanted) { $0.lines.filter(isOne).count >= count }
    }

    func end() {
      terminal.type("\u{4}")
      #expect(terminal.outcome() == 0)
    }
  }
#endif
