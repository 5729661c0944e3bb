package import EventCommands
import EventMVVM
import EventRPC
import JSONText

/// The reference of a server's methods and notifications, in Markdown: generated from the catalogue
/// and from the declarations that are served, so that both always agree.
package struct ServerManual {
  /// A method, a notification or an error.
  package struct Entry: Sendable {
    /// Its name, or its code.
    package let name: String
    /// Its description, with its heading.
    package let text: String
  }

  private let catalogue: Catalogue

  /// Creates the reference of a server with these commands.
  package init(_ catalogue: Catalogue) {
    self.catalogue = catalogue
  }

  /// The methods of the server itself, then the commands in the order of help, those for screens
  /// last.
  package var methods: [Entry] {
    serverMethods.map { $0.entry }
      + (catalogue.commands + catalogue.screenCommands)
      .map { $0.entry(named: catalogue.method(of: $0)) }
  }

  /// The notifications of the server.
  package var notifications: [Entry] {
    let changes = catalogue.wire.changes.map {
      Entry(
        $0.notification,
        """
        Something has changed, by anyone: another process, another editor, oneself. What changes within
        20 milliseconds is told as one, for each origin.

        - `revision`: the last of the changes made the store this old.
        - `ids`: the numbers of what has changed; `null` if there are more than 10 000.
        - `origin`: whose change it was, such as `cli` or `jsonrpc`.
        """
      )
    }
    return changes + catalogue.wire.sessionNotices.map { Entry($0.notification, $0.summary) }
      + Self.fixedNotifications
  }

  /// The codes of errors, protocol first.
  package var errors: [Entry] { Self.protocolErrors + RPCError.codes.compactMap(Self.entry) }

  /// The names of the states that can be watched, with their descriptions.
  package var states: String {
    catalogue.wire.stateSummaries.map { "- `\($0.name)`: \($0.summary)" }
      .joined(separator: "\n")
  }
}

extension ServerManual.Entry {
  /// Creates an entry with its heading.
  fileprivate init(_ name: String, _ text: String) {
    self.init(name: name, text: "### `\(name)`\n\n\(text)\n")
  }

  /// Returns the entry of a method with its parameters.
  fileprivate static func method(_ name: String, _ summary: String, _ schema: JSON) -> Self {
    var text = "\(summary)\n"
    if case .object(let properties)? = schema["properties"], !properties.isEmpty {
      text += "\n| Parameter | |\n|---|---|\n"
      for property in properties {
        let summary =
          if case .string(let text)? = property.value["description"] { text } else { "" }
        text += "| `\(property.name)` | \(summary) |\n"
      }
    }
    text += "\n```json\n\(schema)\n```"
    return Self(name, text)
  }
}

extension ServerMethod {
  fileprivate static var entry: ServerManual.Entry {
    let remark = isNotification ? "A notification." : "A request."
    return .method(spec.name, "\(spec.summary) \(remark)", schema)
  }
}

extension Command {
  fileprivate static func entry(named name: String) -> ServerManual.Entry {
    let remark = writes ? "It writes." : "It only reads."
    let schema = command.schema.addingProperty(
      Progress.parameter,
      ["type": ["integer", "string"], "description": "Under which to tell how far it is"]
    )
    return .method(name, "\(command.summary) \(remark)", schema)
  }
}

extension ServerManual {
  private static let fixedNotifications = [
    Entry(
      "notice",
      """
      Something is wrong that nobody asked about, such as a store that was moved away: `level` is `error`,
      or `warning` where something works, but not for all that it should, or not for long, as the former name
      of a method; `message` is for a person.
      """
    ),
    Entry(
      "state/changed",
      """
      A state that was asked for with `state/subscribe`: at once, and whenever it is another. Of a state that
      is read by a request, such as what is stored, what changes within 200 milliseconds of an answer is looked at
      once, at their end; of others each change is told, unless the client does not read: the last value always
      comes. `null` says that nothing has that state, as no screen with it is on top.
      """
    ),
    Entry(
      "events/append",
      """
      Events of a `subscription`, in their order. Each has `seq`, its number; `cause`, the number of the
      event that it follows from, if any; `root`, the intent that started it all, the same across
      processes; `origin`, whose intent that was; `time`; `type`; and `body`. That of a request has its
      `method` and `subject`, that of a reply `result` or `error`, or the `subject` alone where the result
      is a list. Numbers rise, and leave out what no view sees. What other processes change has a root of
      this one, `elsewhere` as its origin, and says in its body whose it was.
      """
    ),
    Entry(
      "events/overflow",
      """
      The client has not read for so long that the `subscription` is over: more than
      \(SessionOptions.defaultMaxQueuedEvents) events wait or, for an observer, the first of them are not kept any
      more. `events/subscribe` with `next` as `from` goes on, without a gap as long as the events are kept: the
      last \(EventLog.mostEntries), or \(EventLog.mostBytes) bytes of them. `missed` is how many events of
      the subscription are lost: 0 where there is no gap, `null` where nobody knows.
      """
    ),
    Entry(
      "live/changed",
      """
      How the rows of a list differ that a `subscription` of `live/subscribe` follows, to be made in their order:
      `{"kind": "row", "record": …, "after": ID}` comes behind that row, or is the first for `null`, and is no longer where it was;
      `{"kind": "gone", "id": ID}`; `{"kind": "head", "revision": N}` ends what belongs to a change; after
      `{"kind": "reset"}` all rows follow anew. A client that does not read for a while is told less in between, and misses nothing
      of what is there at last.
      """
    ),
    Entry(
      "$/progress",
      """
      How far a request has come that had a `\(Progress.parameter)` among its parameters: `begin`, at most
      ten `report`s a second, `end`, as in the Language Server Protocol.
      """
    ),
  ]

  private static let protocolErrors = [
    Entry(
      "\(RPCError.parseError)",
      """
      No JSON by RFC 8259, or no frame. The id is that of the request where it can be made out; else, or where
      there are two, it is null.
      """
    ),
    Entry("\(RPCError.invalidRequest)", "JSON, but no request, or none at this time."),
    Entry("\(RPCError.methodNotFound)", "No such method; a plugin that is off has none."),
    Entry(
      "\(RPCError.invalidParams)",
      """
      Parameters that the method does not have, of another type, or by position. `data` has `path`, a JSON
      pointer, and `field` where the method has one of that name. A command that would ask a person is refused so, too, unless the server was
      started with `--yes`.
      """
    ),
    Entry("\(RPCError.notInitialized)", "Something was asked for before `initialize`."),
    Entry("\(RPCError.requestCancelled)", "The client has cancelled the request."),
    Entry(
      "\(RPCError.requestFailed)",
      "Too much was asked for: a result of more than \(FrameReader.longestMessage) bytes, or more than "
        + "\(EventFeed.mostSubscriptions) subscriptions."
    ),
  ]

  /// Returns the entry of a kind of failure; nil where the protocol has a code for it.
  private static func entry(_ kind: Failure.Kind, _ code: Int) -> Entry? {
    guard code > 0 else { return nil }
    let meaning =
      switch kind {
      case .validation: "A value breaks a rule: `data` has the `field`."
      case .notFound: "There is no such thing: `data` has `field`, and `id` where it is a number."
      case .ambiguous: "It could be several things."
      case .conflict:
        """
        Somebody else has changed the same `field` since `expectedRevision`. `data` has both values as \
        they are in JSON, `expected` and `actual`, and the `id`.
        """
      case .store: "The store can't be used. `retryable` says whether it may work a moment later."
      case .unanswered: "Nobody answers the request: a plugin has gone."
      default: ""
      }
    return Entry("\(code)", "`\(kind.name)`. \(meaning)")
  }
}

extension JSON {
  /// Returns the schema of an object with one more property.
  fileprivate func addingProperty(_ name: String, _ schema: JSON) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        guard member.name.isIdentical(to: "properties"),
          case .object(let properties) = member.value
        else { return member }
        return .init(member.name, .object(properties + [.init(name, schema)]))
      }
    )
  }

  /// The schema of an object that may have other properties, which are ignored.
  var skippingUnknown: JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !$0.name.isIdentical(to: "additionalProperties") })
  }
}
