import EventMVVM
import Foundation
import Testing

/// An HTTP endpoint on the loopback interface that gives its requests these answers, in turn.
final class Endpoint: Sendable {
  struct Received: Sendable {
    let head: String
    let body: String
  }

  /// What a request is answered with.
  enum Answer: Sendable {
    case status(Int)
    /// A status, and when the request may be made again.
    case busy(Int, retryAfter: String)
    /// A redirect that has the request be made again, as it was.
    case redirect(to: String)
    /// An answer without end.
    case endless
    /// Nothing, for as long as somebody waits.
    case silence
  }

  let port: UInt16
  var url: String { "http://127.0.0.1:\(port)/figures" }
  private let received = Locked<[Received]>([])

  var requests: [Received] { received.withLock { $0 } }

  convenience init(answering statuses: [Int]) throws {
    try self.init(statuses.map { .status($0) })
  }

  init(_ answers: [Answer]) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { place in
        bind(listener, place.baseAddress, length) == 0 && listen(listener, 8) == 0
          && getsockname(listener, place.baseAddress, &length) == 0
      }
    }
    try #require(isOpen)
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [received] in
      for answer in answers {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        let request = Self.read(connection)
        received.withLock { $0.append(request) }
        Self.give(answer, connection)
        close(connection)
      }
      close(listener)
    }
  }

  private static func give(_ answer: Answer, _ connection: Int32) {
    let empty = "Content-Length: 0\r\nConnection: close\r\n\r\n"
    switch answer {
    case .status(let status): send("HTTP/1.1 \(status) Status\r\n\(empty)", connection)
    case .busy(let status, let time):
      send("HTTP/1.1 \(status) Status\r\nRetry-After: \(time)\r\n\(empty)", connection)
    case .redirect(let url):
      send("HTTP/1.1 307 Status\r\nLocation: \(url)\r\n\(empty)", connection)
    case .endless:
      send("HTTP/1.1 200 Status\r\nConnection: close\r\n\r\n", connection)
      let piece = String(repeating: "x", count: 65_536)
      while send(piece, connection) {}
    case .silence:
      var byte: UInt8 = 0
      _ = Foundation.read(connection, &byte, 1)
    }
  }

  /// False once nobody is there any more.
  @discardableResult
  private static func send(_ text: String, _ connection: Int32) -> Bool {
    text.withCString { Glibc.send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) > 0 }
  }

  /// Reads up to the end of the body, whose length stands in the head.
  private static func read(_ connection: Int32) -> Received {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Foundation.read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      let head = String(text[..<end.lowerBound]) + "\r\n"
      let length = head.split(separator: "\r\n")
        .compactMap { line in
          line.hasPrefix("Content-Length: ") ? Int(line.dropFirst(16)) : nil
        }
      let body = text[end.upperBound...]
      if body.utf8.count >= length.first ?? 0 { return Received(head: head, body: String(body)) }
    }
    return Received(head: "", body: "")
  }
}
