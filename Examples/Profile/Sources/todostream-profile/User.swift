import EventRecords

/// A stored user: the model object (S88).
struct User: Record {
  var name = ""
  var friends = 0
  /// The address of the image; without one there is a placeholder.
  var avatar: String?
  /// The address of the user at the service; without one a refresh loads only the image.
  var source: String?

  var title: String { name }

  static let fields = Fields<Self>("user")
    .field("name", \.name)
    .field("friends", \.friends)
    .field("avatar", \.avatar)
    .field("source", \.source)
}

/// The description of an image: its bytes stay in the cache, under its address.
struct Picture: Codable, Sendable, Equatable {
  let width: Int
  let height: Int
  let bytes: Int
}
