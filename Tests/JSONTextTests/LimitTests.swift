import Dispatch
import EventMVVMTesting
import Foundation
import JSONText
import Synchronization
import Testing

@Suite(.hangLimit) struct LimitTests {
  @Test func `a document as deep as the limit is accepted`() throws {
    #expect(try JSON(parsing: arrays(128)) == nested(128))
    #expect(try JSON(parsing: arrays(3), limits: JSONLimits(depth: 3)) == [[[]]])
    #expect(try JSON(parsing: #"{"a":[{}]}"#, limits: JSONLimits(depth: 3)) == ["a": [[:]]])
  }

  @Test func `a document deeper than the limit is refused`() {
    #expect(
      refusal(of: arrays(129))
        == "line 1, column 129: expected at most 128 levels of nesting, found one more"
    )
    #expect(
      refusal(of: #"{"a":[{}]}"#, limits: JSONLimits(depth: 2))
        == "line 1, column 7: expected at most 2 levels of nesting, found one more"
    )
  }

  @Test func `the limit does not count what is closed`() throws {
    #expect(try JSON(parsing: "[[],[],{}]", limits: JSONLimits(depth: 2)) == [[], [], [:]])
  }

  @Test func `at limit 0 only scalars are accepted`() throws {
    #expect(try JSON(parsing: "1", limits: JSONLimits(depth: 0)) == 1)
    #expect(
      refusal(of: "[]", limits: JSONLimits(depth: 0))
        == "line 1, column 1: expected at most 0 levels of nesting, found one more"
    )
    #expect(
      refusal(of: "{}", limits: JSONLimits(depth: .min))
        == "line 1, column 1: expected at most 0 levels of nesting, found one more"
    )
  }

  @Test func `the limit never exceeds 512`() throws {
    let limits = JSONLimits(depth: .max)
    #expect(try JSON(parsing: arrays(512), limits: limits) == nested(512))
    #expect(
      refusal(of: arrays(513), limits: limits)
        == "line 1, column 513: expected at most 512 levels of nesting, found one more"
    )
  }

  @Test func `the default limit is 128`() {
    #expect(JSONLimits.default.depth == 128)
    #expect(JSONLimits() == .default)
  }

  @Test func `a hundred thousand brackets are refused early`() {
    #expect(
      refusal(of: String(repeating: "[", count: 100_000))
        == "line 1, column 129: expected at most 128 levels of nesting, found one more"
    )
    #expect(
      refusal(of: String(repeating: #"{"":"#, count: 100_000))
        == "line 1, column 513: expected at most 128 levels of nesting, found one more"
    )
  }

  @Test(arguments: [
    ("[", "]", 512), (#"{"a":"#, "}", 512), (#"[{"a":"#, "}]", 256),
  ])
  func `512 levels fit a stack of 512 KiB`(opening: String, closing: String, count: Int) throws {
    let text =
      String(repeating: opening, count: count) + "1" + String(repeating: closing, count: count)
    let result = try onSmallStack {
      guard let value = try? JSON(parsing: text, limits: JSONLimits(depth: 512)),
        let copy = try? JSON(parsing: text, limits: JSONLimits(depth: 512))
      else { return "refused" }
      return value == copy ? value.description : "different"
    }
    #expect(result == text)
  }

  private func arrays(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }

  private func nested(_ levels: Int) -> JSON {
    (1..<levels).reduce([]) { inner, _ in [inner] }
  }

  private func onSmallStack(_ body: @escaping @Sendable () -> String) throws -> String {
    let result = Mutex("")
    let done = Gate()
    let thread = Thread {
      let text = body()
      result.withLock { $0 = text }
      done.open()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    try done.wait("the thread with a small stack is done")
    return result.withLock { $0 }
  }
}
