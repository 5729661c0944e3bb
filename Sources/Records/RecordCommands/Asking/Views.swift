import JSONText
import EventCommands
import EventMVVM
package import EventRecords
package import EventValues

// Filters with names: `@today` of a declaration, or of the user's configuration.

/// The views of the user's configuration, by the kinds of their records.
///
/// A request keeps those that it names, so that a recording does not depend on the file.
package enum ConfiguredViews {
  private static let shared = Locked<Lazily<[String: [NamedFilter]]>?>(nil)

  /// Sets where they are read, when they are needed first; called before anything else is.
  package static func read(from source: @escaping @Sendable () -> [String: [NamedFilter]]) {
    shared.withLock { $0 = Lazily(source) }
  }

  static func views(of kind: String) -> [NamedFilter] {
    shared.withLock { $0 }?.value[kind] ?? []
  }
}

extension CommandRecord {
  /// The views of its records; those of the configuration first.
  static var views: [NamedFilter] {
    let configured = ConfiguredViews.views(of: kind)
    return configured
      + commands.views.filter { view in !configured.contains { $0.name == view.name } }
  }

  /// The words that stand for lists of what the views find.
  static var shorthands: [Shorthand] {
    guard let list = commands.verb(of: .list) else { return [] }
    return views.map { view in
      let words = [list, "@" + view.name].map { Word(text: $0, offset: 0, isBare: true) }
      return Shorthand(view.name, for: words, view.filter)
    }
  }

  /// Checks a view or a context of the configuration.
  ///
  /// - Throws: What is wrong with its name or its filter.
  package static func check(_ view: NamedFilter) throws(ValueError) {
    guard view.name.isViewName else {
      throw ValueError(
        "'\(view.name.quotable)' is no name; it has small letters, digits and hyphens, and is not 'last' or 'none'"
      )
    }
    let vocabulary = filterVocabulary
    guard let node = try vocabulary.filter(try vocabulary.words(of: view.filter)) else {
      throw ValueError("its filter is empty")
    }
    var views = [view]
    try vocabulary.note(viewsIn: node, in: &views)
    _ = try vocabulary.filter(["@" + view.name], views) { _ in false }
  }
}

extension String {
  /// Whether a view can have this name.
  var isViewName: Bool {
    guard let first = utf8.first, (0x61...0x7A).contains(first), utf8.count <= 64 else {
      return false
    }
    return !isIdentical(to: "last") && !isIdentical(to: "none") && utf8.allSatisfy(\.isOfName)
  }
}

extension FilterVocabulary {
  /// Returns the filter of a view; nil if there is none of that name.
  func view(_ name: String) -> String? { views().first { $0.name == name }?.filter }

  /// Notes the views that a filter names, and those that these name.
  ///
  /// - Throws: Why one of them can't be read.
  func note(viewsIn node: FilterNode, in views: inout [NamedFilter]) throws(ValueError) {
    for case .view(let name) in node.terms(withNegated: true) {
      guard !views.contains(where: { $0.name == name }), let filter = view(name) else { continue }
      views.append(NamedFilter(name, filter))
      let vocabulary = with(views: self.views())
      do throws(ValueError) {
        let node = try vocabulary.filter(try vocabulary.words(of: filter))
        if let node { try note(viewsIn: node, in: &views) }
      } catch {
        throw ValueError("the view '\(name.quotable)': \(error.message)")
      }
    }
  }

  /// Reads a filter, in which the views that it names are replaced by what they say.
  ///
  /// - Parameters:
  ///   - words: Its words.
  ///   - views: The views that were noted when it was read.
  ///   - isOfSession: Whether a name is that of a record, which comes first.
  /// - Returns: The filter; nil without words.
  /// - Throws: What is wrong with it.
  func filter(
    _ words: [String],
    _ views: [NamedFilter],
    isOfSession: (String) -> Bool
  ) throws(ValueError) -> FilterNode? {
    guard !views.isEmpty else { return try filter(words) }
    let ofLists = with(views: views)
    var vocabulary = ofLists
    vocabulary.isForChanges = isForChanges
    guard let node = try vocabulary.filter(words) else { return nil }
    var expansion = ViewExpansion(vocabulary: ofLists)
    let expanded = try expansion.expanded(node, within: [], isOfSession)
    guard expanded.depth <= FilterLimits.depth else {
      throw ValueError("with its views it is more than \(FilterLimits.depth) levels deep")
    }
    return expanded
  }
}

/// The replacement of views by what they say.
private struct ViewExpansion {
  let vocabulary: FilterVocabulary
  private var count = 0

  init(vocabulary: FilterVocabulary) { self.vocabulary = vocabulary }

  /// How many views stand within one another, at most.
  private static var depth: Int { 4 }

  mutating func expanded(
    _ node: FilterNode,
    within names: [String],
    _ isOfSession: (String) -> Bool
  ) throws(ValueError) -> FilterNode {
    switch node {
    case .not(let node): return .not(try expanded(node, within: names, isOfSession))
    case .view(let node): return .view(try expanded(node, within: names, isOfSession))
    case .all(let nodes): return .all(try expanded(nodes, within: names, isOfSession))
    case .any(let nodes): return .any(try expanded(nodes, within: names, isOfSession))
    case .term(.view(let name)):
      guard !isOfSession(name) else { return .term(.records([.named(name)])) }
      return .view(try expanded(name, within: names, isOfSession))
    case .term:
      count += 1
      guard count <= FilterLimits.mostTerms else {
        throw ValueError(
          "with its views it has more than \(FilterLimits.mostTerms) terms; ask for less"
        )
      }
      return node
    }
  }

  private mutating func expanded(
    _ nodes: [FilterNode],
    within names: [String],
    _ isOfSession: (String) -> Bool
  ) throws(ValueError) -> [FilterNode] {
    var expanded: [FilterNode] = []
    for node in nodes { expanded.append(try self.expanded(node, within: names, isOfSession)) }
    return expanded
  }

  private mutating func expanded(
    _ name: String,
    within names: [String],
    _ isOfSession: (String) -> Bool
  ) throws(ValueError) -> FilterNode {
    guard !names.containsText(name) else {
      throw ValueError("the view '\(name.quotable)' contains itself")
    }
    guard names.count < Self.depth else {
      throw ValueError("more than \(Self.depth) views stand within one another")
    }
    guard let filter = vocabulary.view(name),
      let node = try vocabulary.filter(try vocabulary.words(of: filter))
    else { throw ValueError("there is no view '\(name.quotable)'") }
    return try expanded(node, within: names + [name], isOfSession)
  }
}

extension FilterNode {
  /// How many operators stand within one another.
  fileprivate var depth: Int {
    switch self {
    case .term: return 0
    case .view(let node): return node.depth
    case .not(let node): return node.depth + 1
    case .all(let nodes), .any(let nodes):
      var depth = 0
      for node in nodes { depth = max(depth, node.depth) }
      return depth + 1
    }
  }
}
