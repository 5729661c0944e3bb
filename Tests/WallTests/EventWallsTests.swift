import EventMVVMTesting
import Foundation
import Testing

/// What holds for each event that the product declares, its plugins and its examples included.
@Suite(.hangLimit) struct EventWallsTests {
  /// The types that hold references, and why what is made of them travels all the same.
  private static let inherent: Set = [
    // The snapshot that is read on ends with its last holder; a recording knows it by a number.
    "RecordRest",
    // What a process understands is listed when it is first asked for: it never changes.
    "Catalogue",
  ]

  private let declarations: Declarations

  init() throws {
    declarations = Declarations(try Wall.productSources())
  }

  @Test func `S2 each event begins with Request or Response, under no other name`() throws {
    let events = declarations.types(conformingTo: "Event")
    let names = Set(events.map(\.name))
    let derived = try self.derived()
    let some: Set = [
      "RequestUnit", "ResponseKept", "RequestRecords", "RequestPostpone", "RequestList",
      "RequestUndo", "ResponseObserverTrouble", "RequestReport", "RequestTrace", "RequestPaid",
      "ResponseImage", "RequestAdd", "RequestStreak", "RequestReply",
    ]
    #expect(some.subtracting(names) == [])
    for event in events {
      let name = event.path.last ?? ""
      #expect(
        name.hasPrefix("Request") || name.hasPrefix("Response"),
        "\(event.file): \(event.name)"
      )
      // Its name is that of its result, which is checked below.
      guard !["ResponseView", "ResponseRecordList"].contains(event.name) else { continue }
      // That of a derived command has the name of its record in it: `RequestAddNote`.
      guard !derived.contains(event.name) else { continue }
      #expect(!event.namesItself, "\(event.file): \(event.name) goes by another name")
    }
    var named = 0
    for (name, text) in try Wall.productSources() {
      for match in text.matches(of: /responseName: String\?[^"]{0,60}"(\w+)/) {
        named += 1
        #expect(match.output.1.hasPrefix("Response"), "\(name): \(match.output.1)")
      }
    }
    #expect(named > 5)
  }

  /// The events that follow from a declaration, whose names begin as their types do.
  private func derived() throws -> Set<String> {
    var found: Set<String> = []
    for (file, text) in try Wall.productSources()
    where file.contains("RecordCommands/") || Wall.overRoles.contains(where: file.hasPrefix) {
      let types = text.matches(of: /public struct ((?:Request|Response)\w+)</)
        .map { String($0.output.1) }.filter { $0 != "ResponseRecordList" }
      let named = text.matches(
        of:
          /public static var name: String \{\s*(?:form\.name \?\? |R\.commands\.name\()?"Re(?:quest|sponse)/
      )
      #expect(types.count == named.count || named.isEmpty, "\(file)")
      if !named.isEmpty { found.formUnion(types) }
    }
    #expect(found.count == 23)
    return found
  }

  @Test func `S2 each event is one payload, and a response carries nothing but its result`() {
    for event in declarations.types(conformingTo: "Event") {
      #expect(event.kind == "struct", "\(event.file): \(event.name)")
    }
    let others = declarations.types(conformingTo: "Response")
      .flatMap { type in type.fields.map { "\(type.name).\($0.name)" } }
      .filter { !$0.hasSuffix(".result") }
    // How to read on, where a part was asked for.
    #expect(others.sorted() == ["ResponseRecordList.rest", "ResponseRecords.rest"])
    for response in declarations.types(conformingTo: "Response") {
      #expect(response.fields.contains { $0.name == "result" }, "\(response.name)")
    }
  }

  @Test func `S3 no event carries an object or a closure`() {
    let events = declarations.types(conformingTo: "Event")
    #expect(events.count > 140)
    for event in events + declarations.types(conformingTo: "CommandResult") {
      for reference in declarations.references(in: event, excluding: Self.inherent) {
        Issue.record("\(event.file): \(reference)")
      }
    }
  }

  @Test func `S3 what is left out does hold references`() {
    let events =
      declarations.types(conformingTo: "Event") + declarations.types(conformingTo: "CommandResult")
    let found = Set(events.flatMap { declarations.references(in: $0) })
    #expect(found.contains("RequestRecords.extent.case.source: RecordRest.Source"))
    #expect(found.contains("RequestList.extent.case.source: RecordRest.Source"))
    #expect(found.contains("HelpText.catalogue.words: Lazily"))
  }

  @Test func `references are found however deep they lie`() throws {
    let source = """
      struct RequestDeep<Value: Sendable>: ViewModelEvent, Request {
        typealias Reply = ResponseDeep
        static let shared = Object()
        let parts: [String: Part]
        var count: Int { Object().count }
        private(set) var mode = Mode.none
        let shown: any Shown
        // let old: Object
        enum Mode {
          case none
          case some(Handle, at: Int)
        }
      }
      typealias Handle = Pair<Int>
      private struct Pair<Value>: Equatable
      where Value: Sendable {
        weak var object: Object?
      }
      struct Part {
        let name = "let text: Object"
        let body:
          @Sendable (Int) -> Void
      }
      final class Object: Sendable {
        var count = 0
      }
      protocol Shown {}
      extension Object: Shown {}
      """
    let declarations = Declarations([("Sources/Some/Deep.swift", source)])
    let type = try #require(declarations.types(conformingTo: "Request").first)
    #expect(
      declarations.references(in: type) == [
        "RequestDeep.parts.body: a closure", "RequestDeep.mode.case.object: Object",
        "RequestDeep.shown: Object",
      ]
    )
  }

  @Test func `S10 an observer unwraps no response and casts no event`() throws {
    var observers = 0
    for (name, text) in try Wall.productSources()
    where name != "Sources/Toolkit/EventPatterns/Successes.swift" {
      for closure in Observing.closures(in: text) {
        observers += 1
        if let found = closure.firstMatch(of: Observing.boilerplate) {
          Issue.record("\(name): an observer says '\(found.output)'; see `on(successOf:)`")
        }
      }
    }
    #expect(observers > 40)
  }

  @Test(
    arguments: [
      "if case .success(let value) = response.result { show(value) }",
      "guard case .failure = event.result else { return }",
      "let response = event as? ResponseTodos",
      "let value = try? response.result.get()",
    ])
  func `boilerplate of an observer is seen`(_ line: String) throws {
    let text = "stream.on(ResponseTodos.self, owner: self) { owner, response, turn in\n\(line)\n}"
    let closure = try #require(Observing.closures(in: text).first)
    #expect(closure.contains(Observing.boilerplate))
  }
}

/// What models and view models leave to views, and how large the core may be.
@Suite(.hangLimit) struct LayerWallsTests {
  /// The rooms in which nothing decides how something looks.
  private static let rooms = Wall.rooms.filter {
    $0.hasPrefix("Sources/Todo") || ($0.hasPrefix("Examples/") && $0.contains("/Sources/"))
  }

  /// A colour, a weight, or a way to say either to a terminal.
  private static var look: Regex<Substring> {
    /\.(?:bold|dim|red|green|yellow|cyan)\b|Page\.Style|\\u\{1[bB]\}|\\e\[|\bhasColor\b/
  }

  @Test func `S8 what a view model shows has a meaning, and neither colour nor weight`() throws {
    #expect(Self.rooms.count >= 8)
    for room in Self.rooms {
      for (name, text) in try Wall.texts(of: room) {
        for line in text.split(separator: "\n") {
          if let found = line.firstMatch(of: Self.look) {
            Issue.record("\(name): a view says how it looks, not '\(found.output)'")
          }
        }
      }
    }
  }

  /// The lines of code that the core may have.
  ///
  /// It only falls: a change that takes lines away takes them from here, too, and nothing adds any.
  private static let mostLines = 2499

  @Test func `S17 the core has as many lines as it may have, and that number only falls`() throws {
    let lines = try Wall.texts(of: "Sources/Toolkit/EventMVVM")
      .flatMap { $0.text.split(separator: "\n") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .count { !$0.isEmpty && !$0.hasPrefix("//") }
    #expect(lines <= Self.mostLines)
    #expect(lines > Self.mostLines - 25, "the limit can fall to \(lines)")
    let sizes = try String(
      contentsOf: Wall.package.appending(path: "Tests/Scripts/sizes.txt"),
      encoding: .utf8
    )
    let row = try #require(
      sizes.split(separator: "\n").first { $0.hasPrefix("Sources/Toolkit/EventMVVM ") }
    )
    #expect(try #require(Int(row.split(separator: " ")[1])) <= Self.mostLines)
  }

  @Test func `S17 the core is tied to no library`() throws {
    let imports = try Wall.texts(of: "Sources/Toolkit/EventMVVM")
      .flatMap { ImportLine.modules(in: $0.text) }
    #expect(Set(imports) == ["Seams", "Synchronization", "Glibc", "Musl", "Darwin"])
  }
}

/// Finds what observers do.
private enum Observing {
  /// How an observer looks into a response, or for its type.
  static var boilerplate: Regex<Substring> {
    /(?:if|guard) case \.(?:success|failure)[^=\n]*= \w+\.result\b|\bas[?!] (?:any )?Re(?:quest|sponse)\w*|try[?!] \w+\.result\.get/
  }

  /// The closures that observe events of a type.
  static func closures(in text: String) -> [Substring] {
    text.matches(of: /[. ]on\((?:successOf: )?[\w<>.]+[^{}\n]*\{/)
      .map { match in
        var depth = 0
        return text[text.index(before: match.range.upperBound)...]
          .prefix { character in
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            return depth > 0
          }
      }
  }
}

extension Wall {
  /// The Swift sources of a room, by its name and theirs.
  static func texts(of room: String) throws -> [(name: String, text: String)] {
    try sources(of: room).filter { $0.pathExtension == "swift" }
      .map { ("\(room)/\($0.lastPathComponent)", try String(contentsOf: $0, encoding: .utf8)) }
  }

  /// The Swift sources of the product and its examples.
  static func productSources() throws -> [(name: String, text: String)] {
    try rooms.filter { !$0.hasPrefix("Benchmarks/") }.flatMap { try texts(of: $0) }
  }
}
