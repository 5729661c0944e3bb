import EventCommands
import EventMVVM

/// What a profile shows, as views bind to it, untransformed (S87).
struct ProfileDisplay: Sendable, Equatable, Encodable {
  let id: Int
  /// In upper case.
  let name: String
  let friends: String
  let avatar: Avatar
  let isRefreshing: Bool
  /// Why there is no image, or nothing newer.
  let problem: String?
  /// How a process ends whose command has loaded an image, and shows what there is without it.
  var exitStatus = ExitStatus.success

  private enum CodingKeys: CodingKey {
    case id, name, friends, avatar, isRefreshing, problem
  }

  struct Avatar: Sendable, Equatable, Encodable {
    let kind: Kind
    let address: String?
    let width: Int?
    let height: Int?
    let bytes: Int?
  }

  enum Kind: String, Sendable, Encodable {
    case placeholder, image, error
  }
}

/// The users there are, with their names as they are kept.
struct UsersDisplay: Sendable, Equatable, Encodable {
  let users: [Row]

  struct Row: Sendable, Equatable, Encodable {
    let id: Int
    let name: String
    let friends: Int
  }
}
