package import EventCommands
package import EventMVVM

/// Says that an observer is not doing what it should, or not observing any more.
package struct ResponseObserverTrouble: ViewModelEvent, Codable {
  /// Which program, and what to do.
  package let failure: Failure
}

extension ResponseObserverTrouble: TroubleNotice {}

extension ResponseObserverTrouble: Announcement {
  package func announce(on page: inout Page) {
    page.write(user: failure.message, .red)
    page.endLine()
  }
}
