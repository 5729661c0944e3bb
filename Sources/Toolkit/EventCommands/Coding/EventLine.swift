package import EventMVVM
import JSONText

/// An event's members in the line of a recording: its envelope, its type and its body.
package struct EventLine: Sendable {
  /// Its envelope.
  package let envelope: Envelope
  /// Whether it came from outside a handler.
  package let isInput: Bool
  private let isHousekeeping: Bool
  private let source: String?

  /// Notes what is known of a delivery.
  package init(_ turn: borrowing Turn) {
    envelope = turn.envelope
    isInput = turn.isInput
    isHousekeeping = turn.isHousekeeping
    source = turn.source
  }

  /// Appends the members.
  ///
  /// - Parameters:
  ///   - bytes: The line.
  ///   - type: The type's name, as JSON.
  ///   - body: The body, as JSON; nil for none.
  ///   - session: The session, of whose roots the number is enough.
  package func append(
    to bytes: inout [UInt8],
    type: [UInt8],
    body: [UInt8]?,
    session: UInt64
  ) {
    func literal(_ text: StaticString) {
      text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }
    literal(#""seq":"#)
    bytes += String(envelope.sequence).utf8
    if let cause = envelope.cause {
      literal(#","cause":"#)
      bytes += String(cause).utf8
    }
    literal(#","root":"#)
    if envelope.root.session == session {
      bytes += String(envelope.root.number).utf8
    } else {
      bytes += "\"\(envelope.root)\"".utf8
    }
    literal(#","origin":"#)
    bytes += String(envelope.origin.index).utf8
    literal(#","time":"#)
    bytes += String(envelope.time.milliseconds).utf8
    literal(#","type":"#)
    bytes += type
    if isInput { literal(#","input":true"#) }
    if isHousekeeping { literal(#","housekeeping":true"#) }
    if let source {
      literal(#","source":"#)
      var json = JSONWriter()
      json.value(source)
      bytes += json.bytes
    }
    if let body {
      literal(#","body":"#)
      bytes += body
    }
  }
}

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
