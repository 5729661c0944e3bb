import EventMVVM
import EventPatterns
import JSONText

/// A user as the service writes it: the raw model, which nobody sees but the network controller (S88).
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

  /// The model object that it means.
  func user(from source: String) throws(Failure) -> User {
    guard !full_name.isEmpty, full_name.utf8.count <= User.mostBytes,
      (0...User.mostFriends).contains(friends_count)
    else { throw Failure(.service, "The service answers with a user that can't be.") }
    let avatar = avatar_url.map { Address.resolve($0, from: source) }
    return User(name: full_name, friends: friends_count, avatar: avatar, source: source)
  }
}

extension User {
  static let mostBytes = 4096
  static let mostFriends = 1_000_000_000
}

extension Failure.Kind {
  /// A service fails, or says what it should not.
  static let service = Failure.Kind("service")
}
