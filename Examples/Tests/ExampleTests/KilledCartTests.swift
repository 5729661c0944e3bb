#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// A user's domain that is killed at any moment: what it has acknowledged is kept, of all else it
  /// is all or nothing.
  ///
  /// `CART_KILLS` says how often; `make test` does it briefly.
  @Suite(.hangLimit) struct KilledCartTests {
    private let place: Workplace
    private let rounds: Int

    init() throws {
      place = try Workplace(for: "todostream-cart")
      rounds = ProcessInfo.processInfo.environment["CART_KILLS"].flatMap { Int($0) } ?? 30
    }

    /// Starts something, and kills it somewhat later.
    ///
    /// - Returns: Whether it had ended well before.
    private func kill(_ command: String, after microseconds: Int) throws -> Bool {
      let job = try place.start("exec \(command)")
      // The moment is what is tested.
      usleep(UInt32(microseconds))
      job.send(SIGKILL)
      return try job.outcome().status == 0
    }

    /// The titles of what is in the cart, in the order of the numbers.
    private func titles() throws -> [String] {
      try place.start("todostream-cart list").outcome().output.dropLast()
        .map { line in
          line.drop { $0 != "×" }.dropFirst(2).split(separator: " ").first.map(String.init) ?? ""
        }
    }

    private func expectSound() throws {
      let report = try place.start("todostream-cart doctor").outcome()
      #expect(report.status == 0, "\(report.output)")
    }

    @Test func `what was acknowledged is kept, and no number is given twice`() throws {
      var chance = Chance(UInt64(rounds))
      var acknowledged: Set<String> = []
      for round in 1...rounds {
        let title = "Line\(round)"
        if try kill("todostream-cart add \(title)", after: chance.pick(0...60_000)) {
          acknowledged.insert(title)
        }
      }
      try expectSound()
      let kept = try titles()
      #expect(acknowledged.subtracting(kept) == [])
      #expect(Set(kept).count == kept.count)
      // Each is a step of its own, and all can be taken back.
      for _ in kept { #expect(try place.start("todostream-cart undo").outcome().status == 0) }
      #expect(try titles() == [])
      try expectSound()
    }

    @Test func `a script that is killed has changed everything, or nothing`() throws {
      var chance = Chance(UInt64(rounds))
      _ = try place.start("seq 300 | sed 's/^/add Line/' >script; echo check >>script").outcome()
      _ = try place.start("todostream-cart add First").outcome()
      var count = 1
      for _ in 1...max(1, rounds / 3) {
        _ = try kill("todostream-cart run script", after: chance.pick(0...250_000))
        let now = try titles().count
        #expect((now - count) % 300 == 0)
        #expect([0, 300].contains(now - count))
        count = now
      }
      try expectSound()
    }
  }
#endif
