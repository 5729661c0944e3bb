import AsyncAlgorithms
import Dispatch
import EventMVVM
import Foundation
import OpenCombine
import Synchronization

/// One event to one observer, that adds a number up.
let oneEvent = Scenario(
  name: "one event, one observer",
  contenders: [
    Contender(Contender.ours, isSynchronous: true) {
      let (stream, sum) = (EventStream(), Sum())
      stream.on(RequestTick.self) { event, _ in sum.value &+= event.number }
      return { count in
        for number in 0..<count { stream.send(RequestTick(number: number)) }
      }
    },
    Contender("limit: a closure call", isSynchronous: true) {
      let call = adder(to: Sum())
      return { count in
        for number in 0..<count { call(RequestTick(number: number)) }
      }
    },
    Contender("limit: a compare-and-swap pair", isSynchronous: true) {
      let gate = Gate()
      return { count in
        for _ in 0..<count { gate.pass() }
      }
    },
    Contender("OpenCombine PassthroughSubject", isSynchronous: true) {
      let (subject, sum) = (PassthroughSubject<RequestTick, Never>(), Sum())
      let observer = subject.sink { sum.value &+= $0.number }
      return { count in
        withExtendedLifetime(observer) {
          for number in 0..<count { subject.send(RequestTick(number: number)) }
        }
      }
    },
    Contender("actor, from another actor") {
      let (sender, adder) = (Sender(), Adder())
      return { count in
        wait { await sender.send(count, to: adder) }
      }
    },
    Contender("serial DispatchQueue") {
      let (queue, sum) = (DispatchQueue(label: "observer"), Sum())
      return { count in
        for number in 0..<count {
          let event = RequestTick(number: number)
          queue.async { sum.value &+= event.number }
        }
        queue.sync {}
      }
    },
    Contender("NotificationCenter", isSynchronous: true) {
      let (center, sum) = (NotificationCenter(), Sum())
      let name = Notification.Name("tick")
      center.on(name) { (event: RequestTick) in sum.value &+= event.number }
      return { count in
        for number in 0..<count { center.send(name, RequestTick(number: number)) }
      }
    },
    Contender("AsyncStream") {
      { count in
        let sum = Sum()
        let (events, sender) = AsyncStream.makeStream(of: RequestTick.self)
        wait {
          async let done: Void = { for await event in events { sum.value &+= event.number } }()
          for number in 0..<count { sender.yield(RequestTick(number: number)) }
          sender.finish()
          await done
        }
      }
    },
    Contender("AsyncChannel") {
      { count in
        let sum = Sum()
        let channel = AsyncChannel<RequestTick>()
        wait {
          async let done: Void = { for await event in channel { sum.value &+= event.number } }()
          for number in 0..<count { await channel.send(RequestTick(number: number)) }
          channel.finish()
          await done
        }
      }
    },
  ]
)

/// A closure that the caller can't look into.
@inline(never)
private func adder(to sum: Sum) -> (RequestTick) -> Void {
  { sum.value &+= $0.number }
}

/// What a gate for several threads costs at least.
private final class Gate: Sendable {
  private let isTaken = Atomic(false)

  @inline(never)
  func pass() {
    _ = isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring)
    _ = isTaken.compareExchange(expected: true, desired: false, ordering: .releasing)
  }
}

/// Has state of its own, so that each send is a hop there and back.
private actor Sender {
  private var sent = 0

  func send(_ count: Int, to adder: Adder) async {
    for number in 0..<count {
      sent += 1
      await adder.add(RequestTick(number: number))
    }
  }
}

private actor Adder {
  private var sum = 0

  func add(_ event: RequestTick) { sum &+= event.number }
}
