import EventCommands
import EventMVVM
import JSONText

/// The types of events that a client can subscribe to: every command, its reply, and what the catalogue
/// declares besides.
struct EventTypes: Sendable {
  /// Writes the events of a type into a log, and says so each time.
  private typealias Observation = @Sendable (ViewPort, EventLog, @escaping Appended) -> Void
  /// Called on the home thread behind each event.
  typealias Appended = @Sendable () -> Void

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

  /// Writes all events of these types into a log from now on.
  ///
  /// - Parameters:
  ///   - port: Where they are observed.
  ///   - log: Where they are kept.
  ///   - whenAppended: Called behind each.
  func observe(_ port: ViewPort, _ log: EventLog, whenAppended: @escaping Appended) {
    for observe in observations { observe(port, log, whenAppended) }
  }

  // MARK: Shapes

  private static func add<C: Command>(
    _ command: C.Type,
    _ method: String,
    to observations: inout [String: Observation]
  ) {
    let isParted = C().partedCommand != nil
    observations[C.name] = { port, log, whenAppended in
      port.on(C.self) { event, turn in
        log.append(event, turn) { json in
          json.object { json in
            json.member("method", method)
            json.member("subject", event.subject)
          }
        }
        whenAppended()
      }
    }
    // Several commands can have one type of reply.
    guard observations[C.Reply.name] == nil else { return }
    observations[C.Reply.name] = { port, log, whenAppended in
      port.on(C.Reply.self) { event, turn in
        log.append(event, turn) { json in
          json.object { write(event, isParted, to: &$0) }
        }
        whenAppended()
      }
    }
  }

  /// A list that can be long is left out: whoever wants it asks for it.
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
    { port, log, whenAppended in
      port.on(type) { event, turn in
        log.append(event, turn) { event.write(to: &$0) }
        whenAppended()
      }
    }
  }
}

extension EventLog {
  /// Takes an event with what it says.
  fileprivate func append<E: ViewModelEvent>(
    _ event: E,
    _ turn: borrowing ViewTurn,
    _ body: (inout JSONWriter) -> Void
  ) {
    let envelope = turn.envelope
    let origin = turn.originName
    var json = JSONWriter()
    json.object { json in
      json.member("seq", Int64(clamping: envelope.sequence))
      json.member("cause", envelope.cause.map { Int64(clamping: $0) })
      json.member("root", envelope.root.description)
      json.member("origin", origin)
      json.member("time", envelope.time.iso8601)
      json.member("type", E.name)
      json.key("body")
      body(&json)
    }
    append(Entry(sequence: envelope.sequence, type: E.name, json: json.bytes))
  }
}
