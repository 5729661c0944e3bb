import EventMVVM

/// The event that most scenarios send.
struct RequestTick: ModelEvent {
  var number: Int
}

/// An event type for each tag.
struct RequestTagged<T: Tag>: ModelEvent {
  var number: Int
}

/// A type that stands for a number.
protocol Tag: Sendable {}
enum NoBits: Tag {}
enum BitClear<Rest: Tag>: Tag {}
enum BitSet<Rest: Tag>: Tag {}

/// A different type for each number.
func tag(_ number: Int) -> any Tag.Type {
  func clear<T: Tag>(_ rest: T.Type) -> any Tag.Type { BitClear<T>.self }
  func set<T: Tag>(_ rest: T.Type) -> any Tag.Type { BitSet<T>.self }
  guard number > 0 else { return NoBits.self }
  let rest = tag(number >> 1)
  return number & 1 == 0 ? clear(rest) : set(rest)
}

/// What observers add up.
///
/// Unchecked: each scenario says which one thread, or one at a time, adds. The check for
/// overlapping accesses is off so that it is not what is measured.
final class Sum: @unchecked Sendable {
  @exclusivity(unchecked) var value = 0
}
