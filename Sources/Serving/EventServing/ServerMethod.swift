import EventCommands
import EventRPC
import EventValues
import JSONText

/// A method that is no command: its parameters by name, and its action.
protocol ServerMethod: Sendable {
  /// Its name, summary and parameters.
  static var spec: CommandSpec<Self> { get }
  /// Whether it is called without an id, and not answered.
  static var isNotification: Bool { get }
  /// Handles a call.
  static func serve(_ call: IncomingCall, _ session: Session)
  /// The JSON schema of its parameters.
  static var schema: JSON { get }
  /// Creates the method with its default parameters.
  init()
  /// Performs it.
  ///
  /// - Parameters:
  ///   - call: The call, to answer.
  ///   - session: The session of the call.
  /// - Throws: An error of the parameters.
  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError)
}

extension ServerMethod {
  static var isNotification: Bool { false }
  static var name: String { spec.name }
  static var schema: JSON { spec.schema }

  /// Refuses a request where only a notification makes sense.
  ///
  /// - Returns: Whether it was one.
  @discardableResult
  static func refuseRequest(_ call: IncomingCall) -> Bool {
    guard isNotification, let responder = call.responder else { return false }
    let problem = "'\(spec.name)' is a notification: it has no id."
    responder.fail(RPCError(RPCError.invalidRequest, problem))
    return true
  }

  /// Reads the parameters, and performs the method.
  static func serve(_ call: IncomingCall, _ session: Session) {
    guard !refuseRequest(call) else { return }
    do throws(CommandError) {
      var method = Self()
      try spec.read(call.params, into: &method)
      try method.perform(call, session)
    } catch {
      call.responder?.fail(RPCError(error))
    }
  }
}

/// The methods of the server itself, in the order of the reference.
let serverMethods: [any ServerMethod.Type] = [
  Initialize.self, Initialized.self, DescribeSession.self, Shutdown.self, Exit.self,
  CancelRequest.self,
  ListStates.self, SubscribeState.self, UnsubscribeState.self,
  SubscribeEvents.self, UnsubscribeEvents.self, ReadEvents.self,
  SubscribeLive.self, UnsubscribeLive.self,
  RunLine.self, CompleteLine.self,
]

/// Cancels a request whose work has not begun.
struct CancelRequest: ServerMethod {
  static let isNotification = true
  var id = CallReference()
  static let spec = CommandSpec<Self>(
    "$/cancelRequest",
    "Cancels a request: it is answered with −32800, unless its work is done."
  )
  .option(\.id, "The request's id")

  func perform(_ call: IncomingCall, _ session: Session) {
    if let id = id.id { session.calls.cancel(id) }
  }
}

/// The id of a request, as a parameter.
struct CallReference: CommandValue {
  private(set) var id: RPCID?

  init() {}

  init(word: String) throws(ValueError) {
    id = RPCID(.string(word))
  }

  init(json: JSON) throws(ValueError) {
    guard let id = RPCID(json) else {
      throw ValueError("expected a string or a number, found \(json.kind)")
    }
    self.id = id
  }

  static var shape: ValueShape {
    ValueShape("ID", schema: ["anyOf": [["type": "integer"], ["type": "string"]]])
  }
}
