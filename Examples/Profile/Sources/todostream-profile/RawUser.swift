import EventCommands
import EventMVVM
import EventValues
import JSONText

/// A user in the service's format: the raw model, which only the network controller uses (S88).
struct RawUser: Decodable {
  let full_name: String
  let friends_count: Int
  let avatar_url: String?

  init(_ bytes: [UInt8]) throws(Failure) {
    do {
      self = try BodyDecoder().read(Self.self, from: try JSON(parsing: bytes))
    } catch {
      throw Failure(.service, "The service does not answer with a user.")
    }
  }

  /// Returns the model object.
  func user(from source: String) throws(Failure) -> User {
    let avatar = avatar_url.map { Address.resolve($0, from: source) }
    guard !full_name.isEmpty, full_name.utf8.count <= User.mostBytes,
      (0...User.mostFriends).contains(friends_count), avatar.map(Self.isAvatar) ?? true
    else { throw Failure(.service, "The service answers with a user that can't be.") }
    return User(name: full_name, friends: friends_count, avatar: avatar, source: source)
  }

  private static func isAvatar(_ address: String) -> Bool {
    address.utf8.count <= User.mostAvatarBytes && Address.isPlain(address)
  }
}

extension User {
  static let mostBytes = 4096
  static let mostFriends = 1_000_000_000
  /// The longest address of an image from a service.
  static let mostAvatarBytes = 2048
}

extension Failure.Kind {
  /// The service fails, or sends an invalid answer.
  static let service = Failure.Kind("service")
}
