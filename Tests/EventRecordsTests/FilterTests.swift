import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import RecordCommands
import Testing

/// The verb `done`.
private enum Done: VerbName {}

/// A parcel with a field of each sort that is asked for.
private struct Crate: CommandRecord {
  var uuid = UniqueID.none
  var title = ""
  var notes = ""
  var effort = Effort.small
  var due: CivilTime?
  var labels: [String] = []
  var shelf: String?
  var weight: Double?
  var pieces = 0
  var isFragile = false
  var sentAt: Instant?
  var isDeleted = false

  enum Effort: String, Choice, RankedValue, FieldOption, Codable { case small, middle, large }

  static let fields = Fields<Self>("crate", several: "crates")
    .identity("uuid", \.uuid)
    .field("title", \.title, .searched, "What is in it")
    .field("notes", \.notes, .searched, "More about it")
    .field("effort", \.effort, .indexed, "How much it takes")
    .field("due", \.due, .indexed, "When it is to be sent")
    .set("labels", \.labels, "A label (repeatable)", one: "label")
    .field("shelf", \.shelf, .indexed, "Where it is")
    .field("weight", \.weight, "In kilograms")
    .field("pieces", \.pieces, "How many pieces")
    .field("isFragile", \.isFragile, "Whether it breaks")
    .field("sentAt", \.sentAt, .stamp)
    .field("isDeleted", \.isDeleted, .marksDeletion)
    .listed(by: \.due, where: .equals(\.isDeleted, false))

  static let commands = RecordCommands<Self>()
    .ordered { $0 }
    .hides(.not(.isNil(\.sentAt)))
    .condition("sent", "Sent ones", .not(.isNil(\.sentAt)))
    .condition("late", "Late ones") { turn in
      .all(.isNil(\.sentAt), .less(\.due, than: .minute(turn.clock.now)))
    }
    .verb("send", "Sends crates.", "Sent", as: Done.self, for: .isNil(\.sentAt)) { crate, turn in
      crate.sentAt = crate.sentAt ?? turn.time
    }
    .verb("fetch", "Brings crates back.", "Fetched", for: .not(.isNil(\.sentAt))) { crate, _ in
      crate.sentAt = nil
    }
}

/// What people ask for in words, on a Friday, the 27th of November.
@Suite(.hangLimit) struct FilterTests {
  private let crates = CommandLineRig<Crate>()

  init() throws {
    for line in [
      "add Cups --label home --due today --shelf work --is-fragile true --weight 2.5 --pieces 6",
      "add Nails --label shop,heavy --due 'mon' --shelf work.tools --effort large --weight 12",
      "add Mail --shelf work2 --effort middle --due 2026-11-20 --notes 'for Änne'",
      "add 'Old mail' --label home",
      "add Gone --label home,heavy --weight 40",
      "send 4", "delete 5",
    ] { _ = try crates.said(line) }
  }

  /// The numbers that a line finds, or the error.
  private func found(_ filter: String) throws -> String {
    do {
      let page = try crates.said("list " + filter)
      return page.split(separator: "\n")
        .map { line in
          line.hasPrefix("#") ? String(line.dropFirst().prefix { $0.isNumber }) : String(line)
        }
        .joined(separator: " ")
    } catch let error as CommandError {
      return "error at \(error.offset ?? -1): \(error.message)"
    }
  }

  private func expect(_ cases: [(String, String)]) throws {
    for (filter, wanted) in cases {
      let numbers = try found(filter)
      #expect(numbers == wanted, "\(filter)")
    }
  }

  @Test func `a term asks for a text, a value, a range or none`() throws {
    try expect([
      ("", "1 2 3"), ("mail", "3"), ("title:MAIL", "3"), ("anne", "3"),
      ("title:anne", nothing("title:anne")),
      ("notes:anne", "3"), ("text:mail", "3"),
      ("77", nothing("77", "id:77 is the crate with that number. ")), ("notes:none", "1 2"),
      ("effort:large", "2"), ("effort:middle..", "2 3"), ("effort:..middle", "1 3"),
      ("effort:small,large", "1 2"),
      ("weight:2.5", "1"), ("weight:3..", "2"), ("weight:..12", "1 2"), ("weight:none", "3"),
      ("weight:none,12", "2 3"),
      ("pieces:0", "2 3"), ("pieces:1..10", "1"),
      ("due:today", "1"), ("due:..today", "1 3"), ("due:today..", "1 2"), ("due:2026-11", "1 2 3"),
      ("due:..2026-11-27T09:00", "3"), ("due:2026-11-27T09:00..", "1 2"), ("sent:..12:00 #4", "4"),
      ("due:'sat 9:00..wed 12:00'", "2"),
      ("due:'this week..fri 12:00'", "error: due: a time needs a day or a time at the other end."),
      ("due:fri", nothing("due:fri")), ("due:mon", "2"), ("due:'next week'", "2"),
      ("due:none", nothing("due:none")),
      ("shelf:work", "1 2"), ("shelf:work.tools", "2"), ("shelf:work2,work.tools", "2 3"),
      ("shelf:none", nothing("shelf:none")),
      ("+home", "1"), ("labels:home", "1"), ("label:home,shop", "1 2"), ("labels:none", "3"),
      ("-home", "2 3"),
      ("is:fragile", "1"), ("isfragile:true", "1"), ("is-fragile:false", "2 3"),
      ("is:late", "3"), ("is:late,fragile", "1 3"),
    ])
  }

  /// What a person is told where nothing was found.
  private func nothing(_ filter: String, _ hint: String = "") -> String {
    "No crate matches \(filter). \(hint)With --all, what a list leaves out is looked at, too."
  }

  @Test func `operators bind as people read them`() throws {
    try expect([
      ("mail or +home -heavy", "1 3"), ("mail or cups and +home", "1 3"),
      ("(mail or cups) +home", "1"),
      ("( mail or cups ) +home", "1"), ("not mail", "1 2"), ("not not mail", "3"),
      ("-(mail or nails)", "1"),
      ("not (mail or nails) or mail", "1 3"), ("-due:today", "2 3"), ("-is:late", "1 2"),
      ("-+home", "2 3"),
      ("MAIL OR CUPS", "1 3"), ("(not mail) +home", "1"),
      (
        "+home (or mail)",
        "error at 11: 'or' joins two terms, and there is none after '('; text:or is the word itself"
      ),
      ("(mail or) cups", "error at 11: '(' and ')' enclose at least one term"), ("' +home '", "1"),
      ("+home,shop", "1 2"), ("-home,shop", "3"), ("text:or", "3"),
      ("'buy mail'", nothing("\"buy mail\"")),
      ("(title:'Mail')", "3"), ("f(x)", nothing("f(x)")),
    ])
  }

  @Test func `what is left out by default yields where the filter speaks of it`() throws {
    try expect([
      ("+home", "1"), ("+home is:sent", "4"), ("+home -is:sent", "1"), ("+home --all", "1 4 5"),
      ("sent:today", "4"), ("sent:none", "1 2 3"), ("sent-at:today", "4"),
      ("sent:..yesterday", "No crate matches sent:..yesterday."),
      ("is:deleted", "5"), ("+heavy -is:deleted", "2"), ("+heavy or is:deleted", "2 5"),
      ("#4", "4"), ("#5", "5"), ("#4 or mail", "3 4"), ("#1 #4", "1 4"), ("1-9", "1 2 3"),
      ("1,4", "1 4"), ("id:4", "4"), ("not #1 #2", "3"), ("(not #1) (#2)", "2"), ("-#1 #2", "3"),
      ("not (1-9 +home)", "2 3"),
      ("1-9 mail", "3"), ("@last", "5"), ("-#1", "2 3"), ("-@last", "1 2 3"),
      ("-is:late mail or is:deleted", "4 5"),
    ])
    #expect(try crates.said("count") == "3 crates\n")
    #expect(try crates.said("count +home --all") == "3 crates\n")
    // A program gets what it asks for, except for the deleted.
    #expect(try numbers(["filter": "+home"]) == [1, 4])
    #expect(try numbers(["filter": "+home (mail or cups)"]) == [1, 4])
    #expect(try numbers(["words": ["+home"]]) == [])
    #expect(try numbers(["filter": nil]) == [1, 2, 3, 4])
  }

  private func numbers(_ parameters: JSON) throws -> [Int] {
    guard case .array(let items) = try crates.json("list", parameters) else { return [] }
    return items.compactMap { $0["id"]?.wholeNumber.map { Int($0) } }
  }

  @Test func `a mistake is told at its word, with what to write`() throws {
    try expect([
      ("mail or", "error at 10: a term is missing after 'or'; text:or is the word itself"),
      (
        "or mail",
        "error at 5: 'or' joins two terms, and there is none before it; text:or is the word itself"
      ),
      ("(mail", "error at 5: '(' is not closed"), ("mail )", "error at 10: ')' closes no '('"),
      ("mail ()", "error at 10: '(' and ')' enclose at least one term"),
      (
        "mail shelv:x",
        "error at 10: no field 'shelv'; did you mean 'shelf:'? text:shelv:x searches for the text"
      ),
      ("is:sentt", "error at 5: no condition 'sentt'; did you mean 'is:sent'?"),
      ("effort:huge", "error at 5: effort: 'huge' is not one of small, middle, large"),
      ("weight:x", "error at 5: weight: 'x' is not a number"),
      ("due:frx", "error at 5: due: 'frx' is no date; did you mean 'fri' or 'friday'?"),
      ("weight:9..2", "error at 5: weight: '9..2' runs backwards; write '2..9'"),
      (
        "effort:large..small",
        "error at 5: effort: 'large..small' runs backwards; write 'small..large'"
      ),
      ("due:", "error at 5: 'due:' needs a value; due:none is for those without"),
      ("text:", "error at 5: 'text:' is followed by a text"),
      ("9-2", "error at 5: '9-2' runs backwards; write 2-9; text:9-2 searches for it"),
      (
        "mail or --limit 2", "error at 10: a term is missing after 'or'; text:or is the word itself"
      ),
    ])
    let several = "id:" + String(repeating: "1,", count: 101)
    #expect(try found(several).hasSuffix("a filter has at most 100 terms"))
    let deep = String(repeating: "( ", count: 65)
    #expect(try found(deep).hasSuffix("a filter goes at most 64 parentheses deep"))
    #expect(
      try found(String(repeating: "a ", count: 101)).hasSuffix("a filter has at most 100 terms")
    )
    let deepest = String(repeating: "(", count: 64) + "mail" + String(repeating: ")", count: 64)
    #expect(try found(deepest) == "3")
    #expect(try found(String(repeating: "not ", count: 64) + "mail") == "3")
    #expect(
      try found(
        String(repeating: "not ( ", count: 32) + "mail" + String(repeating: " )", count: 32)
      ) == "3"
    )
    #expect(throws: CommandError.self) { try crates.json("list", ["filter": "mail or"]) }
  }

  @Test func `a verb changes what it finds, of those that it is for`() throws {
    #expect(try crates.said("send shelf:work due:today") == "Sent #1 Cups\n")
    #expect(try crates.said("send shelf:work") == "Sent #2 Nails\n")
    #expect(try crates.said("fetch +home") == "Fetched #1 Cups\nFetched #4 Old mail\n")
    #expect(try crates.said("restore text:gone") == "Restored #5 Gone\n")
    #expect(try crates.said("delete +home mail") == "Deleted #4 Old mail\n")
    #expect(try crates.said("send +nothing") == "No crate matches +nothing.\n")
    // Numbers mean what they name.
    #expect(try crates.said("fetch #2 or +home") == "Fetched #2 Nails\n")
  }

  @Test func `a text alone changes nothing`() throws {
    for line in [
      "send mail", "send old mail", "delete mail or cups", "send not mail", "send 3 mail",
      "send text:", "send +home or ''",
      "send +home id:3f2a", "send 1 - 3",
    ] {
      #expect(throws: CommandError.self, "\(line)") { try crates.catalogue.read(line: line) }
    }
    #expect(try crates.said("send text:mail") == "Sent #3 Mail\n")
    // A number is one also at a parenthesis.
    #expect(try crates.said("send (1 or 4) due:today") == "Sent #1 Cups\n")
  }

  @Test func `edit takes changes behind a filter and behind numbers`() throws {
    #expect(
      try crates.said("edit shelf:work to due:mon +urgent -home effort:large") == """
        Changed #1: effort small → large, due today → Mon 30 Nov, labels home → urgent
        Changed #2: labels shop, heavy → shop, heavy, urgent

        """
    )
    let cleared = try crates.said("edit 3 shelf: weight:3")
    #expect(cleared == "Changed #3: shelf work2 → none, weight none → 3.0\n")
    let titled = try crates.said("edit 3 'title:Big mail' due:none")
    #expect(titled == "Changed #3: title Mail → Big mail, due Fri 20 Nov → none\n")
    #expect(
      try crates.said("edit 1 2 to shelf:home")
        == "Changed #1: shelf work → home\nChanged #2: shelf work.tools → home\n"
    )
    #expect(
      try crates.said("edit 3 +aa,b notes:none")
        == "Changed #3: notes for Änne → none, labels none → aa, b\n"
    )
    #expect(try crates.said("edit 3 labels:none") == "Changed #3: labels aa, b → none\n")
    for line in [
      "edit +urgent", "edit +urgent to", "edit +urgent to nothing", "edit 3", "edit 3 due:frx",
      "edit 1-3 shelf:work to due:fri",
      "edit to due:fri",
    ] {
      #expect(throws: CommandError.self, "\(line)") { try crates.catalogue.read(line: line) }
    }
  }

  @Test func `more than three are named, and asked about`() throws {
    for number in 6...8 {
      _ = try crates.said("add 'A crate of many things \(number)' --shelf hall")
    }
    guard let command = try crates.catalogue.read(line: "send shelf:work,work2,hall") else {
      return
    }
    let check = try #require(command.check)
    func found(_ check: some CheckRequest) throws -> CheckedCommand {
      try crates.test.value(of: check)
    }
    let found = try found(check)
    #expect(
      found
        == CheckedCommand(
          question: "'send' means 6 crates: #1 Cups, #2 Nails, #3 Mail and 3 more. Go on?",
          numbers: [1, 2, 3, 6, 7, 8]
        )
    )
    // What is added meanwhile is not what was agreed to.
    _ = try crates.said("add Late --shelf hall")
    #expect(command.question == nil)
    func sent<C: Command>(_ command: C) throws -> JSON {
      var json = JSONWriter()
      try crates.test.value(of: command.checked(found)).write(to: &json)
      return try JSON(parsing: json.bytes)
    }
    guard case .array(let items) = try sent(command) else { return }
    #expect(items.count == 6)
  }

  @Test func `several orders sort what is equal in those before them`() throws {
    #expect(try found("--sort=-effort,title --all") == "2 3 1 5 4")
    #expect(try found("--sort effort,-due") == "1 3 2")
    #expect(throws: CommandError.self) { try crates.catalogue.read(line: "list --sort due,size") }
  }

  @Test func `the names of a field are listed, with how many have each`() throws {
    #expect(
      crates.catalogue.commands.map { $0.verb }.suffix(3) == ["count", "labels", "shelfs"]
    )
    #expect(
      try crates.said("labels") == """
        none   1 listed, 0 sent
        heavy  1 listed, 0 sent
        home   1 listed, 1 sent
        shop   1 listed, 0 sent

        """
    )
    #expect(
      try crates.json("shelfs", [:])
        == JSON(
          parsing:
            #"[{"name":null,"open":0,"done":1},{"name":"work","open":1,"done":0},{"name":"work.tools","open":1,"done":0},{"name":"work2","open":1,"done":0}]"#
        )
    )
  }

  @Test func `deep filters find what they mean`() throws {
    var (filter, isFound) = ("+home", true)
    for level in 0..<60 {
      // #1 meets each of these, and #3 none.
      filter =
        level % 3 == 0
        ? "(\(filter) due:today)" : level % 3 == 1 ? "(mail or \(filter))" : "not (\(filter))"
      if level % 3 == 2 { isFound.toggle() }
    }
    #expect(try numbers(["filter": .string("id:1 (\(filter))")]) == (isFound ? [1] : []))
    #expect(try numbers(["filter": .string("id:1 not (\(filter))")]) == (isFound ? [] : [1]))
    let many = (1...99).map { "pieces:\($0)" }.joined(separator: " or ")
    #expect(try numbers(["filter": .string(many)]) == [1])
  }

  @Test func `how a filter was read is said, and reads the same`() throws {
    func reading(_ line: String) throws -> String {
      String(try crates.said("list --explain " + line).prefix { $0 != "\n" })
    }
    #expect(
      try reading("a b or -(+home is:late,sent) 1-3 #9 or not due:..fri,none")
        == "text:a and text:b or not (+home and (is:late or is:sent)) and (1-3 or #9) or not (due:..fri or due:none)"
    )
    var chance = Chance(7)
    let terms = [
      "mail", "+home", "-heavy", "due:..today", "due:none", "effort:middle..", "shelf:work",
      "is:late", "is:sent",
      "weight:2..20", "1-3", "#4", "not", "or", "and", "(", ")", "-(", "title:a,u", "is:fragile",
      "labels:none",
    ]
    var count = 0
    while count < 150 {
      let words = (0...chance.pick(0...9)).map { _ in terms[chance.pick(0...terms.count - 1)] }
        .joined(separator: " ")
      guard (try? crates.catalogue.read(line: "list " + words)) != nil else { continue }
      count += 1
      let read = try reading(words)
      let again = try reading("--where '\(read)'")
      #expect(again == read, "\(words)")
      // What meets it and what does not are all.
      func ids(_ filter: String) throws -> Set<Int> {
        Set(try numbers(["filter": .string(filter)]))
      }
      let (all, some, others) = try (
        ids("is:deleted or not is:deleted"), ids("(\(words)) (is:deleted or not is:deleted)"),
        ids("-( \(words) ) (is:deleted or not is:deleted)")
      )
      #expect(some.union(others) == all && some.isDisjoint(with: others), "\(words)")
    }
  }

  @Test func `words of a filter are completed`() throws {
    func words(_ line: String) throws -> [String] {
      let words = line.split(separator: " ").map { Word(text: String($0), offset: 0, isBare: true) }
      let completion = crates.catalogue.completion(
        after: Array(words.dropLast()),
        prefix: words[words.count - 1].text
      )
      guard let live = completion.live else { return completion.candidates.map(\.word) }
      func ask(_ request: some CandidateRequest) throws -> [Candidate] {
        try crates.test.value(of: request)
      }
      return (completion.candidates + (try ask(live))).map(\.word)
    }
    #expect(try words("list +h") == ["+heavy", "+home"])
    #expect(try words("list shelf:wo") == ["shelf:work", "shelf:work.tools", "shelf:work2"])
    #expect(try words("list is:") == ["is:sent", "is:late", "is:fragile", "is:deleted"])
    #expect(try words("list -is:l") == ["-is:late"])
    #expect(try words("list effort:small,l") == ["effort:small,large"])
    #expect(try words("list (eff") == ["(effort:"])
    #expect(try words("send due:tomo") == ["due:tomorrow"])
    #expect(try words("send +h") == ["+heavy", "+home"])
    #expect(try words("send mai") == ["3"])
  }
}
