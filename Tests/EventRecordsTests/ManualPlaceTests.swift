import EventMVVMTesting
import Testing
import EventRecords

/// Places between places (S62).
@Suite(.hangLimit) struct ManualPlaceTests {
  @Test func `S62 there is a place between any two, above all, and below all`() throws {
    let (three, four) = (ManualPlace(number: 3), ManualPlace(number: 4))
    let between = try #require(ManualPlace.between(three, four))
    #expect(between.text == "3.V")
    #expect(three < between && between < four)
    let above = try #require(ManualPlace.between(four, nil))
    #expect(above > four && above < ManualPlace(number: 5))
    let below = try #require(ManualPlace.between(nil, ManualPlace(number: 1)))
    #expect(below < ManualPlace(number: 1))
    #expect(ManualPlace.between(nil, below)?.text == "0.F")
  }

  @Test(arguments: [
    ("3.V", "3.W", "3.VV"), ("3.V", "3.V1", "3.V0V"), ("3.z", "4.1", "3.zV"),
    ("3.1", "3.11", "3.10V"),
    ("3.Vz", "3.W", "3.VzV"), ("3.V", "7.1", "3.k"), ("3.1", "3.3", "3.2"),
  ])
  func `S62 the digits of a place are as few as can be`(
    lower: String,
    upper: String,
    between: String
  ) throws {
    let place = try #require(
      ManualPlace.between(ManualPlace(text: lower), ManualPlace(text: upper))
    )
    #expect(place.text == between)
    #expect(ManualPlace(text: between) == place)
  }

  @Test func `S62 moves into the same gap need a digit more for every five or six`() throws {
    var (lower, upper) = (ManualPlace(number: 1), ManualPlace(number: 2))
    for round in 0..<600 {
      let place = try #require(ManualPlace.between(lower, upper))
      #expect(lower < place && place < upper)
      if round % 3 == 0 { lower = place } else { upper = place }
    }
    #expect(max(lower.fraction.utf8.count, upper.fraction.utf8.count) < 140)
  }

  @Test func `S62 a gap that is too small is no place`() throws {
    let most = String(repeating: "0", count: ManualPlace.mostDigits - 1)
    let upper = try #require(ManualPlace(text: "1.\(most)1"))
    #expect(ManualPlace.between(ManualPlace(number: 1), upper) == nil)
    #expect(ManualPlace.between(upper, ManualPlace(number: 2)) != nil)
  }

  @Test(arguments: [
    "", "3", ".V", "3.", "3.V0", "3.ä", "-3.V", "3.V.V", "99999999999999999999.V", "3. ",
  ])
  func `what is no place is not read`(text: String) {
    #expect(ManualPlace(text: text) == nil)
  }
}
