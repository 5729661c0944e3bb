/// Ends the process where an invariant does not hold, so that libFuzzer keeps the input.
///
/// Unlike `precondition`, it says why in a release build, too.
package func require(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
  if !isTrue { fatalError(sentence()) }
}

/// Runs one input of libFuzzer's.
package func fuzz(
  _ start: UnsafePointer<UInt8>?,
  _ count: Int,
  _ check: ([UInt8]) -> Void
) -> CInt {
  check(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
