#if os(Linux)
  import EventMVVM
  import EventMVVMTesting
  import Foundation

  /// A server of HTTP on the loopback interface, that answers as a test wants, well or badly.
  final class LoopbackServer: Sendable {
    /// What becomes of a request.
    enum Manner: Sendable {
      /// It is answered.
      case page([UInt8], status: Int = 200)
      /// Somebody else is to be asked.
      case elsewhere(String)
      /// So much is promised, and this is all that comes.
      case cut([UInt8], promised: Int)
      /// These bytes, and the end.
      case raw([UInt8])
      /// It is answered with more than a thousand bytes.
      case large
      /// More and more; after 64 MiB nothing, as Foundation keeps all of it until it gets round to
      /// telling.
      case endless
      /// Nothing, until whoever asked goes.
      case silent
    }

    struct Failed: Error {
      let code: Int32
    }

    /// Where it is: `http://127.0.0.1:1234`.
    let base: String
    private let listener: Int32
    private let pages: Locked<[String: Manner]>
    private let asked = Locked<[String]>([])
    private let left = Locked(0)

    /// Begins to listen.
    init(_ pages: [String: Manner] = [:]) throws {
      self.pages = Locked(pages)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let listener = listener
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(listener, address, length) == 0 && listen(listener, 16) == 0
            && getsockname(listener, address, &length) == 0
        }
      }
      guard isBound else { throw Failed(code: errno) }
      base = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
      Thread.detachNewThread { [weak self] in Self.accept(listener) { self } }
    }

    deinit {
      // Whoever waits for a connection is told; it closes.
      shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The paths that were asked for, in order.
    var requests: [String] { asked.withLock { $0 } }
    /// How many have gone without having got an answer.
    var leftCount: Int { left.withLock { $0 } }

    /// Waits until a path was asked for.
    func wait(forRequest path: String) throws {
      try waitUntil("\(path) is asked for", showing: { requests.joined(separator: "\n") }) {
        requests.contains(path)
      }
    }

    /// Waits until so many have gone without an answer.
    func wait(untilLeft count: Int) throws {
      try waitUntil("\(count) have gone without an answer", showing: { "\(leftCount)" }) {
        leftCount == count
      }
    }

    /// Answers from now on in another way.
    func set(_ path: String, _ manner: Manner) { pages.withLock { $0[path] = manner } }

    private static func accept(_ listener: Int32, _ server: @escaping () -> LoopbackServer?) {
      while true {
        let connection = Glibc.accept(listener, nil, nil)
        guard connection >= 0 else { break }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        guard let server = server() else {
          close(connection)
          break
        }
        Thread.detachNewThread { [pages = server.pages, asked = server.asked, left = server.left] in
          defer {
            // Whoever else may have come by it at its beginning: it is over.
            shutdown(connection, Int32(SHUT_RDWR))
            close(connection)
          }
          guard let path = readRequest(connection) else { return }
          asked.withLock { $0.append(path) }
          let manner = pages.withLock { $0[path] } ?? .page([], status: 404)
          if !Self.answer(connection, manner) { left.withLock { $0 += 1 } }
        }
      }
      close(listener)
    }

    /// Reads the head of a request; gives its path.
    private static func readRequest(_ connection: Int32) -> String? {
      var head: [UInt8] = []
      var byte: UInt8 = 0
      while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), head.count < 65_536 {
        guard recv(connection, &byte, 1, 0) == 1 else { return nil }
        head.append(byte)
      }
      return String(decoding: head, as: UTF8.self).split(separator: " ").dropFirst().first
        .map(String.init)
    }

    /// Answers; false if whoever asked has gone before.
    private static func answer(_ connection: Int32, _ manner: Manner) -> Bool {
      switch manner {
      case .page(let bytes, let status):
        return send(connection, head(status, "Content-Length: \(bytes.count)") + bytes)
      case .elsewhere(let address):
        return send(connection, head(302, "Location: \(address)\r\nContent-Length: 0"))
      case .cut(let bytes, let promised):
        return send(connection, head(200, "Content-Length: \(promised)") + bytes)
      case .raw(let bytes):
        return send(connection, bytes)
      case .large:
        return answer(connection, .page(Array(repeating: 0x47, count: 1001)))
      case .endless:
        guard send(connection, head(200, "Content-Type: image/gif")) else { return false }
        for _ in 0..<64 << 8 where !send(connection, Array(repeating: 0x47, count: 4096)) {
          return false
        }
        return answer(connection, .silent)
      case .silent:
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) == 1 {}
        return false
      }
    }

    private static func head(_ status: Int, _ field: String) -> [UInt8] {
      Array("HTTP/1.1 \(status) So\r\nConnection: close\r\n\(field)\r\n\r\n".utf8)
    }

    private static func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
#endif
