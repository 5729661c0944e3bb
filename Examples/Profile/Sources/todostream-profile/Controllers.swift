import EventMVVM

/// Loads the present values of a user: sends the user, and completes (S94).
protocol NetworkController: Sendable {
  func user(at address: String) async throws -> User
}

/// Loads images: from the cache, then over the network, and completes; fails if the network fails
/// (S94).
protocol ImageController: Sendable {
  /// Loads the images at an address, at most two of them; none without an address.
  func images(at address: String?, _ take: @escaping @Sendable (Picture) -> Void) async throws
}

/// The contents of addresses in a network.
protocol Web: Sendable {
  /// Returns the contents of an address, up to a number of bytes.
  func bytes(at address: String, atMost limit: Int) async throws -> [UInt8]
}

/// Stores images by their addresses.
protocol ImageCache: Sendable {
  func image(at address: String) -> [UInt8]?
  func keep(_ image: [UInt8], at address: String)
}

struct WebNetworkController: NetworkController {
  let web: any Web

  func user(at address: String) async throws -> User {
    try RawUser(try await web.bytes(at: address, atMost: 1 << 20)).user(from: address)
  }
}

struct WebImageController: ImageController {
  let web: any Web
  let cache: any ImageCache

  func images(at address: String?, _ take: @escaping @Sendable (Picture) -> Void) async throws {
    guard let address else { return }
    if let known = cache.image(at: address) { take(try Picture(known)) }
    let image = try await web.bytes(at: address, atMost: 8 << 20)
    take(try Picture(image))
    cache.keep(image, at: address)
  }
}
