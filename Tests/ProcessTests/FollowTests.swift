import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

extension Processes {
  /// `list --follow`, while others write.
  @Suite(.hangLimit) struct FollowTests {
    private typealias Row = (id: Int, text: String)

    /// The rows after the lines of a list that goes on, up to its last head; nil before the first.
    private func rows(_ printed: String) throws -> [Row]? {
      var (rows, known): ([Row], [Row]?) = ([], nil)
      for line in printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        let json = try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        )
        switch json["kind"] as? String {
        case "reset": rows = []
        case "head": known = rows
        case "gone": rows.removeAll { $0.id == json["id"] as? Int }
        default:
          let record = try #require(json["record"] as? [String: Any])
          let id = try #require(record["id"] as? Int)
          rows.removeAll { $0.id == id }
          let previous = json["after"] as? Int
          let place = try previous.map { previous in
            try #require(rows.firstIndex { $0.id == previous }) + 1
          }
          rows.insert((id, "\(record["title"] ?? "") \(record["revision"] ?? "")"), at: place ?? 0)
        }
      }
      return known
    }

    private func list(_ store: SharedStore, _ words: [String]) throws -> [Row] {
      let outcome =
        try store.place.start(#"exec todostream --json list "$@""#, words).outcome()
      let items = try JSONSerialization.jsonObject(with: Data(outcome.output.joined().utf8))
      return try #require(items as? [[String: Any]])
        .map { ($0["id"] as? Int ?? 0, "\($0["title"] ?? "") \($0["revision"] ?? "")") }
    }

    @Test(arguments: StorePlace.here)
    func `after what others write, a list that goes on is what a new one is`(
      _ place: StorePlace
    ) throws {
      let store = try SharedStore(on: place)
      var chance = Chance(64)
      try store.run("add", "First", "+home")
      let asked = [
        [], ["--limit", "3"], ["+home", "or", "due:today", "--sort", "title", "--limit", "2"],
      ]
      let jobs = try asked.map { words in
        try store.place.start(
          #"exec todostream list --follow "$@""#,
          words + ["--fields", "title"]
        )
      }
      for job in jobs { try job.wait(untilPrinted: "head") }
      for round in 1...12 {
        var lines: [String] = []
        for part in 0...chance.pick(0...4) {
          let number = 1 + chance.pick(0...round)
          switch chance.pick(0...6) {
          case 0, 1:
            lines.append("add T\(round)-\(part) \(chance.once(in: 2) ? "+home" : "due:today")")
          case 2: lines.append("edit \(number) title:E\(round)-\(part)")
          case 3: lines.append("toggle \(number)")
          case 4: lines.append("edit \(number) due:+\(chance.pick(0...3))d")
          case 5: lines.append("delete \(number)")
          default: lines.append("edit \(number) -home")
          }
        }
        // What is not there is left out.
        _ = try store.run("--yes", "run", "--keep-going", "-", input: lines)
        if chance.once(in: 4) { try store.run("undo", "--force") }
        for (job, words) in zip(jobs, asked) {
          let fresh = try list(store, words)
          try job.wait(until: "it has \(fresh.map(\.id)), after \(lines)") { printed in
            guard let rows = try? rows(printed) else { return false }
            return rows.map(\.text) == fresh.map(\.text) && rows.map(\.id) == fresh.map(\.id)
          }
        }
      }
      // One that begins again where it had ended is told the differences alone.
      let printed = try jobs[1].printed()
      for job in jobs { job.send(SIGTERM) }
      for job in jobs { #expect(try job.outcome().status == 128 + SIGTERM) }
      let last = try #require(printed.split(separator: "\n").last)
      let revision = last.drop { !$0.isNumber }.prefix { $0.isNumber }
      try store.run("add", "Last", "due:today", "!high")
      let job = try store.start(
        "list",
        "--follow",
        "--from",
        "\(revision)",
        "--limit",
        "3",
        "--fields",
        "title"
      )
      try job.wait(untilPrinted: "head")
      job.send(SIGTERM)
      let more = try job.printed()
      _ = try job.outcome()
      let now = try rows(printed + more)
      #expect(now?.map(\.id) == (try list(store, ["--limit", "3"])).map(\.id))
      #expect(!more.contains("reset"))
      #expect(more.split(separator: "\n").count <= 3)
    }

    @Test func `it ends with its reader, and fails with a store that can't be read`()
      throws
    {
      let store = try SharedStore()
      try store.run("add", "First")
      let job = try store.place.start(
        #"mkfifo pipe; todostream list --follow > pipe & head -n 1 pipe; todostream add Next; wait $!; echo $?"#
      )
      let outcome = try job.outcome()
      #expect(outcome.output.last == "0")
      #expect(outcome.output.contains("Added #2 Next"))
      let unreadable = try store.place.start("mkdir none; todostream --store none list --follow")
      #expect(try unreadable.outcome().status == 4)
    }
  }
}
