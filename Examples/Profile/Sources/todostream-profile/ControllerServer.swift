import EventMVVM

// The requests of a view model to controllers: neither depends on the other, and synchronous
// answers look like asynchronous ones (S90).

struct RequestUser: ModelEvent, Request, Codable {
  typealias Reply = ResponseUser
  static let writes = false
  let address: String
}

struct ResponseUser: ModelEvent, Response, Decodable {
  let result: Result<User, Failure>
  init(_ result: Result<User, Failure>) { self.result = result }
}

/// Asks for the images at an address, each of which is a ``ResponseImage``.
struct RequestImages: ModelEvent, Request, Codable {
  typealias Reply = ResponseImages
  static let writes = false
  let address: String?
  /// The load that the images belong to.
  let load: UInt64
}

struct ResponseImage: ModelEvent, Codable {
  let load: UInt64
  let picture: Picture
}

/// States that there are no more images.
struct ResponseImages: ModelEvent, Response, Decodable {
  /// The completed load, or the reason why it is incomplete.
  let result: Result<UInt64, Failure>
  init(_ result: Result<UInt64, Failure>) { self.result = result }
}

/// Answers by controllers, off the home thread; the answers are inputs of a recording.
struct ControllerServer: Plugin {
  let name = "controllers"
  private let network: any NetworkController
  private let images: any ImageController

  init(_ network: any NetworkController, _ images: any ImageController) {
    self.network = network
    self.images = images
  }

  func join(_ stream: EventStream) {
    stream.answerAsync(RequestUser.self) { [network] request, held in
      try await held.cancellable { try await network.user(at: request.address) }
    }
    stream.answerAsync(RequestImages.self) { [images] request, held in
      try await held.cancellable {
        try await images.images(at: request.address) {
          held.send(ResponseImage(load: request.load, picture: $0))
        }
      }
      return request.load
    }
  }
}
