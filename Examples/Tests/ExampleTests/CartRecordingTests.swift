#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// A session of the cart, recorded beside others who use it, and told again.
  @Suite(.hangLimit) struct CartRecordingTests {
    @Test func `S57 a session is told again with what others changed and undid meanwhile`() throws {
      let place = try Workplace(for: "todostream-cart")
      _ = try place.start("todostream-cart add Salt").outcome()
      let client = try Client("todostream-cart --record r", place)
      try client.ask("cart/add", #"{"title":"Milk","price":"1"}"#)
      _ = try place.start("todostream-cart add Bread --price 2").outcome()
      _ = try place.start("todostream-cart quantity 3 4").outcome()
      try client.ask("cart/list")
      _ = try place.start("todostream-cart undo").outcome()
      _ = try place.start("todostream-cart remove 1").outcome()
      try client.ask("cart/check")
      try client.ask("history/undo")
      _ = try place.start("todostream-cart redo").outcome()
      try client.ask("history/list")
      try client.ask("badge/show")
      try client.end()
      try place.tellAgain("todostream-cart", "r")
    }

    @Test func `S57 a script whose lines are kept one by one is told again`() throws {
      let place = try Workplace(for: "todostream-cart")
      let lines = ["add A", "add B", "remove 9", "check 1", "remove 1"]
      let outcome = try place.start("todostream-cart --record r run --keep-going -", input: lines)
        .outcome()
      #expect(outcome.status == 3)
      try place.tellAgain("todostream-cart", "r")
    }

    @Test func `S57 a session begins with what another engine held`() throws {
      let place = try Workplace(for: "todostream-cart")
      _ = try place.start("todostream-cart add Salt --price 2").outcome()
      let script = ["check 1", "add Milk"]
      _ = try place.start("todostream-cart --record r", input: script).outcome()
      let image = #"""
        {"records":1}
        {"kind":"line","number":1,"revision":1,"fields":{"title":"Salt","price":"2.00"}}
        {"step":{"number":1,"root":"1-1","origin":"cli","time":0,"kind":{"change":{}},"isUndone":false}}
        {"change":{"revision":1,"number":1,"kind":"line","after":"{\"title\":\"Salt\"}",\#
        "transaction":{"root":"1-1","ordinal":1},"origin":"cli","time":0}}
        {"end":1}
        """#
      func begin(with image: String) throws {
        let recorded = try String(contentsOfFile: place.folder.path + "/r", encoding: .utf8)
        let lines = recorded.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count { $0.hasPrefix(#"{"state":"#) } == 1)
        let state = #"{"state":"\#(Data(image.utf8).base64EncodedString())""#
        // FNV-1a, 32 bits.
        let check = state.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let text = String(check, radix: 16)
        let line = state + #","check":"\#(String(repeating: "0", count: 8 - text.count))\#(text)"}"#
        try lines.map { $0.hasPrefix(#"{"state":"#) ? line : String($0) }
          .joined(separator: "\n")
          .write(toFile: place.folder.path + "/i", atomically: true, encoding: .utf8)
      }
      try begin(with: image)
      try place.tellAgain("todostream-cart", "i")
      // What it held matters.
      try begin(with: image.replacing("2.00", with: "3.00"))
      #expect(try place.start("todostream-cart replay i").outcome().status == 1)
      try begin(with: image.replacing(#"{"end":1}"#, with: ""))
      let cut = try place.start("todostream-cart replay i").outcome()
      #expect(cut.status == 4)
      #expect(cut.errors.joined().contains("its image is cut off"))
    }

    @Test func `S57 a recorded line that is changed is found`() throws {
      let place = try Workplace(for: "todostream-cart")
      _ = try place.start("todostream-cart --record r add Milk --price 1.20").outcome()
      let mutated =
        try place.start(
          #"sed '/ResponseRecordChanges/s/"1\.20"/"1.30"/' r >m; cmp -s r m; echo $?"#
        )
        .outcome()
      #expect(mutated.output == ["1"])
      let told = try place.start("todostream-cart replay m").outcome()
      #expect(told.status == 1)
      #expect(told.output.first?.hasPrefix("Divergence at event ") == true)
    }
  }
#endif
