import EventMVVM
import EventMVVMTesting
import Testing

@testable import EventServing

/// In which order a client's commands are sent.
@Suite(.hangLimit) struct CallSequenceTests {
  /// What a call holds on to, such as its answer.
  private final class Answer: Sendable {}

  @Test func `what was sent is let go of, whatever waits behind it`() {
    let sequence = CallSequence()
    let started = Locked<[Int]>([])
    let answers = (1...3).map { _ in Locked<Answer?>(Answer()) }
    weak let second = answers[1].withLock { $0 }
    for number in 1...3 {
      let answer = answers[number - 1]
        .withLock { answer in
          defer { answer = nil }
          return answer
        }
      sequence.add(writes: true) {
        withExtendedLifetime(answer) { started.withLock { $0.append(number) } }
      }
    }
    #expect(started.withLock { $0 } == [1])
    #expect(second != nil)
    sequence.writeEnded()
    #expect(started.withLock { $0 } == [1, 2])
    #expect(second == nil)
  }
}
