import CountedMemory

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One way of doing what a scenario asks for.
struct Contender: Sendable {
  /// Does the work `count` times, and returns when all of it has been done.
  typealias Work = (_ count: Int) -> Void

  static let ours = "this stream"

  let name: String
  /// Whether all its work happens on the calling thread, so that its instructions can be counted.
  var isSynchronous = false
  /// Says whether all observers have seen one order so far; nil where there is no question of it.
  var keepsOneOrder: (@Sendable () -> Bool)?
  let prepare: @Sendable () -> Work

  init(
    _ name: String,
    isSynchronous: Bool = false,
    keepsOneOrder: (@Sendable () -> Bool)? = nil,
    prepare: @escaping @Sendable () -> Work
  ) {
    self.name = name
    self.isSynchronous = isSynchronous
    self.keepsOneOrder = keepsOneOrder
    self.prepare = prepare
  }
}

/// A question put to several contenders; the first is ours.
struct Scenario: Sendable {
  let name: String
  let contenders: [Contender]
}

/// What was found out about one contender.
struct Finding {
  let scenario: String
  let contender: String
  let nanoseconds: Double
  var allocations: Double?
  var instructions: Double?
  var keepsOneOrder: Bool?
}

/// Measures the contenders of a scenario in turns, so that whatever else the machine does hits all
/// of them alike, and keeps a good round of each: the very best is now and then a freak where
/// several threads are at work.
struct Harness {
  let rounds: Int

  /// How long a round should take, in nanoseconds: short, so that some rounds go undisturbed.
  private let roundTime = 500_000.0
  /// How many events it takes, at most, until an order that is not kept shows.
  private let eventsForOrder = 50_000

  func measure(_ scenario: Scenario) -> [Finding] {
    let works = scenario.contenders.map { $0.prepare() }
    let counts = works.map(countForOneRound)
    let times = times(of: works, counts)
    return scenario.contenders.indices.map { index in
      let (contender, work) = (scenario.contenders[index], works[index])
      var finding = Finding(
        scenario: scenario.name,
        contender: contender.name,
        nanoseconds: times[index]
      )
      finding.allocations = allocations(of: work, counts[index])
      if let keepsOneOrder = contender.keepsOneOrder {
        work(eventsForOrder)
        finding.keepsOneOrder = keepsOneOrder()
      }
      return finding
    }
  }

  /// For each work, what one piece of it takes in the round that a tenth of the rounds beat.
  private func times(of works: [Contender.Work], _ counts: [Int]) -> [Double] {
    var times = works.map { _ in [Double]() }
    for _ in 0..<rounds {
      for (index, work) in works.enumerated() {
        times[index].append(processorTime { work(counts[index]) } / Double(counts[index]))
      }
    }
    return times.map { $0.sorted()[rounds / 10] }
  }

  /// Finds how often the work fits into a round, which also warms it up.
  private func countForOneRound(_ work: Contender.Work) -> Int {
    var count = 1
    while count < 1 << 20 {
      let best = (0..<3).map { _ in processorTime { work(count) } }.min() ?? 0
      if best > roundTime / 2 { break }
      count *= 2
    }
    return count
  }

  /// The allocations of one piece of work, without those that a round makes once.
  private func allocations(of work: Contender.Work, _ count: Int) -> Double? {
    let start = counted_allocations()
    guard start >= 0 else { return nil }
    work(count)
    let middle = counted_allocations()
    work(count * 3)
    let end = counted_allocations()
    return max(0, Double((end - middle) - (middle - start)) / Double(count * 2))
  }
}

/// The processor time, in nanoseconds, that all threads of the process spend while `body` runs.
func processorTime(_ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
  let start = now()
  body()
  return now() - start
}
