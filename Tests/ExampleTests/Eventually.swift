/// Waits until something is so that another thread brings about and nobody tells of; gives up after twenty
/// seconds, and the test then finds what is wrong.
func eventually(_ isSo: () -> Bool) async {
  let limit = ContinuousClock.now.advanced(by: .seconds(20))
  while !isSo(), ContinuousClock.now < limit { try? await Task.sleep(for: .milliseconds(5)) }
}
