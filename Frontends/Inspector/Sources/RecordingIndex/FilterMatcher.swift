import Foundation

/// Tests the events of a recording; one thread at a time uses it.
struct FilterMatcher {
  private struct Step {
    let test: Filter.Test
    let isInverse: Bool
    var pattern: Pattern?
    /// The outcome for types or origins that were tested before, by their index.
    var known: [Bool?] = []
    /// The roots of the session among the wanted ones.
    var roots: Set<RootKey> = []
  }

  /// Tests of the envelope, which are cheap.
  private var envelope: [Step] = []
  /// Tests of the line.
  private var line: [Step] = []
  /// Whether the line is needed.
  var needsLine: Bool { !line.isEmpty }
  /// Whether the line is needed in lower case.
  let needsLowercase: Bool

  init(_ filter: Filter, _ contents: RecordingContents) {
    for word in filter.words {
      var step = Step(test: word.test, isInverse: word.isInverse)
      switch word.test {
      case .text, .member:
        line.append(step)
      case .pattern(let expression, let ignoresCase):
        step.pattern = try? Pattern(expression, ignoresCase: ignoresCase)
        line.append(step)
      case .roots(let names):
        step.roots = Set(names.compactMap { UInt64($0) }.map { RootKey(rawValue: $0) })
        envelope.append(step)
      default:
        envelope.append(step)
      }
    }
    needsLowercase = line.contains { if case .text = $0.test { true } else { false } }
  }

  /// Whether the envelope fits.
  mutating func fits(_ event: EventEntry, _ contents: RecordingContents) -> Bool {
    for index in envelope.indices
    where fits(event, contents, &envelope[index]) == envelope[index].isInverse { return false }
    return true
  }

  private func fits(
    _ event: EventEntry,
    _ contents: RecordingContents,
    _ step: inout Step
  ) -> Bool {
    switch step.test {
    case .types(let names):
      return remember(Int(event.type), &step) {
        let name = contents.types[Int(event.type)].name
        return names.contains { Self.fits(name, $0) }
      }
    case .layers(let layers):
      return remember(Int(event.type), &step) {
        layers.contains(contents.types[Int(event.type)].layer?.rawValue ?? "none")
      }
    case .kinds(let kinds):
      return remember(Int(event.type), &step) {
        contents.types[Int(event.type)].kind.map { kinds.contains($0) } ?? false
      }
    case .origins(let names):
      return remember(Int(event.origin), &step) {
        names.contains(contents.origins[Int(event.origin)].name)
      }
    case .roots(let names):
      guard let index = event.root.externalIndex else { return step.roots.contains(event.root) }
      return names.contains(contents.externalRoots[index])
    case .sequences(let range): return range.contains(event.sequence)
    case .marks(let marks): return marks.contains { event.marks.contains($0) }
    case .text, .pattern, .member: return true
    }
  }

  private func remember(_ index: Int, _ step: inout Step, _ fits: () -> Bool) -> Bool {
    while step.known.count <= index { step.known.append(nil) }
    if let known = step.known[index] { return known }
    let result = fits()
    step.known[index] = result
    return result
  }

  /// Whether a name is that of a pattern in which `*` stands for any characters.
  static func fits(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return name == pattern }
    var rest = Substring(name)
    guard rest.hasPrefix(parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }

  /// Whether the line fits.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - bytes: The line.
  ///   - lowercase: The line in lower case, if it is needed so.
  /// - Returns: Whether it fits.
  func fits(
    _ event: EventEntry,
    line bytes: UnsafeRawBufferPointer,
    lowercase: UnsafeRawBufferPointer
  ) -> Bool {
    // The checksum at the end is no part of the event.
    let end = max(Int(event.name), bytes.count - 20)
    let body =
      event.body > 0
      ? UnsafeRawBufferPointer(rebasing: bytes[Int(event.body)..<max(Int(event.body), end)])
      : UnsafeRawBufferPointer(start: nil, count: 0)
    return line.allSatisfy { step in
      let fits: Bool
      switch step.test {
      case .text(let needle):
        let text = UnsafeRawBufferPointer(rebasing: lowercase[Int(event.name)..<end])
        fits = text.find(needle) != nil
      case .pattern: fits = step.pattern?.matches(body) ?? false
      case .member(let forms): fits = forms.contains { Self.hasMember($0, body) }
      default: fits = true
      }
      return fits != step.isInverse
    }
  }

  /// Whether a body has a member with its value.
  private static func hasMember(_ member: [UInt8], _ body: UnsafeRawBufferPointer) -> Bool {
    var start = 0
    while let place = body.find(member, from: start) {
      let end = place + member.count
      // A number can be the beginning of another one.
      let isWhole = end >= body.count || [UInt8(ascii: ","), UInt8(ascii: "}")].contains(body[end])
      // A quote in a text is escaped.
      if isWhole, place == 0 || body[place - 1] != UInt8(ascii: "\\") { return true }
      start = place + 1
    }
    return false
  }
}
