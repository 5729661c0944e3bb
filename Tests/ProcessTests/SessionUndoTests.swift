import EventMVVMTesting
import JSONText
import ProcessTesting
import Testing

extension Processes {
  /// A session that lasts uses a distant list on a thread of the store; `make nightly` runs this with a release, too.
  @Suite(.hangLimit) struct SessionUndoTests {
    @Test(arguments: StorePlace.here)
    func `a session undoes and redoes what it did, wherever the list is`(
      _ kind: StorePlace
    ) throws {
      let store = try SharedStore(on: kind)
      let session = try RPCClient(store.place)
      for line in ["add Milk", "edit @last --title Bread", "done @last"] {
        #expect(try session.call("line/run", #"{"line":"\#(line)"}"#)["error"] == nil)
      }
      for (line, titles) in [
        ("undo", ["Bread"]), ("undo", ["Milk"]), ("undo", []), ("redo", ["Milk"]),
        ("redo", ["Bread"]),
      ] {
        #expect(try session.call("line/run", #"{"line":"\#(line)"}"#)["error"] == nil)
        #expect(try store.todos().map(\.title) == titles)
      }
    }
  }
}
