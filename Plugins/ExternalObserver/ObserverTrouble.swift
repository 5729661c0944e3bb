package import EventCommands
package import EventMVVM

/// States that an observer fails, or no longer observes.
package struct ResponseObserverTrouble: ViewModelEvent, Codable {
  /// The program, the problem, and what to do.
  package let failure: Failure
}

extension ResponseObserverTrouble: TroubleNotice {}

extension ResponseObserverTrouble: Announcement {
  package func announce(on page: inout Page) {
    page.write(user: failure.message, .red)
    page.endLine()
  }
}
