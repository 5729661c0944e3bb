// Lists of texts that need no escapes in JSON, as nearly all are: read and written without JSON's
// parser and writer.

extension StoredValue {
  /// The JSON of a list of texts; nil if one of them has anything but printable ASCII, or an
  /// escape.
  init?(plainTexts texts: [String]) {
    guard !texts.isEmpty else {
      self = .text("[]")
      return
    }
    var count = 1
    for text in texts {
      guard text.utf8.allSatisfy(Self.isPlain) else { return nil }
      count += text.utf8.count + 3
    }
    self = .text(
      String(unsafeUninitializedCapacity: count) { bytes in
        var next = 0
        func put(_ byte: UInt8) {
          bytes[next] = byte
          next += 1
        }
        for text in texts {
          put(next == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
          put(UInt8(ascii: "\""))
          for byte in text.utf8 { put(byte) }
          put(UInt8(ascii: "\""))
        }
        put(UInt8(ascii: "]"))
        return next
      }
    )
  }

  /// The texts of a list; nil if it is no list, or one of them has anything but printable ASCII, or
  /// an escape.
  var plainTexts: [String]? {
    guard case .text(let text) = self else { return nil }
    let texts = text.utf8.withContiguousStorageIfAvailable { bytes -> [String]? in
      guard bytes.count >= 2, bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]")
      else { return nil }
      var texts: [String] = []
      // The end of the list, and the beginning of the next text.
      let end = bytes.count - 1
      var index = 1
      while index < end {
        guard bytes[index] == UInt8(ascii: "\"") else { return nil }
        let start = index + 1
        index = start
        while index < end, Self.isPlain(bytes[index]) { index += 1 }
        guard index < end, bytes[index] == UInt8(ascii: "\"") else { return nil }
        texts.append(String(decoding: bytes[start..<index], as: UTF8.self))
        index += 1
        guard index < end else { break }
        // There is no comma at the end.
        guard bytes[index] == UInt8(ascii: ","), index + 1 < end else { return nil }
        index += 1
      }
      return texts
    }
    return texts ?? nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
