public import EventMVVM
public import JSONText

/// A command whose result is a list that may be long and can be requested in parts.
///
/// A ``CommandRun`` that writes a list as it is read requests the first part, and then each next one by
/// the request in the reply. All parts show one state of the listed data.
///
/// ```swift
/// func inParts(of count: Int) -> Self {
///   var copy = self
///   copy.partSize = count
///   return copy
/// }
/// ```
public protocol PartedCommand: Command where Reply: PartedResponse, Reply.Rest == Self {
  /// Returns the same command, to be answered with at most this many items.
  func inParts(of count: Int) -> Self
}

extension PartedCommand {
  /// The command itself, as its result can be requested in parts.
  public var partedCommand: (any PartedCommand)? { self }
}

/// A reply that may be a part of a list.
///
/// ```swift
/// struct ResponseCountdown: ViewModelEvent, PartedResponse {
///   let result: Result<Numbers, Failure>
/// ```
public protocol PartedResponse: Response where Value: PartedResult {
  /// The request for the next part.
  associatedtype Rest
  /// The request for the part that follows; nil if none does.
  var rest: Rest? { get }
}

/// A result that is a list, or a part of one.
///
/// ```swift
/// func writeItems(to json: inout JSONWriter) {
///   for number in numbers { json.value(number) }
/// }
/// ```
public protocol PartedResult: CommandResult {
  /// Writes the items, each a JSON value, into an open array.
  func writeItems(to json: inout JSONWriter)
}

extension PartedResult {
  /// Writes the list as an array.
  public func write(to json: inout JSONWriter) {
    json.array { writeItems(to: &$0) }
  }
}
