import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves the page and the answers on this machine.
struct InspectorServer: Sendable {
  private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

  private let routes: InspectorRoutes
  private let companion: Companion
  /// The most connections at a time; a browser has six to a server.
  private static let mostConnections = 64
  /// How much of a file is sent at once, in bytes.
  private static let portion = 1 << 18
  /// How often it is checked whether more is read, in milliseconds.
  private static let pause = 200
  /// After how many checks without a change a line is sent, so that a closed connection is noticed.
  private static let patience = 10

  /// - Parameters:
  ///   - routes: The answers.
  ///   - companion: Learns which pages are open.
  init(_ routes: InspectorRoutes, _ companion: Companion) {
    self.routes = routes
    self.companion = companion
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for a free one.
  ///   - ready: Called with the address that opens the page.
  /// - Throws: Why the port can't be used.
  func run(port: Int, ready: (String) -> Void) async throws {
    let limit = ConnectionLimit(most: Self.mostConnections)
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(limit)
          try pipeline.configureHTTPServerPipeline()
          try pipeline.addHandler(RequestLimits())
          return try Connection(wrappingChannelSynchronously: channel)
        }
      }
    let access = Access(port: channel.channel.localAddress?.port ?? port)
    ready(access.address)
    try await withThrowingDiscardingTaskGroup { group in
      try await channel.executeThenClose { connections in
        for try await connection in connections {
          group.addTask { await serve(connection, access, limit) }
        }
      }
    }
  }

  private func serve(
    _ connection: Connection,
    _ access: Access,
    _ limit: ConnectionLimit
  ) async {
    // A connection that fails does not affect others.
    try? await connection.executeThenClose { inbound, outbound in
      var head: HTTPRequestHead?
      var body: [UInt8] = []
      for try await part in inbound {
        switch part {
        case .head(let new): (head, body) = (new, [])
        case .body(let part): body += part.readableBytesView
        case .end:
          guard let head else { return }
          let decision = access.decide(head)
          if decision == .granted { limit.accept(connection.channel) }
          try await send(
            await answer(InspectorRequest(head, body), decision),
            outbound,
            keepsAlive: head.isKeepAlive
          )
          guard head.isKeepAlive else { return }
        }
      }
    }
  }

  private func answer(_ request: InspectorRequest, _ decision: Access.Decision) async -> Answer {
    switch decision {
    case .refused:
      return Self.refusal
    case .isForPage:
      return request.method == .GET ? PageFile.named(request.path) ?? Self.refusal : Self.refusal
    case .granted:
      // Answers read files, and wait for searches.
      return await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: routes.answer(request)) }
      }
    }
  }

  private static let refusal =
    Answer.text("Open the address that the program has printed.\n", .forbidden)

  // MARK: Sending

  private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

  private func send(_ answer: Answer, _ writer: Writer, keepsAlive: Bool) async throws {
    var head = answer.head
    if !keepsAlive { head.headers.replaceOrAdd(name: "Connection", value: "close") }
    switch answer.body {
    case .bytes(let bytes):
      head.headers.add(name: "Content-Length", value: String(bytes.count))
      try await writer.write(.head(head))
      try await writer.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
    case .file(let path):
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      try await writer.write(.head(head))
      while let data = try file.read(upToCount: Self.portion), !data.isEmpty {
        try await writer.write(.body(.byteBuffer(ByteBuffer(bytes: data))))
      }
    case .updates:
      try await writer.write(.head(head))
      try await sendUpdates(writer)
    }
    try await writer.write(.end(nil))
  }

  /// Sends how much is read, a line of JSON whenever that has changed; an empty line if it hasn't for a while.
  ///
  /// A page that does not read causes no delay: the next line is
  /// written once it has room for it, and tells what is so then.
  private func sendUpdates(_ writer: Writer) async throws {
    companion.open()
    defer { companion.close() }
    var (told, silence): ([UInt8], Int) = ([], 0)
    while !Task.isCancelled {
      let json = routes.progress
      if json != told || silence == Self.patience {
        let line = (json == told ? [] : json) + [UInt8(ascii: "\n")]
        try await writer.write(.body(.byteBuffer(ByteBuffer(bytes: line))))
        (told, silence) = (json, 0)
      }
      silence += 1
      try await Task.sleep(for: .milliseconds(Self.pause))
    }
  }
}
