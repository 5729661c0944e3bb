import EventCommands
import EventMVVM

/// The contents of a profile, which views show without a conversion (S87).
struct ProfileDisplay: Sendable, Equatable, Encodable {
  let id: Int
  /// In upper case.
  let name: String
  let friends: String
  let avatar: Avatar
  let isRefreshing: Bool
  /// The reason why there is no image, or no newer one.
  let problem: String?
  /// The exit status of a process whose command has loaded the image.
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

/// The users, with their names.
struct UsersDisplay: Sendable, Equatable, Codable {
  let users: [Row]

  struct Row: Sendable, Equatable, Codable {
    let id: Int
    let name: String
    let friends: Int
  }
}
