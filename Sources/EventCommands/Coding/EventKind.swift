package import EventMVVM

/// What a recording says of an event's type, for readers of the recording.
package enum EventKind {
  /// The layer that receives events of a type; the outer one of two.
  package static func layer(of type: any Event.Type) -> String? {
    type is any ViewModelEvent.Type ? "viewModel" : type is any ModelEvent.Type ? "model" : nil
  }

  /// What events of a type do.
  package static func kind(of type: any Event.Type) -> String? {
    type is any Request.Type
      ? "request" : type._isResponse ? "response" : type.isFact ? "fact" : nil
  }

  /// The name of the type that answers events of a type.
  package static func reply(to type: any Event.Type) -> String? {
    (type as? any Request.Type)?.replyName
  }
}

extension Request {
  /// The name of the reply's type.
  fileprivate static var replyName: String { Reply.name }
}
