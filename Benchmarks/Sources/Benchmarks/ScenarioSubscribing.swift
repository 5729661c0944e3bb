import EventMVVM
import Foundation
import OpenCombine

/// One observer comes and goes, among a thousand who stay.
let subscribing = Scenario(
  name: "subscribe and cancel among 1000",
  contenders: [
    Contender(Contender.ours, isSynchronous: true) {
      let (stream, sum) = (EventStream(), Sum())
      for _ in 0..<1000 { stream.on(RequestTick.self) { event, _ in sum.value &+= event.number } }
      return { count in
        for _ in 0..<count {
          stream.on(RequestTick.self) { event, _ in sum.value &+= event.number }.cancel()
        }
      }
    },
    Contender("OpenCombine PassthroughSubject", isSynchronous: true) {
      let (subject, sum) = (PassthroughSubject<RequestTick, Never>(), Sum())
      let held = (0..<1000).map { _ in subject.sink { sum.value &+= $0.number } }
      return { count in
        withExtendedLifetime(held) {
          for _ in 0..<count { subject.sink { sum.value &+= $0.number }.cancel() }
        }
      }
    },
    Contender("NotificationCenter", isSynchronous: true) {
      let (center, sum, name) = (NotificationCenter(), Sum(), Notification.Name("tick"))
      for _ in 0..<1000 {
        center.on(name) { (event: RequestTick) in sum.value &+= event.number }
      }
      return { count in
        for _ in 0..<count {
          let observer = center.addObserver(forName: name, object: nil, queue: nil) { _ in
            sum.value &+= 1
          }
          center.removeObserver(observer)
        }
      }
    },
    Contender("actor with a dictionary") {
      let (directory, sum) = (Directory(), Sum())
      wait { for _ in 0..<1000 { _ = await directory.add { sum.value &+= $0.number } } }
      return { count in
        wait {
          for _ in 0..<count {
            await directory.remove(await directory.add { sum.value &+= $0.number })
          }
        }
      }
    },
  ]
)

private actor Directory {
  private var observers: [Int: @Sendable (RequestTick) -> Void] = [:]
  private var next = 0

  func add(_ observer: @escaping @Sendable (RequestTick) -> Void) -> Int {
    next += 1
    observers[next] = observer
    return next
  }

  func remove(_ number: Int) { observers[number] = nil }
}
