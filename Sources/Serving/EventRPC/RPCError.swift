package import JSONText

/// An error of JSON-RPC: why a request was not carried out.
package struct RPCError: Error, Sendable, Equatable {
  /// The kind of error.
  package var code: Int
  /// What is wrong, in a sentence.
  package var message: String
  /// Details for programs; nil where the code suffices.
  package var data: JSON?

  /// Creates an error.
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
  /// A request before `initialize`.
  package static let notInitialized = -32002
  /// The request failed for a reason without a code of its own.
  package static let requestFailed = -32803
  /// The client cancelled the request.
  package static let requestCancelled = -32800
}
