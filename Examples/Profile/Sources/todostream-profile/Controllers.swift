import EventMVVM

/// Finds out how a user is now: sends the user, and completes (S94).
protocol NetworkController: Sendable {
  func user(at address: String) async throws -> User
}

/// Finds images: in the cache, then over the network, and completes; fails where the network does
/// (S94).
protocol ImageController: Sendable {
  /// Finds the images at an address, at most two of them; none where there is no address.
  func images(at address: String?, _ take: @escaping @Sendable (Picture) -> Void) async throws
}

/// What is where, over a network.
protocol Web: Sendable {
  /// What is at an address, if it is no more than so many bytes.
  func bytes(at address: String, atMost limit: Int) async throws -> [UInt8]
}

/// Keeps images by their address.
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
