import EventCommands
import EventRPC
import JSONText

// The methods of the lifecycle, as in the Language Server Protocol. Their effect depends on the
// phase of the session, which therefore implements them.

/// Begins the session.
struct Initialize: ServerMethod {
  static let spec = CommandSpec<Self>(
    "initialize",
    "Begins the session; the first request. Anything else that editors send is ignored."
  )
  .option(\.processId, "The client's process: the session ends with it")
  .option(\.asks, "A `question` of a command is shown to a person; unless so, such a command fails")

  static var schema: JSON { spec.schema.skippingUnknown }

  var processId: Int?
  var asks = false

  /// Reads the parameters in use; editors send many more.
  init(_ params: JSON) throws(CommandError) {
    switch params {
    case .null, .object: break
    case .array(let items) where items.isEmpty: break
    default: throw CommandError("expected an object, found \(params.kind)", path: "")
    }
    switch params["processId"] {
    case nil, .null?: break
    case let value?:
      if let number = value.wholeNumber {
        processId = Int(number)
        break
      }
      throw CommandError(
        "/processId: expected an integer or null, found \(value.found)",
        field: "processId",
        path: "/processId"
      )
    }
    switch params["asks"] {
    case nil, .null?: break
    case .bool(let value)?: asks = value
    case let value?:
      throw CommandError(
        "/asks: expected a boolean, found \(value.found)",
        field: "asks",
        path: "/asks"
      )
    }
  }

  init() {}

  func perform(_ call: IncomingCall, _ session: Session) {}
}

/// States that the client has read the answer to `initialize`.
struct Initialized: ServerMethod {
  static let isNotification = true
  static let spec = CommandSpec<Self>(
    "initialized",
    "The client is ready. It is part of the lifecycle; an observer says so that it has subscribed to all "
      + "that it wants."
  )

  static func serve(_ call: IncomingCall, _ session: Session) {
    if !refuseRequest(call) { session.noteReady() }
  }

  func perform(_ call: IncomingCall, _ session: Session) {}
}

/// Describes what is served, so that a client can check that it is connected to the right process.
struct DescribeSession: ServerMethod {
  static let spec = CommandSpec<Self>(
    "session/describe",
    "Says what is served: the `program`, its `version`, the real path of its `store`, the `plugins` that are on, out "
      + "of those that can be switched, and whether what a person would be asked is answered by `yes`."
  )

  func perform(_ call: IncomingCall, _ session: Session) {
    guard let responder = call.responder else { return }
    var json = JSONWriter()
    json.value(session.options.description)
    responder.succeed(json.bytes)
  }
}

/// Ends the work of the session.
struct Shutdown: ServerMethod {
  static let spec = CommandSpec<Self>(
    "shutdown",
    "Ends the work: answered once everything that was asked before is answered and stored. What waits for "
      + "a person is cancelled."
  )

  func perform(_ call: IncomingCall, _ session: Session) {
    session.shutDown(call)
  }
}

/// Ends the session, and its process if it serves only this session.
struct Exit: ServerMethod {
  static let isNotification = true
  static let spec = CommandSpec<Self>(
    "exit",
    "Ends the session, and over standard input the process: with status 0 after a shutdown, once that is answered, "
      + "else at once and with 1."
  )

  static func serve(_ call: IncomingCall, _ session: Session) {
    if !refuseRequest(call) { session.peer.end() }
  }

  func perform(_ call: IncomingCall, _ session: Session) {}
}
