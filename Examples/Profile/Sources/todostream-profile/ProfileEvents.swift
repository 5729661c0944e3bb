import EventCommands
import EventMVVM
import EventRecords
import EventValues
import RecordCommands

// The requests of views, and the events that they observe.

/// A request whose reply is the contents of a profile.
protocol ProfileCommand: Command where Reply == ResponseView<ProfileDisplay> {}

/// A request whose reply is the list of users.
protocol UsersCommand: Command where Reply == ResponseView<UsersDisplay> {}

struct RequestAddUser: UsersCommand, Codable {
  var name = ""
  var friends = Count(0)
  var avatar: String?
  var source: String?
  static let command = CommandSpec<Self>("add", "Adds a user.")
    .text(\.name, "The name")
    .option(\.friends, "How many friends")
    .option(\.avatar, "Where the image is", placeholder: "URL")
    .option(\.source, "Where a service tells how the user is now", placeholder: "URL")
}

struct RequestUsers: UsersCommand, Codable {
  static let writes = false
  static let command = CommandSpec<Self>("list", "Lists the users.")
}

struct RequestRemoveUser: UsersCommand, Codable {
  var id = Target<User>()
  static let command = CommandSpec<Self>("remove", "Removes users.").records(\.id, "Which")
}

/// Shows another user: the view model is swapped, and views bind anew (S92).
///
/// It stores nothing: later commands of a client do not wait for the image.
struct RequestShow: ProfileCommand, Codable {
  static let writes = false
  var id = RecordReference(0)
  static let command = CommandSpec<Self>("show", "Shows a user, and loads the image.")
    .word(\.id, "Which")
}

struct RequestProfile: ProfileCommand, Codable {
  static let writes = false
  static let command = CommandSpec<Self>("profile", "Says what is shown now.")
}

/// An action: there is one run at a time (S91).
struct RequestRefresh: ProfileCommand, Codable {
  var id: RecordReference?
  static let command = CommandSpec<Self>("refresh", "Asks the service how a user is now.")
    .word(\.id, "Which; the one that is shown unless told")
}

/// A host asks the person who views a profile whether it may share it, and is called back (S83).
struct RequestShare: ProfileCommand, Codable {
  static let writes = false
  static let command = CommandSpec<Self>("share", "Asks who sees a profile whether to share it.")
}

/// States that the shown values have changed.
struct ResponseProfileChange: ChangeNotice, Fact, Codable {
  static let notification = "profile/changed"
  let changedIDs: [Int]
  let revision: Int
  var externalOrigin: String? { nil }
  var subject: String? { changedIDs.first.map { "#\($0)" } }
}

extension StateName {
  static let profile = StateName("profile", "What is shown; null while nobody is.")
  /// For an overlay (S84).
  static let loading = StateName(
    "loading",
    "Whether something is being loaded.",
    progress: "loading"
  )
}
