public import EventMVVM
public import JSONText

/// A command whose result is a list that may be long, and can be had part by part.
///
/// A frontend that prints a list as it comes asks for its first part, and with what each reply
/// gives back for the next one. All parts are of one state of what is listed.
public protocol PartedCommand: Command where Reply: PartedResponse, Reply.Rest == Self {
  /// The same command, to be answered by the first so many items.
  func inParts(of count: Int) -> Self
}

extension PartedCommand {
  /// Its result can come in parts.
  public var partedCommand: (any PartedCommand)? { self }
}

/// A reply that may be a part of a list.
public protocol PartedResponse: Response where Value: PartedResult {
  /// What asks for the next part.
  associatedtype Rest
  /// Asks for the part that follows; nil where none does.
  var rest: Rest? { get }
}

/// A result that is a list, or a part of one.
public protocol PartedResult: CommandResult {
  /// Writes the items, each a JSON value, into an array that has been begun.
  func writeItems(to json: inout JSONWriter)
}

extension PartedResult {
  /// Writes the list as an array.
  public func write(to json: inout JSONWriter) {
    json.array { writeItems(to: &$0) }
  }
}
