/// Ends the process where an invariant does not hold, so that libFuzzer keeps the input.
///
/// Unlike `precondition`, it says why in a release build, too.
package func require(_ isTrue: Bool, _ sentence: @autoclosure () -> String) {
  if !isTrue { fatalError(sentence()) }
}
