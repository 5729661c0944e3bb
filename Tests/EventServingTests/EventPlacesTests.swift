import EventMVVMTesting
import Testing

@testable import EventServing

/// Where subscriptions go on.
@Suite(.hangLimit) struct EventPlacesTests {
  @Test func `each goes on at its own place, and others at the first of them`() {
    let places = EventPlaces([(["a"], 30), (["a", "b"], 20), (nil, 40), (["a"], 25)])
    #expect(places?.first(of: ["a"]) == 25)
    #expect(places?.first(of: ["b", "a"]) == 20)
    #expect(places?.first(of: nil) == 40)
    #expect(places?.first(of: ["c"]) == 20)
  }

  @Test func `without any there is no place, and one alone is for all`() {
    #expect(EventPlaces([]) == nil)
    #expect(EventPlaces(from: 7).first(of: ["a"]) == 7)
  }
}
