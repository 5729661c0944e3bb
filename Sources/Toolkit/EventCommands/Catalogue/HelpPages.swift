import EventMVVM
import JSONText

/// The pages of help on everything: by topic, which fits a screen, and all commands.
extension Catalogue {
  /// The words that name a page, apart from commands.
  var pages: [String] {
    var names = [DateHelp.topic]
    for page in helpPages where !names.containsText(page.name) { names.append(page.name) }
    return names + [Self.allPage]
  }
  static let allPage = "all"

  /// Writes the pages with a name, one after the other.
  func showPages(_ name: String, on page: inout Page) {
    if name == DateHelp.topic { return DateHelp.show(on: &page) }
    if name == Self.allPage { return showAll(on: &page) }
    for found in helpPages where found.name == name {
      if !page.bytes.isEmpty { page.endLine() }
      found.show(&page)
    }
  }

  /// Writes the commands that people use daily, by topic, each as an example.
  func showTopics(on page: inout Page) {
    let here = screenSections.filter { screens in
      screens.kind != nil && screens.section.commands.first.map { self[$0.verb] == $0 } ?? false
    }
    let ofScreen = here.flatMap(\.section.commands)
    for screens in here { show(screens.heading, screens.section.commands, on: &page) }
    let anywhere = screenSections.filter { $0.kind == nil }.flatMap(\.section.commands)
    let all = sections.flatMap(\.commands) + anywhere
    var shown: [String] = ofScreen.map { $0.verb }
    for topic in HelpTopic.allCases {
      guard let heading = topic.heading else { continue }
      let commands = all.filter { $0.topic == topic && !shown.containsText($0.verb) }
      shown += commands.map { $0.verb }
      show(heading + ":", commands, on: &page)
    }
    showShorthands(on: &page)
    if let process {
      page.write("Options:", .bold)
      page.endLine()
      page.lines(of: process.flags)
    }
    let pages = self.pages.map { "'help \($0)'" }.joined(by: ", ")
    page.write("'help COMMAND' explains one; \(pages) the rest.")
    page.endLine()
  }

  private func show(_ heading: String, _ commands: [any Command.Type], on page: inout Page) {
    guard !commands.isEmpty else { return }
    page.write(heading, .bold)
    page.endLine()
    page.columns(commands.map { ($0.shortUsage, $0.summary) })
  }

  private func showShorthands(on page: inout Page) {
    let shorthands = shorthands
    guard !shorthands.isEmpty else { return }
    page.write("Views and aliases:", .bold)
    page.endLine()
    page.columns(shorthands.map { ($0.name, $0.summary.isEmpty ? $0.line : $0.summary) })
  }

  /// Writes all commands, those of the process and its options.
  func showAll(on page: inout Page) {
    if let process {
      page.write("\(process.name) [OPTION…] COMMAND [WORD…]", .bold)
      page.endLine()
      page.endLine()
    }
    for section in sections {
      page.columns(section.commands.map { ($0.verb, $0.summary) })
      page.endLine()
    }
    for (place, sections) in screenSections.grouped(by: \.heading) {
      page.write(place)
      page.endLine()
      page.columns(sections.flatMap(\.section.commands).map { ($0.verb, $0.summary) })
      page.endLine()
    }
    if !shorthands.isEmpty {
      showShorthands(on: &page)
      page.endLine()
    }
    if !verbs.isEmpty {
      page.columns(verbs.map { ($0.name, $0.summary) })
      page.endLine()
    }
    if let process {
      process.help(&page)
      page.endLine()
    }
    page.write("'help COMMAND' explains one of them, 'help dates' how dates are written.")
    page.endLine()
  }
}

/// A page of help that is of no command.
package struct HelpPage: Sendable {
  let name: String
  let show: @Sendable (inout Page) -> Void
}

extension Page {
  /// Writes words in lines of at most 78 columns.
  fileprivate mutating func lines(of words: [String]) {
    var column = 0
    for word in words {
      if column + word.count + 1 > 78 {
        endLine()
        column = 0
      }
      write(column == 0 ? "  " : " ")
      write(word, .cyan)
      column += (column == 0 ? 2 : 1) + word.count
    }
    endLine()
  }
}

extension Catalogue.ScreenSection {
  var heading: String { place.prefix(1).uppercased() + place.dropFirst() + ":" }
}

extension Array {
  /// Groups adjacent elements that have the same key.
  fileprivate func grouped<Key: Equatable>(by key: (Element) -> Key) -> [(Key, [Element])] {
    reduce(into: []) { groups, element in
      let key = key(element)
      if groups.last?.0 == key {
        groups[groups.count - 1].1.append(element)
      } else {
        groups.append((key, [element]))
      }
    }
  }
}
