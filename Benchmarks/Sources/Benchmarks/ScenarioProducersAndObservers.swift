import AsyncAlgorithms
import Dispatch
import EventMVVM
import Foundation
import OpenCombine

/// Two threads send, half of the events each, and eight observers see all of them.
///
/// A piece of work is one event, seen by all eight. An observer locks what it notes down, as it
/// must with those peers that call it on two threads at once.
let producersAndObservers = Scenario(
  name: "two producers, eight observers",
  contenders: [stream, subject, center, queue, hub, asyncStreams, asyncChannels]
)

/// A contender with witnesses of its own.
private func contender(
  _ name: String,
  _ prepare: @escaping @Sendable (Witnesses) -> Contender.Work
) -> Contender {
  let witnesses = Witnesses()
  return Contender(name, keepsOneOrder: { witnesses.agree }) { prepare(witnesses) }
}

/// Sends from both threads; each sends numbers of its own.
private func produce(_ count: Int, _ send: @escaping @Sendable (RequestTick) -> Void) {
  onTwoThreads { thread in
    for number in stride(from: thread, to: count, by: 2) { send(RequestTick(number: number)) }
  }
}

private var stream: Contender {
  contender(Contender.ours) { witnesses in
    let stream = EventStream(home: .ownThread)
    for witness in witnesses.all {
      stream.on(RequestTick.self) { event, _ in witness.see(event.number) }
    }
    let isDone = DispatchSemaphore(value: 0)
    stream.on(RequestEnd.self) { _, _ in isDone.signal() }
    return { count in
      produce(count) { stream.send($0) }
      stream.send(RequestEnd())
      isDone.wait()
    }
  }
}

private var subject: Contender {
  contender("OpenCombine PassthroughSubject") { witnesses in
    let subject = PassthroughSubject<RequestTick, Never>()
    let held = witnesses.all.map { witness in subject.sink { witness.see($0.number) } }
    // Unchecked: a subject may be sent to from any thread.
    nonisolated(unsafe) let shared = subject
    return { count in
      withExtendedLifetime(held) { produce(count) { shared.send($0) } }
    }
  }
}

private var center: Contender {
  contender("NotificationCenter") { witnesses in
    let center = NotificationCenter()
    let name = Notification.Name("tick")
    for witness in witnesses.all {
      center.on(name) { (event: RequestTick) in witness.see(event.number) }
    }
    return { count in produce(count) { center.send(name, $0) } }
  }
}

private var queue: Contender {
  contender("serial DispatchQueue") { witnesses in
    let queue = DispatchQueue(label: "observers")
    return { count in
      produce(count) { event in
        queue.async { for witness in witnesses.all { witness.see(event.number) } }
      }
      queue.sync {}
    }
  }
}

private var hub: Contender {
  contender("actor that calls observers") { witnesses in
    let hub = Hub(witnesses.all.map { witness in { witness.see($0.number) } })
    return { count in
      wait {
        await withTaskGroup { group in
          for producer in 0..<2 {
            group.addTask {
              for number in stride(from: producer, to: count, by: 2) {
                await hub.send(RequestTick(number: number))
              }
            }
          }
        }
      }
    }
  }
}

private var asyncStreams: Contender {
  contender("AsyncStream, one an observer") { witnesses in
    { count in
      let streams = witnesses.all.map { _ in AsyncStream.makeStream(of: RequestTick.self) }
      let observing = Task.detached {
        await withTaskGroup { group in
          for (witness, (events, _)) in zip(witnesses.all, streams) {
            group.addTask { for await event in events { witness.see(event.number) } }
          }
        }
      }
      produce(count) { event in
        for (_, sender) in streams { sender.yield(event) }
      }
      for (_, sender) in streams { sender.finish() }
      wait { await observing.value }
    }
  }
}

private var asyncChannels: Contender {
  contender("AsyncChannel, one an observer") { witnesses in
    { count in
      wait {
        let channels = witnesses.all.map { _ in AsyncChannel<RequestTick>() }
        await withTaskGroup { group in
          for (witness, channel) in zip(witnesses.all, channels) {
            group.addTask { for await event in channel { witness.see(event.number) } }
          }
          await withTaskGroup { producers in
            for producer in 0..<2 {
              producers.addTask {
                for number in stride(from: producer, to: count, by: 2) {
                  for channel in channels { await channel.send(RequestTick(number: number)) }
                }
              }
            }
          }
          for channel in channels { channel.finish() }
        }
      }
    }
  }
}

/// Says that all has been sent.
private struct RequestEnd: ModelEvent {}

private actor Hub {
  private let observers: [@Sendable (RequestTick) -> Void]

  init(_ observers: [@Sendable (RequestTick) -> Void]) { self.observers = observers }

  func send(_ event: RequestTick) {
    for observer in observers { observer(event) }
  }
}
