package import EventMVVM

extension Failure {
  /// The failure when no thread can be started.
  package static var noThread: Failure {
    Failure(
      .unanswered,
      "The system has no thread to spare: end other programs, or raise the limit of processes ('ulimit -u')."
    )
  }
}
