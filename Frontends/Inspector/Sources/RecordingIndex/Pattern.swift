import CSearch
import Foundation

/// A regular expression, in the language of PCRE2; one thread at a time uses it.
final class Pattern {
  /// Why an expression can't be used.
  struct Problem: Error {
    let text: String
    /// Where it is in the expression, in bytes.
    let offset: Int
  }

  private let code: OpaquePointer
  private let data: OpaquePointer?
  private let context: OpaquePointer?

  /// How many steps a match takes at most: an expression that needs more of them matches nothing.
  private static let mostSteps: UInt32 = 1_000_000

  /// Compiles an expression.
  ///
  /// - Throws: A `Problem`.
  init(_ expression: String, ignoresCase: Bool) throws(Problem) {
    var (error, offset): (Int32, Int) = (0, 0)
    // Otherwise all that is searched is checked to be UTF-8, each time.
    let utf = UInt32(PCRE2_UTF) | UInt32(PCRE2_MATCH_INVALID_UTF)
    let options = utf | (ignoresCase ? UInt32(PCRE2_CASELESS) : 0)
    let bytes = Array(expression.utf8)
    let code = bytes.withUnsafeBufferPointer {
      pcre2_compile_8($0.baseAddress, $0.count, options, &error, &offset, nil)
    }
    guard let code else { throw Problem(text: Self.message(of: error), offset: offset) }
    self.code = code
    data = pcre2_match_data_create_8(1, nil)
    context = pcre2_match_context_create_8(nil)
    pcre2_set_match_limit_8(context, Self.mostSteps)
    pcre2_set_heap_limit_8(context, 16384)
    // Without it an expression is interpreted, which takes longer.
    pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE))
  }

  deinit {
    pcre2_match_context_free_8(context)
    pcre2_match_data_free_8(data)
    pcre2_code_free_8(code)
  }

  private static func message(of error: Int32) -> String {
    var text = [UInt8](repeating: 0, count: 256)
    let count = pcre2_get_error_message_8(error, &text, text.count)
    return String(decoding: text.prefix(max(0, Int(count))), as: UTF8.self)
  }

  /// Whether it matches anywhere in some bytes.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return false }
    return pcre2_match_8(code, start, bytes.count, 0, 0, data, context) >= 0
  }
}
