import EventCommands
import EventMVVM
import EventValues
import JSONText

/// The types of events that a client can subscribe to: every command, its reply, and the types that
/// the catalogue declares in addition.
struct EventTypes: Sendable {
  /// Passes on the events of a type.
  private typealias Observation = @Sendable (ViewPort, @escaping Taker) -> Void
  /// Called on the home thread with each event.
  typealias Taker = @Sendable (ObservedEvent) -> Void

  /// Their names, in alphabetical order.
  let names: [String]
  private let observations: [Observation]

  init(_ catalogue: Catalogue) {
    var observations: [String: Observation] = [:]
    for event in catalogue.wire.events { observations[event.name] = Self.observation(of: event) }
    for command in catalogue.commands + catalogue.screenCommands {
      let method = catalogue.method(of: command)
      Self.add(command, method, to: &observations)
    }
    names = observations.keys.sorted()
    self.observations = names.compactMap { observations[$0] }
  }

  /// Passes on all events of these types from now on.
  ///
  /// - Parameters:
  ///   - port: The port through which they are observed.
  ///   - take: Called with each event.
  func observe(_ port: ViewPort, _ take: @escaping Taker) {
    for observe in observations { observe(port, take) }
  }

  // MARK: Shapes

  private static func add<C: Command>(
    _ command: C.Type,
    _ method: String,
    to observations: inout [String: Observation]
  ) {
    let isParted = C().partedCommand != nil
    observations[C.name] = { port, take in
      port.on(C.self) { event, turn in
        take(
          ObservedEvent(C.name, turn) { json in
            json.object { json in
              json.member("method", method)
              json.member("subject", event.subject)
            }
          }
        )
      }
    }
    // Several commands can have one type of reply.
    guard observations[C.Reply.name] == nil else { return }
    observations[C.Reply.name] = { port, take in
      port.on(C.Reply.self) { event, turn in
        take(
          ObservedEvent(C.Reply.name, turn) { json in
            json.object { write(event, isParted, to: &$0) }
          }
        )
      }
    }
  }

  /// A list that can be long is omitted: a client requests it.
  private static func write<R: Response>(
    _ reply: R,
    _ isParted: Bool,
    to json: inout JSONWriter
  ) where R.Value: CommandResult, R.Problem == Failure {
    switch reply.result {
    case .failure(let failure):
      json.key("error")
      json.object { failure.write(to: &$0) }
    case .success where isParted:
      json.member("subject", reply.subject)
    case .success(let value):
      json.key("result")
      value.write(to: &json)
    }
  }

  private static func observation<E: WireEvent>(of type: E.Type) -> Observation {
    { port, take in
      port.on(type) { event, turn in
        take(ObservedEvent(E.name, turn) { event.write(to: &$0) })
      }
    }
  }
}

/// An event that was delivered, and is not written yet.
struct ObservedEvent: Sendable {
  private let envelope: Envelope
  private let origin: String
  private let type: String
  private let body: @Sendable (inout JSONWriter) -> Void

  /// Stores everything but the content of the event.
  init(
    _ type: String,
    _ turn: borrowing ViewTurn,
    _ body: @escaping @Sendable (inout JSONWriter) -> Void
  ) {
    envelope = turn.envelope
    origin = turn.originName
    self.type = type
    self.body = body
  }

  /// Returns the event in its wire form.
  func written() -> EventLog.Entry {
    var json = JSONWriter()
    json.object { json in
      json.member("seq", Int64(clamping: envelope.sequence))
      json.member("cause", envelope.cause.map { Int64(clamping: $0) })
      json.member("root", envelope.root.description)
      json.member("origin", origin)
      json.member("time", envelope.time.iso8601)
      json.member("type", type)
      json.key("body")
      body(&json)
    }
    return .init(sequence: envelope.sequence, type: type, root: envelope.root, json: json.bytes)
  }
}
