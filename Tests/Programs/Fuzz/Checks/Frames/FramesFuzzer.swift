import EventMVVM
import EventRPC
import JSONText

/// Any bytes as what a client of the server sends.
func checkFrames(_ bytes: [UInt8]) {
  let whole = found(in: [bytes])
  require(whole.count <= bytes.count + 1, "more was found than bytes came")
  checkPieces(bytes, whole)
  checkLines(bytes)
  for case .message(let message) in whole { check(message) }
}

/// Everything that is found in pieces that come one after the other.
private func found(in pieces: [[UInt8]]) -> [FrameReader.Found] {
  var reader = FrameReader()
  var found: [FrameReader.Found] = []
  for piece in pieces {
    reader.append(piece)
    while let next = reader.next() { found.append(next) }
  }
  if let last = reader.end() { found.append(last) }
  require(reader.next() == nil, "something is found behind the end")
  return found
}

/// However the bytes are cut, they mean the same.
private func checkPieces(_ bytes: [UInt8], _ whole: [FrameReader.Found]) {
  require(found(in: bytes.map { [$0] }) == whole, "byte by byte it is something else")
  for size in [2, 3, 7, 16, 64] where size < bytes.count {
    let pieces = stride(from: 0, to: bytes.count, by: size)
      .map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    require(found(in: pieces) == whole, "in pieces of \(size) it is something else")
  }
}

/// Among lines, whatever comes before, the next line is read.
private func checkLines(_ bytes: [UInt8]) {
  var reader = FrameReader()
  reader.append(bytes)
  while reader.next() != nil {}
  guard reader.framing == .lines else { return }
  reader.append(Array("\n[7]\n".utf8))
  var last: FrameReader.Found?
  while let next = reader.next() { last = next }
  require(last == .message(Array("[7]".utf8)), "a line is lost behind what came before")
}

/// What is read from a message is written the same, and what is refused says why.
private func check(_ message: [UInt8]) {
  guard let json = try? JSON(parsing: message) else { return }
  let items = if case .array(let items) = json { items } else { [json] }
  for item in items {
    switch RPCMessage(item) {
    case .answer: require(item["method"] == nil, "a call is taken for an answer")
    case .invalid(let error, let id):
      require(
        error.code == RPCError.invalidRequest,
        "an invalid message has the code \(error.code)"
      )
      checkAnswer(id) { $0.fail(error) }
    case .call(let method, _, let id):
      require(item["method"] == .string(method), "another method is called")
      guard let id else {
        require(item["id"] == nil, "a request is taken for a notification")
        continue
      }
      let answer = checkAnswer(id) { $0.succeed(Array("true".utf8)) }
      require(answer["id"] == item["id"], "the id comes back as another one")
    }
  }
}

/// Keeps an answer.
private final class KeptAnswer: AnswerSink {
  let answer = Locked<[UInt8]>([])

  func take(_ answer: [UInt8], _ id: RPCID, isFollowed: Bool) {
    self.answer.withLock { $0 = answer }
  }

  func release() {}
}

/// An answer is strict JSON on one line.
@discardableResult
private func checkAnswer(_ id: RPCID, _ body: (Responder) -> Void) -> JSON {
  let kept = KeptAnswer()
  body(Responder(id, kept))
  let answer = kept.answer.withLock { $0 }
  let text = String(decoding: answer, as: UTF8.self)
  requireJSON(text, "an answer")
  require(!answer.contains(0x0A), "an answer has two lines")
  return (try? JSON(parsing: answer)) ?? .null
}
