import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import Foundation
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
    .view("fragile", "is:fragile or +glass")
    .view("soon", "due:..+3d not @fragile")
    .view("round", "+home @round")
    .view("waiting", "-is:sent due:..+9d")
    .view("six", "6")
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

  // MARK: Views

  @Test func `a view is a filter with a name, in any place of another one`() throws {
    #expect(try crates.said("list @fragile") == crates.said("list is:fragile or +glass"))
    #expect(try crates.said("fragile") == crates.said("list @fragile"))
    #expect(try crates.said("fragile +shop") == crates.said("list @fragile +shop"))
    #expect(try numbers(["filter": "@fragile"]) == [1])
    #expect(try numbers(["filter": "@fragile or @soon"]) == numbers(["filter": "@fragile,@soon"]))
    #expect(
      try numbers(["filter": "-@soon +home"])
        == numbers(["filter": "-(due:..+3d not @fragile) +home"])
    )
    #expect(
      String(try crates.said("list --explain @soon mail").prefix { $0 != "\n" })
        == "(due:..+3d and not (is-fragile:true or +glass)) and text:mail"
    )
    #expect(try crates.said("count @soon") == "2 crates\n")
    #expect(throws: CommandError.self) { try crates.catalogue.read(line: "fragil") }
    #expect(try crates.help(of: "fragile").hasPrefix("'fragile' is 'list @fragile': is:fragile or"))
  }

  @Test func `a command that changes takes a view, which asks as a filter does`() throws {
    #expect(try crates.said("edit @fragile to --effort large").hasPrefix("Changed #1"))
    #expect(try crates.said("send @fragile +home") == "Sent #1 Cups\n")
    #expect(try crates.said("send @fragile") == "No crate matches @fragile.\n")
    #expect(try crates.said("send @fragile bob") == "No crate matches @fragile bob.\n")
  }

  @Test func `a view is a term of its own, beside numbers and others`() throws {
    func all(_ filter: String) throws -> [Int] {
      try numbers(["filter": .string("(\(filter)) (is:deleted or not is:deleted)")])
    }
    #expect(try all("1-3 @fragile") == [1])
    #expect(try all("@fragile 1-3") == [1])
    #expect(try all("2,@fragile") == [1, 2])
    #expect(try all("-@fragile +home") == [4, 5])
    #expect(try all("-@fragile @waiting") == all("not is:fragile -+glass -is:sent due:..+9d"))
    #expect(try all("@waiting -@fragile") == all("-@fragile @waiting"))
    #expect(try crates.said("edit 1-3 @fragile to --pieces 7").hasPrefix("Changed #1"))
    #expect(try crates.said("edit 2,@fragile to --pieces 8").split(separator: "\n").count == 2)
  }

  @Test func `who leaves out a view does not ask for what lists leave out`() throws {
    func listed(_ words: String...) throws -> [Int64] {
      guard case .array(let rows) = try crates.json(["list"] + words) else { return [] }
      return rows.compactMap { $0["id"]?.wholeNumber }
    }
    #expect(try listed("-@waiting") == [])
    #expect(try Set(listed("-@fragile")) == [2, 3])
    #expect(try Set(listed("-@fragile", "--all")) == [2, 3, 4, 5])
    #expect(try crates.said("delete -@fragile +home") == "No crate matches -@fragile +home.\n")
  }

  @Test func `a view means the same for a list and a change`() throws {
    #expect(try crates.said("list @six").hasPrefix("No crate matches @six.\n"))
    #expect(try crates.said("edit @six to --pieces 7") == "No crate matches @six.\n")
    for line in ["send --where 1", "send --where '1 or 2'", "send --where '+home --all'"] {
      #expect(throws: CommandError.self, "\(line)") { try crates.catalogue.read(line: line) }
    }
  }

  // MARK: Words that write

  @Test func `words of a title set fields beside options`() throws {
    #expect(
      try crates.said("add --title Vase +glass !large") == "Added #6 Vase  effort large  +glass\n"
    )
    #expect(try crates.said("add +glass --title Jug") == "Added #7 Jug  +glass\n")
    #expect(try crates.said("add Call due:fri -- 9am") == "Added #8 Call 9am  due Fri 4 Dec\n")
    #expect(try crates.said("add Call due:fri \"9am\"") == "Added #9 Call 9am  due Fri 4 Dec\n")
    #expect(
      try crates.said("add pieces:6 is-fragile:true weight:1.5 notes:old Cup")
        .hasPrefix("Added #10 Cup")
    )
    for (line, problem) in [
      ("add Jug --title Vase", "the title is given twice"),
      ("add --title Vase Jug", "the title is given twice"),
      ("add Vase !large !small", "effort: given twice; if it is meant as text, write it after --"),
      (
        "add Vase +a due:fri due:sat", "due: given twice; if it is meant as text, write it after --"
      ),
      ("add Call due:fri 9am", "due: 'fri 9am' is one value: write due:\"fri 9am\""),
      ("add due:fri --due sat Vase", "due: given twice; if it is meant as text, write it after --"),
    ] {
      let error = #expect(throws: CommandError.self, "\(line)") {
        try crates.catalogue.read(line: line)
      }
      #expect(error?.message == problem)
    }
  }

  @Test func `a name of the session comes before a view, and no record gets that of one`() throws {
    _ = try crates.json("add", ["title": "Vase", "alias": "fragile"])
    #expect(try crates.said("list @fragile") == "#6 Vase\n")
    #expect(throws: CommandError.self) { try crates.catalogue.read(line: "add Pot as @fragile") }
  }

  @Test func `a view that contains itself is an error`() throws {
    #expect(
      try crates.said("list @round") == "error: the view 'round' contains itself.\n"
    )
    #expect(try crates.said("send @round") == "error: the view 'round' contains itself.\n")
  }

  @Test func `a request keeps the views that it names`() throws {
    let list = try #require(try crates.catalogue.read(line: "list @soon") as? RequestList<Crate>)
    #expect(list.filter.views.map(\.name) == ["soon", "fragile"])
    let coded = try JSONEncoder().encode(list)
    #expect(try JSONDecoder().decode(RequestList<Crate>.self, from: coded) == list)
    let send = try #require(try crates.catalogue.read(line: "send -@soon #1") as? any RecordEdit)
    #expect("\(send)".contains("due:..+3d not @fragile"))
  }

  // MARK: A filter in one text

  @Test func `what changes records takes a filter in one text`() throws {
    #expect(
      try crates.said("edit --where '+home due:today' to +late")
        == "Changed #1: labels home → home, late\n"
    )
    #expect(
      try crates.said("edit --where '+home is:fragile' --effort middle").hasPrefix("Changed #1")
    )
    #expect(
      try crates.said("send --where 'title:nails or text:cups' ") == "Sent #1 Cups\nSent #2 Nails\n"
    )
    for line in [
      "send", "send --where cups", "send --where ''", "send 1 --where +home",
      "send +home --where +home",
      "edit --where +home", "send --where 'x:y'",
    ] {
      #expect(throws: CommandError.self, "\(line)") { try crates.catalogue.read(line: line) }
    }
  }

  @Test func `that of a program finds what lists leave out, but nothing deleted`() throws {
    func sent(_ filter: JSON) throws -> [JSON?] {
      guard case .array(let rows) = try crates.json("edit", ["filter": filter, "pieces": 3]) else {
        return []
      }
      return rows.map { $0["id"] }
    }
    #expect(try sent("+home") == [1, 4])
    #expect(try sent("is:sent") == [4])
    guard case .array(let restored) = try crates.json("restore", ["filter": "+heavy"]) else {
      return
    }
    #expect(restored.map { $0["id"] } == [5])
    for parameters: JSON in [
      ["filter": "+home", "id": 1, "pieces": 3], ["id": 1, "filter": "+home", "pieces": 3],
      ["filter": "cups", "pieces": 3], ["filter": "", "pieces": 3], ["filter": .null, "pieces": 3],
      ["pieces": 3], ["filter": "+home"], ["filter": 3, "pieces": 3],
    ] {
      #expect(throws: CommandError.self, "\(parameters)") { try crates.json("edit", parameters) }
    }
  }

  @Test func `help lists what a filter asks for, by examples that can be typed`() throws {
    let text = try crates.help(of: "filters")
    #expect(text.contains("What finds crates, after 'list', 'count', 'edit', 'delete'.\n"))
    var examples = 0
    for line in text.split(separator: "\n") where line.hasPrefix("  ") {
      let words = line.dropFirst(2).split(separator: "  ")
      for word in words.first?.split(separator: ", ") ?? []
      // One of its views contains itself.
      where !word.hasPrefix("'") && word != "@round" {
        examples += 1
        #expect(try !crates.said("count \(word)").hasPrefix("error"), "\(word)")
      }
    }
    #expect(examples > 15)
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  // MARK: How a list is laid out

  @Test func `a list is divided by the values of a field`() throws {
    #expect(
      try crates.said("list --group effort --sort title") == """
        effort:small
        #1 Cups  due today  +home  shelf work  weight 2.5  pieces 6  is fragile

        effort:middle
        #3 Mail  effort middle  due Fri 20 Nov  shelf work2

        effort:large
        #2 Nails  effort large  due Mon 30 Nov  weight 12.0  +…

        """
    )
    #expect(
      try crates.said("list --group shelf --fields due").split(separator: "\n").map(String.init)
        == [
          "shelf:work", "#1 Cups  due today", "shelf:work.tools", "#2 Nails  due Mon 30 Nov",
          "shelf:work2", "#3 Mail  due Fri 20 Nov",
        ]
    )
    #expect(
      try crates.said("list --all --group sent --fields sent --limit 2")
        == "sent:today\n#4 Old mail  sent today 12:00\n\nsent:none\n#1 Cups\n"
    )
    for line in [
      "list --group labels", "list --group title", "list --group uuid", "list --group x",
    ] {
      #expect(throws: CommandError.self, "\(line)") { try crates.catalogue.read(line: line) }
    }
  }

  @Test func `a list has the fields that are asked for`() throws {
    #expect(
      try crates.json("list", ["fields": "sent,labels,title", "filter": "#1 or #4"]).description
        == #"[{"id":1,"sentAt":null,"labels":["home"],"title":"Cups","revision":1},{"id":4,"sentAt":"2026-11-27T12:00:00.000Z","labels":["home"],"title":"Old mail","revision":6}]"#
    )
    #expect(
      try crates.said("list #1 --fields weight,effort,title")
        == "#1 Cups  weight 2.5  effort small\n"
    )
    for line in [
      "list --fields x", "list --fields ''", "list --fields title,,x", "list --fields is-deleted",
    ] {
      #expect(throws: CommandError.self, "\(line)") { try crates.catalogue.read(line: line) }
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
