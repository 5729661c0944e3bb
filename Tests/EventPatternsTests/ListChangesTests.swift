import EventMVVMTesting
import EventPatterns
import JSONText
import Testing

/// Richer changes than one row at a time (S63).
@Suite(.hangLimit) struct ListChangesTests {
  private struct Row: Sendable, Equatable {
    let id: Int
    let text: String
  }

  private func rows(_ texts: (Int, String)...) -> [Row] { texts.map { Row(id: $0, text: $1) } }

  @Test func `S63 a row that stands elsewhere has moved, and no other one`() {
    let changes = ListChanges(from: [1, 2, 3, 4, 5], to: [2, 3, 4, 5, 1], by: \.self)
    #expect(changes.moved == [.init(from: 0, to: 4)])
    #expect(changes.removed == [] && changes.inserted == [] && changes.reloaded == [])
  }

  @Test func `S63 one batch says what has come, gone, moved, and changed`() {
    let old = rows((1, "a"), (2, "b"), (3, "c"), (4, "d"))
    let new = rows((4, "D"), (1, "a"), (5, "e"), (3, "C"))
    let changes = ListChanges(from: old, to: new, by: \.id)
    #expect(changes.removed == [1])
    #expect(changes.inserted == [.init(at: 2, Row(id: 5, text: "e"))])
    #expect(changes.moved == [.init(from: 3, to: 0)])
    #expect(
      changes.reloaded == [
        .init(at: 0, Row(id: 4, text: "D")), .init(at: 3, Row(id: 3, text: "C")),
      ]
    )
    var view = old
    changes.apply(to: &view)
    #expect(view == new)
    var json = JSONWriter()
    changes.write(to: &json) { row, json in json.value(row.text) }
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == #"{"removed":[1],"moved":[{"from":3,"to":0}],"inserted":[{"index":2,"row":"e"}],"#
        + #""reloaded":[{"index":0,"row":"D"},{"index":3,"row":"C"}]}"#
    )
  }

  @Test func `S63 equal lists have nothing between them`() {
    #expect(ListChanges(from: [1, 2], to: [1, 2], by: \.self).isEmpty)
    #expect(ListChanges(from: [Int](), to: [], by: \.self).isEmpty)
    #expect(!ListChanges(from: [1], to: [], by: \.self).isEmpty)
  }

  @Test func `S63 whatever has become of a list, the batch makes the one of the other`() {
    var chance = Chance(1)
    for _ in 0..<2000 {
      let old = (0..<chance.pick(0...12)).map { Row(id: $0, text: "") }.shuffled(using: &chance)
      let new = (0..<chance.pick(0...12))
        .map { Row(id: $0 + 3, text: chance.once(in: 3) ? "x" : "") }
        .shuffled(using: &chance)
      var view = old
      let changes = ListChanges(from: old, to: new, by: \.id)
      changes.apply(to: &view)
      #expect(view == new)
      let stayed = Set(old.map(\.id)).intersection(new.map(\.id)).count
      #expect(changes.removed.count == old.count - stayed)
      #expect(changes.inserted.count == new.count - stayed)
      #expect(changes.moved.count < max(1, stayed))
    }
  }
}
