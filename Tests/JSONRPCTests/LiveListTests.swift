#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// Lists that a client follows.
  @Suite(.hangLimit) struct LiveListTests {
    /// The ids of the rows after some changes, and the last revision.
    private struct Rows {
      var ids: [Int64] = []
      var head: Int64 = -1
      /// How many rows were told.
      var told = 0

      mutating func take(_ params: JSON) throws {
        guard case .array(let changes)? = params["changes"] else { return }
        for change in changes {
          switch change["kind"] {
          case "row":
            told += 1
            let id = try #require(change["record"]?["id"]?.wholeNumber)
            ids.removeAll { $0 == id }
            let previous = change["after"]?.wholeNumber
            let place = try previous.map { try #require(ids.firstIndex(of: $0)) + 1 }
            ids.insert(id, at: place ?? 0)
          case "gone": ids.removeAll { $0 == change["id"]?.wholeNumber }
          case "head": head = try #require(change["revision"]?.wholeNumber)
          default: ids = []
          }
        }
      }
    }

    private func list(_ client: RPCClient, _ parameters: String) throws -> [Int64] {
      guard case .array(let rows)? = try client.call("todo/list", parameters)["result"] else {
        return []
      }
      return rows.compactMap { $0["id"]?.wholeNumber }
    }

    @Test func `a list is followed, whoever changes it, until it is unsubscribed`() throws {
      let place = try Workplace()
      let (one, other) = (try RPCClient(place), try RPCClient(place))
      _ = try other.call("todo/add", #"{"title":"first","tags":["x"]}"#)
      let asked = #"{"filter":"+x","sort":"title","limit":2,"fields":["title"]}"#
      let answer = try one.call("live/subscribe", #"{"method":"todo/list","params":\#(asked)}"#)
      #expect(answer["result"]?["subscription"] == 1)
      var rows = Rows()
      try rows.take(one.notified("live/changed"))
      #expect(rows.ids == [1])
      for line in [
        "add +x Beta", "add Other", "add +x Alpha", "edit 2 title:Zeta", "undo", "delete 4",
      ] {
        _ = try place.start("todostream \(line)").outcome()
      }
      while rows.head < 7 { try rows.take(one.notified("live/changed")) }
      #expect(try rows.ids == list(one, asked))
      #expect(try one.call("live/unsubscribe", #"{"subscription":1}"#)["result"] == .null)
      let gone = try one.call("live/unsubscribe", #"{"subscription":1}"#)
      #expect(gone["error"]?["message"] == "/subscription: there is no subscription 1")
      // It goes on after a change that it knows.
      let later = #"{"filter":"+x","from":\#(rows.head),"sort":"title","limit":2}"#
      _ = try one.call("live/subscribe", #"{"method":"todo/list","params":\#(later)}"#)
      try rows.take(one.notified("live/changed"))
      _ = try other.call("todo/add", #"{"title":"Aa","tags":["x"]}"#)
      try rows.take(one.notified("live/changed"))
      #expect(try rows.ids == list(one, asked))
    }

    @Test(
      arguments: [
        (#"{"method":"todo/show"}"#, "/method: 'todo/show' is no method that can be followed"),
        (#"{"method":"no"}"#, "/method: 'no' is no method that can be followed"),
        (
          #"{"method":"todo/list","params":{"limit":-1}}"#,
          "/params/limit: expected an integer from 0, found -1"
        ),
        (
          #"{"method":"todo/list","params":{"none":1}}"#,
          "list has no parameter 'none'; did you mean 'done'?"
        ),
        (#"{"method":"todo/list","params":1}"#, "/params: expected an object, found an integer"),
      ])
    func `what can't be followed is refused, with its place`(
      _ given: String,
      _ problem: String
    )
      throws
    {
      let client = try RPCClient()
      let answer = try client.call("live/subscribe", given)
      let message = try #require(answer["error"]?["message"]?.description)
      #expect(message.contains(problem), "\(message)")
    }

    @Test func `a client that does not read for a while has what is there at last`() throws {
      let client = try RPCClient()
      _ = try client.call("live/subscribe", #"{"method":"todo/list","params":{"sort":"title"}}"#)
      let text = String(repeating: "x", count: 20_000)
      for part in 0..<2 {
        let script = (1...75).map { "add T\(part)-\($0) --subtitle \(text)" }
        _ = try client.place.start("todostream --quiet run -", input: script).outcome()
      }
      // More than may wait for it: it is told the last state of what it has missed.
      for letter in "abcd" {
        let other = String(repeating: letter, count: 20_000)
        _ = try client.place.start("todostream --yes --quiet edit is:open --subtitle \(other)")
          .outcome()
      }
      var rows = Rows()
      while rows.head < 750 {
        try rows.take(client.notified("live/changed"))
      }
      #expect(rows.ids.count == 150)
      #expect(try rows.ids == list(client, #"{"sort":"title"}"#))
      #expect(rows.told < 650, "\(rows.told)")
    }
  }
#endif
