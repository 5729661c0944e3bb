import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Testing

@testable import EventServing

/// How a state that is there reaches a client, by a post that the test empties.
@Suite(.hangLimit) struct CellWatchTests {
  private static let name = StateName("lamp/level", "How bright it is.")

  private let context = AppContext()
  private let told = Locked<[String]>([])
  /// What is called when a message has been written.
  private let written = Locked<[@Sendable () -> Void]>([])
  private let level: State<Int>
  private let watch: CellWatch

  init() {
    level = State(0, name: "level", on: context.stream)
    context.stream.show(
      NamedState(Self.name) { [weak level] take in
        level?.watch { value in take(Array("\(value)".utf8)) }
      }
    )
    let notifier = Notifier { [told, written] message, whenWritten in
      told.withLock { $0.append(String(decoding: message, as: UTF8.self)) }
      if let whenWritten { written.withLock { $0.append(whenWritten) } }
    }
    watch = CellWatch("lamp/level", notifier)
    #expect(!watch.isIdle)
    watch.begin(context.port(named: "client"))
  }

  private func writeOne() {
    written.withLock { $0.removeFirst() }()
  }

  private static func message(_ level: Int) -> String {
    #"{"jsonrpc":"2.0","method":"state/changed","params":{"name":"lamp/level","value":\#(level)}}"#
  }

  @Test func `S76 a client is told the latest value first, and then each change`() {
    writeOne()
    level.set(1)
    level.set(1)
    writeOne()
    level.set(2)
    #expect(told.withLock { $0 } == [0, 1, 2].map(Self.message))
    #expect(!watch.isIdle)
    writeOne()
    #expect(watch.isIdle)
  }

  @Test func `a client that does not read is told the last value alone`() {
    for value in 1...1000 { level.set(value) }
    #expect(told.withLock { $0 } == [0].map(Self.message))
    writeOne()
    writeOne()
    #expect(told.withLock { $0 } == [0, 1000].map(Self.message))
    #expect(watch.isIdle)
  }
}
