package import JSONText

/// Why a request was not carried out, as JSON-RPC says it.
package struct RPCError: Error, Sendable, Equatable {
  /// What sort of error it is.
  package var code: Int
  /// What is wrong, in a sentence.
  package var message: String
  /// What a program can make of it; nil where the code says it all.
  package var data: JSON?

  /// Describes an error.
  package init(_ code: Int, _ message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// No JSON, or no message at all.
  package static let parseError = -32700
  /// JSON, but no request, or none at this time.
  package static let invalidRequest = -32600
  /// No such method.
  package static let methodNotFound = -32601
  /// Parameters that the method doesn't have, or of another type.
  package static let invalidParams = -32602
  /// Nothing can be asked before `initialize`.
  package static let notInitialized = -32002
  /// The request failed for a reason that no other code names.
  package static let requestFailed = -32803
  /// The client cancelled the request.
  package static let requestCancelled = -32800
}
