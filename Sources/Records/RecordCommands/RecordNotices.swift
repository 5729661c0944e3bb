public import EventCommands
import EventMVVM
public import EventRecords
import EventValues
public import JSONText

// What people and programs are told of records while they do something else.

extension RecordServer {
  /// The notices to people and programs, apart from changes.
  public static let notices: [any TroubleNotice.Type] = [
    ResponseUnreadableRecords.self, ResponseStoreTrouble.self,
  ]
  /// The same notices for people: converting one list to the other would search conformances when
  /// the process starts.
  public static let announcements: [any Announcement.Type] = [
    ResponseUnreadableRecords.self, ResponseStoreTrouble.self, ResponseStoreRecovery.self,
  ]

  /// The notifications to programs about records.
  ///
  /// - Parameter change: The notification of changes.
  /// - Returns: The declaration with that and the other notices.
  public static func wire(_ change: any ChangeNotice.Type) -> Wire {
    var wire = Wire(changes: [change], notices: notices)
    wire.events = [ResponseStoreTrouble.self, ResponseStoreRecovery.self]
    wire.cells = [.reconnecting]
    if change == ResponseChangedRecords.self { wire.events.append(ResponseChangedRecords.self) }
    return wire
  }
}

extension ResponseChangedRecords: ChangeNotice, Announcement, WireEvent {
  /// The JSON-RPC method of the notification.
  public static let notification = "records/changed"

  /// The records as the change left them, each with what it made of it and of which fields.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("by", externalOrigin)
      json.key("changes")
      shown.write(to: &json)
    }
  }

  /// Writes a line for each of the first few: whether it was added, removed or changed (S45).
  public func announce(on page: inout Page) {
    page.announce(items, by: externalOrigin) { item, page in
      page.writeMark(was: item.wasThere, is: item.isThere)
      page.write("#\(item.number) ", .dim)
      page.write(user: item.title)
      page.endLine()
    }
  }
}

extension Page {
  /// Writes a line for each of the first few changes, behind the name of the other frontend that made them.
  mutating func announce<Change>(
    _ changes: [Change],
    by origin: String?,
    _ write: (Change, inout Page) -> Void
  ) {
    for change in changes.prefix(3) {
      if let origin {
        self.write(user: origin, .dim)
        self.write(" ")
      }
      write(change, &self)
    }
    guard changes.count > 3 else { return }
    self.write("  … and \(changes.count - 3) more", .dim)
    endLine()
  }

  /// Writes whether a record was added, removed or changed (S45).
  mutating func writeMark(was: Bool, is isThere: Bool) {
    if !was { return write("+ ", .green) }
    isThere ? write("~ ", .yellow) : write("- ", .red)
  }
}

extension ResponseUnreadableRecords: TroubleNotice, Announcement {
  /// A warning, as the readable records are returned.
  public var level: TroubleLevel { .warning }
}

extension ResponseStoreTrouble: TroubleNotice, Announcement, WireEvent {
  /// A warning where it is tried again, as after a lost connection.
  public var level: TroubleLevel { failure.isRetryable ? .warning : .error }

  /// Writes the failure.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("error")
      json.object { failure.write(to: &$0) }
    }
  }
}

extension ResponseStoreRecovery: Announcement, WireEvent {
  /// Says so in a line.
  public func announce(on page: inout Page) {
    page.write("The store can be read again.", .green)
    page.endLine()
  }

  /// Writes an object without members.
  public func write(to json: inout JSONWriter) { json.object { _ in } }
}
