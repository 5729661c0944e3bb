import EventCommands
import EventMVVM
import EventValues
import Foundation
import JSONText
import Testing

@testable import EventApp
@testable import todostream

/// What an application shows of what it is made of, to people and to programs.
struct Face: Equatable {
  var help: [String] = []
  var commands: [String] = []
  var described: [String] = []
  var plugins: [String] = []
  var methods: [String] = []
  /// What can follow each verb; under the empty one, what can begin a command.
  var completions: [String: [String]] = [:]

  /// What it shows once some words have been read.
  init(_ words: String..., from plugins: [OptionalPlugin] = .todostream) throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)/todos.sqlite"
    let words = ["--store", path] + words + ["list"]
    let invocation = try Invocation(.todostream, words.words, plugins)
    let composition = try Composition(invocation, .job(.reads))
    let catalogue = composition.catalogue
    help = try composition.lines(RequestHelp(topic: ["all"]))
    commands = try composition.lines(RequestCommands())
    self.plugins = try composition.lines(RequestPlugins())
    described = try composition.items(RequestCommands())
    methods = catalogue.commands.map { catalogue.method(of: $0) }
    for verb in [""] + catalogue.commands.map({ $0.verb }) {
      let before = verb.isEmpty ? [] : [verb].words
      completions[verb] = ["", "-"]
        .flatMap { catalogue.completion(after: before, prefix: $0).candidates.map(\.word) }
    }
  }

  /// Itself, as it has to be without some commands.
  func without(_ verbs: [String], of plugin: String) -> Face {
    var face = self
    face.help = help.without(verbs)
    face.commands.removeAll { verbs.contains($0.firstWord) }
    face.described.removeAll { text in verbs.contains { text.hasPrefix(#"{"name":"\#($0)","#) } }
    face.plugins.removeAll { $0 == plugin }
    face.methods.removeAll { verbs.contains($0) }
    face.completions = completions.filter { !verbs.contains($0.key) }
      .mapValues { $0.filter { !verbs.contains($0) } }
    return face
  }
}

extension Application {
  /// The todo manager.
  static var todostream: Application { Application(Todos()) }
}

extension [OptionalPlugin] {
  /// Those of the todo manager, new ones each time.
  static var todostream: [OptionalPlugin] { Application.todostream.plugins }
}

extension [String] {
  /// The lines of an overview without those of some commands; a section that is empty then is gone.
  func without(_ verbs: [String]) -> [String] {
    split(separator: "", omittingEmptySubsequences: false)
      .map { section in section.filter { !verbs.contains($0.firstWord) } }
      .filter { !$0.isEmpty }
      .joined(separator: [""])
      .map { $0 }
  }

  /// The words of a command line.
  var words: [Word] {
    enumerated().map { Word(text: $1, offset: $0, isBare: true) }
  }
}

extension String {
  fileprivate var firstWord: String {
    split { $0 == " " || $0 == "[" }.first.map(String.init) ?? ""
  }
}

extension Composition {
  /// What a command prints for a person.
  func lines<C: Command>(_ command: C) throws -> [String] {
    var page = Page()
    try reply(command).show(on: &page)
    return page.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .dropLast()
  }

  /// What a command prints for a program, item by item.
  fileprivate func items<C: Command>(_ command: C) throws -> [String] {
    var json = JSONWriter()
    try reply(command).write(to: &json)
    guard case .array(let items) = try JSON(parsing: String(decoding: json.bytes, as: UTF8.self))
    else { return [] }
    return items.map(\.description)
  }

  private func reply<C: Command>(_ command: C) throws -> C.Reply.Value {
    var answer: Result<C.Reply, Interruption>?
    context.port(named: "test").request(command) { result, _ in answer = result }
    return try #require(answer).get().result.get()
  }
}
