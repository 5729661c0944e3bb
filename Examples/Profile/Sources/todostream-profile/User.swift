import EventRecords

/// A user, as it is kept: the model object (S88).
struct User: Record {
  var name = ""
  var friends = 0
  /// Where the image is; none, and there is a placeholder.
  var avatar: String?
  /// Where the service tells how the user is now; none, and only the image is loaded anew.
  var source: String?

  var title: String { name }

  static let fields = Fields<Self>("user")
    .field("name", \.name)
    .field("friends", \.friends)
    .field("avatar", \.avatar)
    .field("source", \.source)
}

/// An image, as far as it is told: what it is made of stays in the cache, under its address.
struct Picture: Codable, Sendable, Equatable {
  let width: Int
  let height: Int
  let bytes: Int
}
