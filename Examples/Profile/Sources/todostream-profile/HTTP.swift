import EventMVVM
import EventPatterns
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The web over HTTP: the delegate API of `URLSession`, wrapped here and nowhere else (S64).
///
/// A transfer ends with its answer, when nobody wants it any more, when it is larger than it may
/// be, and when its time is over, whether the server is silent, slow or endless.
final class HTTP: Web {
  private let limit: Duration
  private let clock: any Clock<Duration>
  private let transfers = Transfers()
  /// Made when it is needed first: most commands ask nobody.
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

/// What has come of a transfer so far.
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
  /// Where it is called.
  ///
  /// Foundation buffers what comes until the delegate was called with it, without a limit. A queue
  /// of its own gets a thread at once; the pool's may all be busy.
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
  /// What a person can make of it.
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
  /// Whether it is one that can be asked: nobody has the service say which file of ours to read.
  ///
  /// One with a user or a password is not: addresses are kept, listed and recorded as they are.
  static func isPlain(_ address: String) -> Bool {
    guard address.utf8.count <= 4096, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      !namesUser(address), let url = URL(string: address), url.user == nil, url.password == nil
    else { return false }
    return ["http", "https"].contains(url.scheme?.lowercased()) && url.host?.isEmpty == false
  }

  /// Whether a user is named before the host, however a parser may read it.
  private static func namesUser(_ address: String) -> Bool {
    address.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }.contains("@")
  }

  /// What a failure says of an address: neither its query nor its fragment, where tokens stand.
  static func named(_ address: String) -> String {
    String(address.prefix { !"?#".contains($0) })
  }

  /// Why an address is not plain; what may be a password is not repeated.
  static func refusal(of address: String) -> String {
    if address.contains("@") { return "An address of the web has no user and no password here." }
    return "'\(named(address))' is no address of the web."
  }

  /// The address that another one names, seen from there.
  static func resolve(_ address: String, from base: String) -> String {
    URL(string: address, relativeTo: URL(string: base))?.absoluteString ?? address
  }
}
