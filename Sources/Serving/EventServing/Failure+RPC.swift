import EventCommands
import EventMVVM
import EventRPC
import JSONText

extension RPCMessage {
  /// Returns the notification of a failure, for a person, through a program.
  static func notice(_ failure: Failure, _ level: TroubleLevel) -> [UInt8] {
    notification("notice") { json in
      json.member("level", level.rawValue)
      json.member("message", failure.message)
    }
  }
}

extension RPCError {
  /// Creates the error of an application's failure, whose kinds have positive codes.
  init(_ failure: Failure) {
    var data: [JSON.Member] = [.init("kind", .string(failure.kind.name))]
    if let field = failure.field { data.append(.init("field", .string(field))) }
    if let id = failure.id { data.append(.init("id", .integer(Int64(id)))) }
    if let expected = failure.expected { data.append(.init("expected", expected.json)) }
    if let actual = failure.actual { data.append(.init("actual", actual.json)) }
    if failure.kind == .store { data.append(.init("retryable", .bool(failure.isRetryable))) }
    let code = Self.codes.first { $0.kind == failure.kind }?.code ?? Self.requestFailed
    self.init(code, failure.message, data: .object(data))
  }

  /// Creates the error of invalid parameters, with the position of the fault.
  init(_ error: CommandError) {
    var data: [JSON.Member] = [.init("kind", .string(Failure.Kind.usage.name))]
    if let field = error.field { data.append(.init("field", .string(field))) }
    data.append(.init("path", .string(error.path ?? "")))
    self.init(Self.invalidParams, error.message, data: .object(data))
  }

  /// The codes of the application's failures.
  static let codes: [(kind: Failure.Kind, code: Int)] = [
    (.validation, 1), (.notFound, 2), (.ambiguous, 3), (.conflict, 4), (.store, 5),
    (.unanswered, 6), (.cancelled, requestCancelled), (.usage, invalidParams),
  ]
}
