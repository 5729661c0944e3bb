import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import ProcessTesting
import RecordCommands
import Testing

/// What holds of the commands of every record, for records whose fields chance chooses.
@Suite(.hangLimit) struct GeneratedCommandsTests {
  private static let seeds = (1...(isNightly ? 40 : 4)).map { UInt64($0) }

  @Test(arguments: EngineKind.here, seeds)
  func `a record's commands follow from its declaration, whatever it declares`(
    _ kind: EngineKind,
    _ seed: UInt64
  ) throws {
    let rig = try EngineRig(kind)
    var chance = Chance(seed)
    let count = Int.random(in: 1...20, using: &chance)
    try generate(count: count, &chance) { type, chance in
      try check(type, rig.engine(), &chance)
    }
  }

  private func check<R: CommandRecord>(
    _ type: R.Type,
    _ engine: any RecordEngine,
    _ chance: inout Chance
  ) throws {
    try CommandLaws<R>(engine).check(&chance)
  }
}

/// The laws of the commands of one kind of record.
private struct CommandLaws<R: CommandRecord> {
  private let line: CommandLineRig<R>
  /// The fields but for the title, each with words that it reads.
  private let fields: [(field: Field, words: [String])]

  init(_ engine: any RecordEngine) {
    line = CommandLineRig<R>(engine)
    // Without the title, and the mark of the deleted.
    fields = R._table.fields.dropFirst().dropLast()
      .map { field in (field, Self.words(of: field)) }
  }

  /// The words that a field reads, of such as people type.
  private static func words(of field: Field) -> [String] {
    let words = [
      "7", "4.20", "true", "2026-12-01", "2026-12-24T18:30", "it's two words", "grün ✓", "a\nb",
      "light", "dark",
    ]
    return words.filter { word in
      (try? field.type._checkGiven(.string(word))) != nil
        && !(field.traits.contains(.set) && word.contains("\n"))
    }
  }

  func check(_ chance: inout Chance) throws {
    for number in [1, 4, 7] {
      var given: [(field: Field, word: String)] = []
      for (field, words) in fields where Bool.random(using: &chance) {
        given.append((field, try #require(words.randomElement(using: &chance))))
      }
      let added = try line.json(
        ["add", "Thing", "\(number)"] + given.flatMap { [flag($0.field), $0.word] }
      )
      #expect(added["id"] == .integer(Int64(number)), "\(R.fields)")
      try checkShown(number, added, given)
      try checkRoundTrip(added, as: number + 1)
      try checkFound(number, given)
      try checkEdit(number, &chance)
      try checkVerb(number)
      try checkDeletion(number)
      // What was added by its JSON was the second of these, and the third is a number that is never used again.
      _ = try line.json(["add", "Another"])
    }
    try checkHelp()
  }

  private func flag(_ field: Field) -> String { "\(field.name)".asFlag }

  /// What was added is shown, each given field with a value.
  private func checkShown(
    _ number: Int,
    _ added: JSON,
    _ given: [(field: Field, word: String)]
  ) throws {
    #expect(try line.json(["show", "\(number)"]) == added)
    for (field, word) in given {
      let value = try #require(added["\(field.name)"])
      #expect(value != .null, "\(field.name) of \(word)")
      if field.type == String.self || field.type == String?.self { #expect(value == .string(word)) }
    }
    let text = try line.said("show \(number)")
    #expect(text.hasPrefix("#\(number) Thing \(number)\n"))
  }

  /// The fields of its JSON make the same record.
  private func checkRoundTrip(_ added: JSON, as number: Int) throws {
    guard case .object(let members) = added else { throw Failure(.usage, "no object: \(added)") }
    let parameters = members.filter { !["id", "revision"].contains($0.name) }
    let again = try line.json("add", .object(parameters))
    #expect(again["id"] == .integer(Int64(number)))
    #expect(again.without("id", "revision") == added.without("id", "revision"))
  }

  /// A list by each given value has it, and as many as are counted; one without the field has it not.
  private func checkFound(_ number: Int, _ given: [(field: Field, word: String)]) throws {
    for (field, words) in fields {
      let given = given.first { $0.field.offset == field.offset }
      let asked = try asks(for: field, given?.word)
      for (flags, isFound) in asked {
        let found = try line.json(["list"] + flags)
        guard case .array(let rows) = found else { throw Failure(.usage, "no array: \(found)") }
        #expect(
          rows.contains { $0["id"] == .integer(Int64(number)) } == isFound,
          "\(flags) of \(words)"
        )
        #expect(try line.json(["count"] + flags) == ["count": .integer(Int64(rows.count))])
      }
    }
  }

  /// What asks for a field, and whether a record with this word in it is found.
  private func asks(for field: Field, _ word: String?) throws -> [(flags: [String], isFound: Bool)]
  {
    var asked: [(flags: [String], isFound: Bool)] = []
    if field.type._isOptional {
      asked.append((["--no-" + flag(field).dropFirst(2)], word == nil))
    }
    guard let word, !field.traits.contains(.searched) else { return asked }
    if field.isTime {
      asked.append(([flag(field), String(word.prefix(10))], true))
      asked.append(([flag(field) + "-before", "2026-11-01"], false))
      asked.append(([flag(field) + "-after", "2026-11-01"], true))
    } else if field.type._arity != .many || field.traits.contains(.set) {
      asked.append(([flag(field), word], true))
    }
    return asked
  }

  /// An edit changes its field alone, is one line of the history, and is undone.
  private func checkEdit(_ number: Int, _ chance: inout Chance) throws {
    let before = try line.json(["show", "\(number)"])
    for (field, words) in fields {
      let word = try #require(words.randomElement(using: &chance))
      let after = try line.json(["edit", "\(number)", flag(field), word])
      let name = "\(field.name)"
      #expect(after.without(name, "revision") == before.without(name, "revision"))
      guard after[name] != before[name] else { continue }
      let step = try #require(try line.test.value(of: RequestJournal(.newest(1))).first)
      #expect(step.changes.map { $0.fields.map(\.name) } == [[name]])
      try undo()
      #expect(
        try line.json(["show", "\(number)"]).without("revision") == before.without("revision")
      )
    }
  }

  /// A verb changes what it says, and is undone.
  private func checkVerb(_ number: Int) throws {
    let before = try line.json(["show", "\(number)"])
    let after = try line.json(["shout", "\(number)"])
    #expect(after["title"] == .string("THING \(number)"))
    #expect(after.without("title", "revision") == before.without("title", "revision"))
    try undo()
    #expect(
      try line.json(["show", "\(number)"]).without("revision") == before.without("revision")
    )
  }

  /// What is deleted is not found, and is back as it was when that is undone, or when it is restored.
  private func checkDeletion(_ number: Int) throws {
    let before = try line.json(["show", "\(number)"])
    let count = try line.json(["count"])
    let isMarked = line.catalogue["restore"] != nil
    #expect(
      try line.json(["delete", "\(number)"]).without("revision") == before.without("revision")
    )
    #expect(try line.json(["count"]) != count)
    #expect(throws: Failure.self) { try line.json([isMarked ? "shout" : "show", "\(number)"]) }
    if isMarked {
      #expect(try line.json(["count", "--all"]) == count)
      #expect(try line.json(["count", "--deleted"]) == ["count": 1])
      _ = try line.json(["restore", "\(number)"])
    } else {
      try undo()
    }
    #expect(try line.json(["count"]) == count)
    #expect(
      try line.json(["show", "\(number)"]).without("revision") == before.without("revision")
    )
  }

  /// Undoes the last step.
  private func undo() throws {
    let step = try #require(try line.test.value(of: RequestJournal(.newest(1))).first)
    _ = try line.test.value(of: RequestReversal(.number(step.step.number), conflicts: .skip))
  }

  /// Help names each field, and completion offers each option.
  private func checkHelp() throws {
    for verb in ["add", "edit", "list", "count"] {
      let help = try line.help(of: verb)
      let words = [Word(text: verb, offset: 0, isBare: true)]
      let offered = Set(
        line.catalogue.completion(after: words, prefix: "--").candidates.map(\.word)
      )
      for (field, _) in fields {
        let isList = verb == "list" || verb == "count"
        // There is no option for a value of a list, and the words are for a searched text.
        guard
          !isList
            || !field.traits.contains(.searched)
              && (field.type._arity != .many || field.traits.contains(.set))
        else { continue }
        #expect(help.contains(flag(field) + " "), "\(verb)")
        #expect(offered.contains(flag(field)), "\(verb)")
      }
    }
  }
}

extension JSON {
  /// An object without some members.
  fileprivate func without(_ names: String...) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.name) })
  }
}
