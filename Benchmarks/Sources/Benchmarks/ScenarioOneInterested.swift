import EventMVVM
import Foundation
import OpenCombine

/// One event, and one of several observers is interested: each of the others observes an event type
/// of its own.
///
/// Where a peer knows no types of events, its observers pick theirs out of one subject, as that is
/// how one event stream for a whole application is built with it.
func oneInterested(among observers: Int) -> Scenario {
  Scenario(
    name: "one interested of \(observers)",
    contenders: [
      Contender(Contender.ours, isSynchronous: true) {
        let (stream, sum) = (EventStream(), Sum())
        for number in 1..<observers { observe(stream, tag(number), sum) }
        stream.on(RequestTick.self) { event, _ in sum.value &+= event.number }
        return { count in
          for number in 0..<count { stream.send(RequestTick(number: number)) }
        }
      },
      Contender("OpenCombine, filters", isSynchronous: observers <= 100) {
        let (subject, sum) = (PassthroughSubject<any Event, Never>(), Sum())
        var held: Set<AnyCancellable> = []
        for number in 1..<observers { observe(subject, tag(number), sum).store(in: &held) }
        subject.compactMap { $0 as? RequestTick }
          .sink { sum.value &+= $0.number }
          .store(in: &held)
        return { [held] count in
          withExtendedLifetime(held) {
            for number in 0..<count { subject.send(RequestTick(number: number)) }
          }
        }
      },
      Contender("NotificationCenter, names", isSynchronous: observers <= 100) {
        let (center, sum) = (NotificationCenter(), Sum())
        for number in 0..<observers {
          center.on(Notification.Name("\(number)")) { (event: RequestTick) in
            sum.value &+= event.number
          }
        }
        let name = Notification.Name("0")
        return { count in
          for number in 0..<count { center.send(name, RequestTick(number: number)) }
        }
      },
    ]
  )
}

private func observe<T: Tag>(_ stream: EventStream, _ tag: T.Type, _ sum: Sum) {
  stream.on(RequestTagged<T>.self) { event, _ in sum.value &+= event.number }
}

private func observe<T: Tag>(
  _ subject: PassthroughSubject<any Event, Never>,
  _ tag: T.Type,
  _ sum: Sum
) -> AnyCancellable {
  subject.compactMap { $0 as? RequestTagged<T> }.sink { sum.value &+= $0.number }
}
