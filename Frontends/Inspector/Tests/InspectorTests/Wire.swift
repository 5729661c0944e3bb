import Foundation

/// A connection to a server on this machine, on which a test writes what it likes.
final class Wire {
  /// What a server has answered.
  struct Response: Equatable {
    var status = 0
    var headers: [String: String] = [:]
    var body = ""
  }

  private let descriptor: Int32

  /// Connects to a port, and waits for a minute at most whenever it reads.
  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { close(descriptor) }

  /// Writes a text; false if the other side has closed.
  @discardableResult
  func write(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...]
        .withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// Reads what comes next; empty at the end.
  func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Reads until a text has come.
  func read(until text: String) -> String {
    var all: [UInt8] = []
    while !String(decoding: all, as: UTF8.self).contains(text) {
      let part = read()
      guard !part.isEmpty else { break }
      all += part
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// Reads a response; nil if the connection ends before its end.
  func response() -> Response? {
    var bytes: [UInt8] = []
    while true {
      if let response = Self.response(bytes) { return response }
      let part = read()
      guard !part.isEmpty else { return nil }
      bytes += part
    }
  }

  private static func response(_ bytes: [UInt8]) -> Response? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    var response = Response()
    response.status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      response.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    let length = response.headers["content-length"].flatMap { Int($0) } ?? 0
    let rest = bytes[end.upperBound...]
    if response.headers["transfer-encoding"] == "chunked" {
      guard let last = rest.firstRange(of: Array("0\r\n\r\n".utf8)) else { return nil }
      response.body = unchunked(Array(rest[..<last.lowerBound]))
      return response
    }
    guard rest.count >= length else { return nil }
    response.body = String(decoding: rest.prefix(length), as: UTF8.self)
    return response
  }

  private static func unchunked(_ bytes: [UInt8]) -> String {
    var (all, rest) = ([UInt8](), bytes[...])
    while let end = rest.firstRange(of: [13, 10]),
      let count = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16)
    {
      all += rest[end.upperBound...].prefix(count)
      rest = rest[end.upperBound...].dropFirst(count + 2)
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// The secret in an address that the inspector has printed.
  static func token(of address: String) -> String {
    String(address.split(separator: "#token=").last ?? "")
  }

  /// What the page of that address has in the head of its requests.
  static func secret(of address: String) -> [String: String] {
    ["Authorization": "Bearer \(token(of: address))"]
  }

  /// Sends a request on a connection of its own, and returns the response.
  static func ask(
    _ port: Int,
    _ path: String,
    method: String = "GET",
    _ headers: [String: String] = [:],
    body: String = ""
  ) throws -> Response? {
    let wire = try Wire(port: port)
    var all = ["Host": "127.0.0.1:\(port)"].merging(headers) { $1 }
    if !body.isEmpty { all["Content-Length"] = String(body.utf8.count) }
    let lines = all.map { "\($0): \($1)\r\n" }.joined()
    wire.write("\(method) \(path) HTTP/1.1\r\n\(lines)\r\n\(body)")
    return wire.response()
  }
}
