import EventMVVM
import EventPatterns
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The web over HTTP, which wraps the delegate API of `URLSession` (S64).
///
/// A transfer ends with its answer, when it is cancelled, when it is too large, and when its time
/// is over, whether the server is silent, slow or endless.
final class HTTP: Web {
  private let limit: Duration
  private let clock: any Clock<Duration>
  private let transfers = Transfers()
  /// Made at the first use: most commands need no server.
  private let session = Locked<URLSession?>(nil)

  init(within limit: Duration = .seconds(20), clock: any Clock<Duration> = ContinuousClock()) {
    (self.limit, self.clock) = (limit, clock)
  }

  deinit { session.withLock { $0 }?.invalidateAndCancel() }

  func bytes(at address: String, atMost most: Int) async throws -> [UInt8] {
    guard Address.isPlain(address), let url = URL(string: address) else {
      throw Failure(.service, Address.refusal(of: address))
    }
    do {
      return try await Callback.wait(within: limit, clock: clock) { callback in
        let task = started().dataTask(with: url)
        transfers.begin(task, Transfer(callback, most))
        callback.onCancel { [weak task] in task?.cancel() }
        task.resume()
      }
    } catch  where error.kind == .unanswered {
      throw Failure(.service, "\(Address.named(address)): There was no answer in time.")
    } catch {
      throw Failure(error.kind, "\(Address.named(address)): \(error.message)")
    }
  }

  private func started() -> URLSession {
    session.withLock { session in
      if let session { return session }
      let configuration = URLSessionConfiguration.ephemeral
      configuration.urlCache = nil
      configuration.httpCookieStorage = nil
      let calls = OperationQueue()
      calls.underlyingQueue = transfers.queue
      let made = URLSession(configuration: configuration, delegate: transfers, delegateQueue: calls)
      session = made
      return made
    }
  }
}

/// The state of a transfer.
private struct Transfer {
  let callback: Callback<[UInt8]>
  let most: Int
  var bytes: [UInt8] = []

  init(_ callback: Callback<[UInt8]>, _ most: Int) {
    self.callback = callback
    self.most = most
  }
}

/// The delegate of all transfers.
private final class Transfers: NSObject, URLSessionDataDelegate {
  /// The queue on which it is called.
  ///
  /// Foundation buffers data until the delegate has been called with it, without a limit. A queue
  /// of its own gets a thread at once; those of the pool may all be busy.
  let queue = DispatchQueue(label: "web")
  private let byTask = Locked<[Int: Transfer]>([:])

  func begin(_ task: URLSessionTask, _ transfer: Transfer) {
    byTask.withLock { $0[task.taskIdentifier] = transfer }
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    let isLarge = byTask.withLock { byTask in
      byTask[dataTask.taskIdentifier].map { response.expectedContentLength > Int64($0.most) }
    }
    if status != 200 {
      fail(dataTask, "The server answers with \(status).")
    } else if isLarge == true {
      fail(dataTask, "There is too much of it.")
    }
    completionHandler(status == 200 && isLarge == false ? .allow : .cancel)
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let isPlain = request.url.map { Address.isPlain($0.absoluteString) } ?? false
    completionHandler(isPlain ? request : nil)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLarge = byTask.withLock { byTask in
      guard var transfer = byTask.removeValue(forKey: dataTask.taskIdentifier) else { return false }
      transfer.bytes += data
      byTask[dataTask.taskIdentifier] = transfer
      return transfer.bytes.count > transfer.most
    }
    guard isTooLarge else { return }
    fail(dataTask, "There is too much of it.")
    dataTask.cancel()
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    let transfer = byTask.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard let transfer else { return }
    if let error {
      transfer.callback(.failure(Failure(.service, error.words)))
    } else {
      transfer.callback(.success(transfer.bytes))
    }
  }

  private func fail(_ task: URLSessionTask, _ words: String) {
    let transfer = byTask.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    transfer?.callback(.failure(Failure(.service, words)))
  }
}

extension Error {
  /// The message for a person.
  fileprivate var words: String {
    switch (self as? URLError)?.code {
    case .cannotConnectToHost: "Nobody answers there."
    case .cannotFindHost, .dnsLookupFailed: "There is no such host."
    case .timedOut: "There was no answer in time."
    case .httpTooManyRedirects: "The server leads elsewhere, again and again."
    case .networkConnectionLost, .badServerResponse, .cannotParseResponse, .unsupportedURL,
      .unknown:
      "The connection was cut, or what came makes no sense."
    default: localizedDescription
    }
  }
}

/// Addresses of the web.
enum Address {
  /// Whether it is a permitted address of the web: none makes the service read a local file.
  ///
  /// An address with a user or a password is not allowed: addresses are stored, listed and recorded
  /// unchanged.
  static func isPlain(_ address: String) -> Bool {
    guard address.utf8.count <= 4096, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !namesUser(address), let url = URL(string: address), url.user == nil, url.password == nil
    else { return false }
    return ["http", "https"].contains(url.scheme?.lowercased()) && url.host?.isEmpty == false
  }

  /// Whether a user precedes the host, in any way of parsing.
  private static func namesUser(_ address: String) -> Bool {
    address.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }.contains("@")
  }

  /// Returns the address for a failure: without query and fragment, which may contain tokens.
  static func named(_ address: String) -> String {
    String(address.prefix { !"?#".contains($0) })
  }

  /// Returns the reason why an address is not allowed, without a possible password.
  static func refusal(of address: String) -> String {
    if address.contains("@") { return "An address of the web has no user and no password here." }
    return "'\(named(address))' is no address of the web."
  }

  /// Returns the address that another one contains, relative to that.
  static func resolve(_ address: String, from base: String) -> String {
    URL(string: address, relativeTo: URL(string: base))?.absoluteString ?? address
  }
}
