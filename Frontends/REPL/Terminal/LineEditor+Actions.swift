import CEditLine
import EventCommands
import EventValues
import Foundation

/// The actions of keys that libedit does not implement alone.
extension LineEditor {
  func act(_ action: ce_action) -> ce_result {
    switch action {
    case CE_ACCEPT: accept()
    case CE_NEWLINE: edit { _ in insert("\n") }
    case CE_INTERRUPT: end(.interrupted)
    case CE_SUSPEND: edit { _ in stop(group: true) }
    case CE_QUIT: quit()
    case CE_END: endOrDelete()
    case CE_CLEAR: clear()
    case CE_SEARCH: search()
    case CE_COMPLETE: complete()
    case CE_PASTE: paste()
    case CE_UP: vertical(line.above, CE_OLDER)
    case CE_DOWN: vertical(line.below, CE_NEWER)
    case CE_FORWARD: forward()
    case CE_FORWARD_WORD: forwardWord()
    case CE_BACK: back()
    case CE_LINE_END: lineEnd()
    case CE_LINE_START: move(to: line.lineStart)
    case CE_DELETE_PREVIOUS: deletePrevious()
    case CE_DELETE_NEXT: deleteNext()
    default: CE_REFUSED
    }
  }

  private func edit(_ body: (EditedLine) -> Void) -> ce_result {
    body(line)
    return CE_DONE
  }

  // MARK: Ending

  private func accept() -> ce_result {
    var text = line.text
    guard assistant.isComplete(text) else { return edit { _ in insert("\n") } }
    while text.utf8.last == UInt8(ascii: "\n") { text.unicodeScalars.removeLast() }
    return end(.text(text))
  }

  private func end(_ entry: Entry) -> ce_result {
    outcome = entry
    return CE_ENDED
  }

  private func endOrDelete() -> ce_result {
    line.scalars.isEmpty ? end(.end) : deleteNext()
  }

  private func quit() -> ce_result {
    screen.paint(painter.leave())
    ce_die(SIGQUIT)
    return CE_DONE
  }

  // MARK: Moving

  private func move(to place: Int) -> ce_result {
    edit { ce_move(libedit, Int32(place - $0.cursor)) }
  }

  private func forward() -> ce_result {
    let line = line
    guard line.isAtEnd else { return move(to: line.endOfCharacter(at: line.cursor)) }
    return take(hint)
  }

  private func forwardWord() -> ce_result {
    guard line.isAtEnd, !hint.isEmpty else { return edit { _ in ce_call(libedit, CE_NEXT_WORD) } }
    let blanks = hint.prefix { $0 == " " }
    return take(String(blanks + hint.dropFirst(blanks.count).prefix { $0 != " " }))
  }

  private func back() -> ce_result {
    let line = line
    guard line.cursor > 0 else { return CE_REFUSED }
    return move(to: line.startOfCharacter(at: line.cursor - 1))
  }

  private func lineEnd() -> ce_result {
    let line = line
    guard line.isAtEnd else { return move(to: line.lineEnd) }
    return hint.isEmpty ? CE_DONE : take(hint)
  }

  private func vertical(_ place: Int?, _ history: ce_builtin) -> ce_result {
    if let place { return move(to: line.startOfCharacter(at: place)) }
    return edit { _ in ce_call(libedit, history) }
  }

  /// The text in grey after the line.
  private var hint: String {
    guard hasColor, line.isAtEnd, !line.scalars.isEmpty else { return "" }
    return String(assistant.hint(line.text).prefix { !$0.isNewline })
  }

  private func take(_ hint: String) -> ce_result {
    guard !hint.isEmpty else { return CE_REFUSED }
    return edit { _ in insert(hint) }
  }

  // MARK: Deleting

  private func deletePrevious() -> ce_result {
    let line = line
    guard line.cursor > 0 else { return CE_REFUSED }
    return edit { ce_delete(libedit, Int32($0.cursor - $0.startOfCharacter(at: $0.cursor - 1))) }
  }

  private func deleteNext() -> ce_result {
    let line = line
    guard !line.isAtEnd else { return CE_REFUSED }
    let count = Int32(line.endOfCharacter(at: line.cursor) - line.cursor)
    ce_move(libedit, count)
    ce_delete(libedit, count)
    return CE_DONE
  }

  // MARK: The screen

  private func clear() -> ce_result {
    painter.invalidate()
    screen.paint(Array("\u{1B}[H\u{1B}[2J".utf8))
    return CE_DONE
  }

  // MARK: Pasting

  /// Inserts pasted text unchanged, with its lines: they run when the entry is accepted.
  private func paste() -> ce_result {
    var bytes = input.takePasted()
    while bytes == nil {
      // The mark at the end can get lost; the pasted text must not.
      guard readMore(within: 2000) else {
        bytes = input.takeAll()
        break
      }
      bytes = input.takePasted()
    }
    var text = Self.text(of: bytes ?? []).replacing("\r\n", with: "\n")
    text = text.replacing("\r", with: "\n")
    while text.last == "\n" { text.removeLast() }
    return edit { _ in insert(text) }
  }

  /// Returns the text in bytes, without those that are no UTF-8.
  private static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let scalar): text.unicodeScalars.append(scalar)
      case .emptyInput: return text
      case .error: continue
      }
    }
  }

  // MARK: Completing

  private func complete() -> ce_result {
    let line = line
    let text = line.textToCursor
    let completion = assistant.complete(text)
    guard let first = completion.candidates.first else { return CE_REFUSED }
    let begun = String(decoding: text.utf8.suffix(completion.replaced), as: UTF8.self)
    var common = first.word
    for candidate in completion.candidates.dropFirst() {
      common = common.commonPrefix(with: candidate.word, options: .literal)
    }
    if completion.candidates.count == 1 {
      // Behind the colon of a field its value follows.
      let endsWord = completion.endsWord && common.utf8.last != UInt8(ascii: ":")
      replace(begun, by: common + (endsWord ? " " : ""))
      return CE_DONE
    }
    if common.unicodeScalars.count > begun.unicodeScalars.count { replace(begun, by: common) }
    view.menu = CandidateMenu(candidates: completion.candidates)
    return CE_DONE
  }

  private func replace(_ begun: String, by word: String) {
    ce_delete(libedit, Int32(begun.unicodeScalars.count))
    insert(word)
  }

  // MARK: Searching

  /// Searches the history while a pattern is typed; a key with another function ends it.
  private func search() -> ce_result {
    let entries = history.entries
    var search = EntryView.Search(line: line)
    while true {
      view.search = search
      let key = next()
      guard key >= 0 else { break }
      switch key {
      case 0x12: search.find(in: entries, from: (search.found ?? entries.count) - 1, by: -1)
      case 0x13: search.find(in: entries, from: (search.found ?? -1) + 1, by: 1)
      case 0x08, 0x7F:
        guard !search.pattern.isEmpty else { continue }
        search.pattern.removeLast()
        search.find(in: entries, from: entries.count - 1, by: -1)
      case 0x07:
        view.search = nil
        return CE_DONE
      // Never U+0080 to U+009F, which `KeyInput` replaces.
      case 0x20...:
        search.pattern.unicodeScalars.append(Unicode.Scalar(UInt32(key)) ?? "\u{FFFD}")
        search.find(in: entries, from: search.found ?? entries.count - 1, by: -1)
      default:
        view.search = nil
        input.unread(key)
        return edit { _ in show(search) }
      }
    }
    view.search = nil
    return CE_DONE
  }

  private func show(_ search: EntryView.Search) {
    guard search.found != nil else { return }
    let line = line
    ce_move(libedit, Int32(line.scalars.count - line.cursor))
    ce_delete(libedit, Int32(line.scalars.count))
    insert(search.line.text)
    ce_move(libedit, Int32(search.line.cursor - search.line.scalars.count))
  }
}

extension EntryView.Search {
  /// Searches for the pattern, and stays in place if it is not found.
  mutating func find(in entries: [String], from start: Int, by step: Int) {
    hasFailed = false
    guard !pattern.isEmpty else { return }
    var index = start
    while entries.indices.contains(index) {
      if let offset = Self.offset(of: pattern, in: entries[index]) {
        found = index
        let before = String(decoding: entries[index].utf8.prefix(offset), as: UTF8.self)
        line = EditedLine(entries[index], cursor: before.unicodeScalars.count)
        return
      }
      index += step
    }
    hasFailed = true
  }

  /// Returns the bytes before a pattern; its ASCII letters in lower case match both cases.
  ///
  /// By bytes: ten thousand entries are searched between two keys.
  private static func offset(of pattern: String, in entry: String) -> Int? {
    let isExact = pattern.utf8.contains { (0x41...0x5A).contains($0) }
    var (pattern, entry) = (pattern, entry)
    return pattern.withUTF8 { pattern in
      entry.withUTF8 { entry in
        guard entry.count >= pattern.count else { return nil }
        return (0...entry.count - pattern.count)
          .first { start in
            for index in 0..<pattern.count {
              let byte = entry[start + index]
              let isUpper = !isExact && byte >= 0x41 && byte <= 0x5A
              guard (isUpper ? byte | 0x20 : byte) == pattern[index] else { return false }
            }
            return true
          }
      }
    }
  }
}
