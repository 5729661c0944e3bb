import EventMVVM
import EventMVVMTesting
import ProcessTesting
import Testing

/// A turn is lent for the length of its delivery: what would keep it does not compile, and is refused
/// in words, whoever writes it.
@Suite(.hangLimit) struct LentTurnTests {
  @Test func `keeping a turn, or a closure that uses it, is an error where it is done`() throws {
    let errors = try errorLines(
      """
      import EventMVVM
      struct RequestPing: ModelEvent {}
      struct ResponsePing: ModelEvent {}
      func later(_ body: @escaping () -> Void) {}
      func join(_ stream: EventStream, _ port: ViewPort) {
        stream.on(RequestPing.self) { _, turn in Task { turn.send(ResponsePing()) } }
        stream.on(RequestPing.self) { _, turn in later { turn.send(ResponsePing()) } }
        stream.on(RequestPing.self) { _, turn in _ = [1].lazy.map { _ in turn.send(ResponsePing()) } }
        port.on(ResponseSessionEnd.self) { _, turn in later { turn.send(ResponseSessionEnd()) } }
        stream.on(RequestPing.self) { _, turn in [1, 2].forEach { _ in turn.send(ResponsePing()) } }
        stream.on(RequestPing.self) { _, turn in
          let held = turn.hold()
          Task { held.send(ResponsePing()) }
        }
      }
      """
    )
    #expect(errors == [6, 7, 8, 9])
    let kept = try errorLines(
      """
      import EventMVVM
      func join(_ stream: EventStream) {
        var kept: [Any] = []
        stream.on(ResponseSessionEnd.self) { _, turn in kept.append(turn) }
      }
      """
    )
    #expect(kept == [4])
  }
}
