import Foundation

/// The time now, in microseconds.
func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

extension [Double] {
  var median: Double { isEmpty ? .nan : sorted()[count / 2] }
  var minimum: Double { self.min() ?? .nan }
}

extension Double {
  var text: String { String(format: self < 10 ? "%.2f" : "%.0f", self) }
}

/// What one kind of conversation takes.
struct Statistics {
  /// Microseconds for a request and its answer, one after the other: the median of each round.
  ///
  /// The best round counts, as it is luck whether both ends share a core.
  var pingPong: [Double] = []
  /// Requests a second, all written before the answers are waited for.
  var rate: [Double] = []
  /// Microseconds of processor time for one of those.
  var processor: [Double] = []

  /// Measures once more.
  mutating func add(_ server: Server, count: Int, _ frame: (Int) -> [UInt8]) {
    var times: [Double] = []
    for number in 1...count / 10 {
      let frame = frame(number)
      let start = now()
      server.write(frame)
      _ = server.read()
      times.append(now() - start)
    }
    pingPong.append(times.median)
    // In pieces as large as a pipe, as a client would that has much to say.
    let all = (1...count).flatMap(frame)
    let (start, before) = (now(), server.processorTime)
    server.writeAside(all)
    for _ in 1...count { _ = server.read() }
    rate.append(Double(count) / (now() - start) * 1e6)
    processor.append((server.processorTime - before) / 1e3 / Double(count))
  }

  func show(_ name: String) {
    let columns = [pingPong.minimum, rate.median / 1000, processor.median].map(\.text)
    print(
      name.padding(toLength: 44, withPad: " ", startingAt: 0)
        + columns.map { String(repeating: " ", count: max(0, 13 - $0.count)) + $0 }.joined()
    )
  }
}

/// A limit, and whether it is kept; times are judged by the reader, as a busy machine must not fail
/// a build.
func limit(_ name: String, _ value: Double, atMost most: Double) {
  let verdict = value <= most ? "kept" : "MISSED"
  print(
    name.padding(toLength: 66, withPad: " ", startingAt: 0)
      + String(format: "%9.2f %9.2f   %@", value, most, verdict as NSString)
  )
}
