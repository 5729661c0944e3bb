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
    let turns = Locked<[CallSequence.Turn]>([])
    let answers = (1...3).map { _ in Locked<Answer?>(Answer()) }
    weak let second = answers[1].withLock { $0 }
    for number in 1...3 {
      let answer = answers[number - 1]
        .withLock { answer in
          defer { answer = nil }
          return answer
        }
      sequence.add(writes: true) { turn in
        turns.withLock { $0.append(turn) }
        withExtendedLifetime(answer) { started.withLock { $0.append(number) } }
      }
    }
    #expect(started.withLock { $0 } == [1])
    #expect(second != nil)
    sequence.ended(turns.withLock { $0[0] })
    #expect(started.withLock { $0 } == [1, 2])
    #expect(second == nil)
  }

  /// The numbers of the commands that were started, and their turns.
  private final class Started: Sendable {
    private let turns = Locked<[(Int, CallSequence.Turn)]>([])

    var numbers: [Int] { turns.withLock { $0.map(\.0) } }

    subscript(number: Int) -> CallSequence.Turn? {
      turns.withLock { $0.first { $0.0 == number }?.1 }
    }

    func add(_ number: Int, writes: Bool = false, to sequence: CallSequence) {
      sequence.add(writes: writes) { [self] turn in turns.withLock { $0.append((number, turn)) } }
    }
  }

  @Test func `a write that waits for a person is passed by what comes after it`() throws {
    let sequence = CallSequence()
    let started = Started()
    started.add(1, writes: true, to: sequence)
    started.add(2, to: sequence)
    started.add(3, writes: true, to: sequence)
    started.add(4, to: sequence)
    #expect(started.numbers == [1])
    sequence.pass(try #require(started[1]))
    #expect(started.numbers == [1, 2, 3])
    // Its end is nothing to those that wait for another write.
    sequence.ended(try #require(started[1]))
    sequence.pass(try #require(started[1]))
    #expect(started.numbers == [1, 2, 3])
    sequence.ended(try #require(started[3]))
    #expect(started.numbers == [1, 2, 3, 4])
  }

  @Test func `64 commands are in progress at once`() throws {
    let sequence = CallSequence()
    let started = Started()
    for number in 1...100 { started.add(number, to: sequence) }
    #expect(started.numbers == Array(1...64))
    sequence.ended(try #require(started[7]))
    #expect(started.numbers == Array(1...65))
  }

  @Test func `while the client reads no answer, no command is begun`() throws {
    let hasRoom = Locked(true)
    let whenRead = Locked<[@Sendable () -> Void]>([])
    let sequence = CallSequence(hasRoom: { hasRoom.withLock { $0 } }) { body in
      whenRead.withLock { $0.append(body) }
    }
    let started = Started()
    started.add(1, to: sequence)
    hasRoom.withLock { $0 = false }
    started.add(2, to: sequence)
    started.add(3, writes: true, to: sequence)
    started.add(4, to: sequence)
    #expect(started.numbers == [1])
    #expect(whenRead.withLock { $0.count } == 1)
    hasRoom.withLock { $0 = true }
    for body in whenRead.withLock({ $0 }) { body() }
    #expect(started.numbers == [1, 2, 3])
    sequence.ended(try #require(started[3]))
    #expect(started.numbers == [1, 2, 3, 4])
  }
}
