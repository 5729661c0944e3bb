public import EventMVVM

extension ViewPort {
  /// Binds a source of what a person does, such as the taps of a button, to the events that it
  /// means (S109): their observers depend on no control.
  ///
  /// - Parameters:
  ///   - source: What the control reports, in its order.
  ///   - event: The event that an element means.
  /// - Throws: What the source throws; returns when it ends or the task is cancelled.
  public func send<Source: AsyncSequence, E: ViewModelEvent>(
    each source: Source,
    as event: (Source.Element) -> E
  ) async throws {
    for try await element in source { send(event(element)) }
  }
}
