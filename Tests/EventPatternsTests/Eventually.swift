/// Waits until something is so that another thread brings about and nobody tells of; gives up after twenty
/// seconds, or as many looks, where others keep the processor, and the test then finds what is wrong.
func eventually(_ isSo: () -> Bool) async {
  for _ in 0..<4000 where !isSo() { try? await Task.sleep(for: .milliseconds(5)) }
}
