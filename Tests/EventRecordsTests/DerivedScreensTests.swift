import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import EventValues
import JSONText
import RecordCommands
import SQLiteEngine
import Testing

/// A plant: a record with a flag, a mark and a mark of deletion.
private struct Plant: CommandRecord {
  var title = ""
  var isThirsty = false
  var spot: String?
  var wateredAt: Instant?
  var isGone = false

  static let fields = Fields<Self>("plant", several: "plants")
    .field("title", \.title, .searched, "Its name")
    .field("isThirsty", \.isThirsty, "Whether it needs much water")
    .field("spot", \.spot, .indexed, "Where it stands")
    .field("wateredAt", \.wateredAt, .stamp)
    .field("isGone", \.isGone, [.hidden, .marksDeletion])
    .shown("daysDry") { plant, now in
      plant.wateredAt.map { now.day.daysSinceEpoch - Int($0.milliseconds / 86_400_000) } ?? 99
    }

  static let commands = RecordCommands<Self>()
    .marks { $0.wateredAt != nil }
    .condition("watered", "Only watered ones", .not(.isNil(\.wateredAt)))
    .hides(.not(.isNil(\.wateredAt)))
    .order("name", "by the alphabet") { $0.sorted(alphabeticallyBy: \.title, descending: $1) }
    .toggle("watered", { $0.wateredAt == nil ? "Water" : "Forget" }) { plant, original, turn in
      plant.wateredAt = plant.wateredAt == nil ? original.wateredAt ?? turn.time : nil
    }
}

/// A pot: a second kind of the same program, without a mark of deletion.
private struct Pot: CommandRecord {
  var title = ""
  var size = 1

  static let fields = Fields<Self>("pot", several: "pots")
    .field("title", \.title, .searched, "Its name")
    .field("size", \.size, "Its litres")

  static let commands = RecordCommands<Self>(suffix: "pot")
}

/// A reading, which is neither added nor changed by a person.
private struct Measure: CommandRecord {
  var title = ""
  static let fields = Fields<Self>("measure", several: "measures")
    .field("title", \.title, .searched, "Its name")
  static let commands = RecordCommands<Self>().without(.add, .edit, .list)
}

@Suite(.hangLimit) struct DerivedScreensTests {
  private let test = TestContext()
  private let catalogue: Catalogue
  private let port: ViewPort

  init() {
    var catalogue = Catalogue()
    catalogue.add(Plant.self)
    catalogue.add(Pot.self)
    catalogue.add(onScreen: nil, "at a prompt", Navigator.group, Navigator.commands)
    catalogue.addScreens(of: Plant.self)
    catalogue.addScreens(of: Pot.self)
    self.catalogue = catalogue
    test.now = Instant(iso8601: "2026-11-27T12:00:00.000Z") ?? test.now
    test.add(
      RecordServer(MemoryDatabase(), [Plant.self, Pot.self], watchesExternalChanges: false),
      CatalogueServer(catalogue) { [] },
      Navigator([RecordCoordinator<Plant>(), RecordCoordinator<Pot>()])
    )
    port = test.app.port(named: "repl")
    port.request(RequestScreens()) { _, _ in }
    test.skip()
  }

  /// What a person is told of a line, in the session that has the screens.
  private func said(_ line: String) throws -> String {
    let kind = try screens().last?.kind
    guard let command = try catalogue.onScreen(kind).read(line: line) else { return "" }
    return try said(command)
  }

  private func said<C: Command>(_ command: C) throws -> String {
    let answer = Locked<Result<C.Reply.Value, Failure>?>(nil)
    port.request(command) { result, _ in
      let value = result.mapError { Failure($0) }.flatMap { $0.result }
      answer.withLock { $0 = value }
    }
    test.skip()
    switch try #require(answer.withLock { $0 }) {
    case .success(let value):
      var page = Page(width: 80, clock: ReaderClock(test.now, in: .utc))
      command.show(value, on: &page)
      return page.text
    case .failure(let failure): return "error: \(failure.message)\n"
    }
  }

  private func screens() throws -> [ScreenView] {
    let views = Locked<[ScreenView]>([])
    port.request(RequestScreens()) { result, _ in
      let screens = try? result.get().result.get()
      views.withLock { $0 = screens?.views ?? [] }
    }
    test.skip()
    return views.withLock { $0 }
  }

  private func expect(
    _ line: String,
    _ text: String,
    _ titles: [String]? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try said(line)
    #expect(found == text + "\n", sourceLocation: location)
    if let titles {
      #expect(try screens().map(\.title) == titles, sourceLocation: location)
    }
  }

  @Test func `S46 a record of any kind is edited on a screen, and saved`() throws {
    try expect("add Fern --spot hall", "Added #1 Fern  spot hall", [])
    try expect(
      "show 1",
      """
      #1 [ ] Fern
        is thirsty  no
        spot        hall
      """,
      ["#1 Fern"]
    )
    try expect("set --title Tree", "#1 [ ] Tree  spot hall", ["#1 Tree"])
    try expect(
      "toggle",
      "#1 [x] Tree  spot hall"
    )
    try expect("toggle isThirsty", "#1 [x] Tree  is thirsty  spot hall")
    try expect(
      "show",
      """
      #1 [x] Tree
        is thirsty  yes
        spot        hall
        watered     today 12:00
          'toggle': Forget, 'toggle isThirsty': no, 'toggle deleted': Delete
          not saved yet
      """
    )
    #expect(throws: CommandError.self) { try said("toggle colour") }
  }

  @Test func `S23 a new record is stored when it is saved, and needs a title then`() throws {
    try expect(
      "new",
      "A new plant: 'set --title TITLE' names it, 'save' adds it, 'cancel' gives it up.",
      ["new plant"]
    )
    try expect("save", "error: A plant needs a title; please add one.", ["new plant"])
    try expect("toggle deleted", "error: A new plant can't be deleted; 'cancel' gives it up.")
    try expect("set --title Fern", "new [ ] Fern", ["new: Fern"])
    try expect("save", "Saved #1 Fern", [])
    try expect(
      "new Moss",
      "A new plant, not saved yet: Moss; 'save' adds it, 'cancel' gives it up."
    )
    #expect(try screens().map(\.isEdited) == [true])
    try expect("cancel", "Forgotten what was edited.", [])
    try expect("list", "#1 [ ] Fern")
  }

  @Test func `S45 a list on a screen follows changes, and is arranged`() throws {
    for name in ["Moss", "Fern"] { _ = try said("add \(name)") }
    try expect("open list", "#1 [ ] Moss\n#2 [ ] Fern", ["list (2)"])
    try expect("add Algae", "Added #3 Algae", ["list (3)"])
    try expect(
      "rows --sort name",
      "#3 [ ] Algae\n#2 [ ] Fern\n#1 [ ] Moss",
      ["list --sort name (3)"]
    )
    _ = try said("show 2")
    _ = try said("toggle")
    try expect("save", "Saved #2 Fern", ["list --sort name (2)"])
    try expect("rows --only watered", "#2 [x] Fern", ["list --sort name --watered (1)"])
    try expect("rows --only any", "#3 [ ] Algae\n#2 [x] Fern\n#1 [ ] Moss")
  }

  @Test func `S71 who edits what another one changed is told, and may overwrite it`() throws {
    _ = try said("add Fern")
    _ = try said("show 1")
    _ = try said("set --title Tree")
    _ = try test.value(
      of: RequestEdit<Plant>(Target(.number(1))) { try $0.set(\.title, to: "Moss") }
    )
    try expect(
      "save",
      "error: Somebody changed the title of #1 meanwhile: you saw 'Fern', now it is 'Moss'.",
      ["#1 Tree"]
    )
    try expect("save --force", "Saved #1 Tree", [])
  }

  @Test func `what is shown by the time is so in a detail, and in a notice of changes`() throws {
    _ = try said("add Fern")
    var json = JSONWriter()
    try test.value(of: RequestShow<Plant>(Target(.number(1)))).write(to: &json)
    #expect(try JSON(parsing: json.bytes)["daysDry"] == 99)
    let told = Locked<[JSON?]>([])
    port.on(ResponseChangedViews<Plant>.self) { change, _ in
      var json = JSONWriter()
      change.write(to: &json)
      let first = try? JSON(parsing: json.bytes)["changes"]
      told.withLock { $0.append(first) }
    }
    _ = try said("show 1")
    _ = try said("toggle")
    try expect("save", "Saved #1 Fern")
    guard case .array(let changes)? = told.withLock({ $0.first ?? nil }) else {
      Issue.record("no change was told")
      return
    }
    #expect(changes.first?["plant"]?["daysDry"] == 0)
  }

  @Test func `what is toggled twice is as it was`() throws {
    _ = try said("add Fern")
    _ = try said("show 1")
    for line in ["toggle", "save", "show 1"] { _ = try said(line) }
    test.now = test.now.adding(milliseconds: 60_000)
    for line in ["toggle", "toggle"] { _ = try said(line) }
    #expect(try screens().map(\.isEdited) == [false])
  }

  @Test func `who edits what another one deletes is told`() throws {
    _ = try said("add-pot Blue")
    _ = try said("open pot 1")
    _ = try said("set --size 4")
    try test.value(of: RequestDelete<Pot>(Target(.number(1))))
    try expect(
      "save",
      "error: #1 was deleted; 'cancel' discards the edits.",
      ["#1 Blue (deleted)"]
    )
  }

  @Test func `what is not edited has no editor`() {
    #expect(RecordCoordinator<Measure>().children.isEmpty)
    var catalogue = Catalogue()
    catalogue.addScreens(of: Measure.self)
    #expect(catalogue.screenCommands.isEmpty)
    #expect(catalogue.links.isEmpty)
  }

  @Test func `S51 a detail is a value: editing it changes nothing that is stored`() {
    var plant = Plant()
    plant.title = "Fern"
    let fern = Kept(1, plant, revision: 1)
    var detail = RecordDetail(fern)
    detail.title = "Tree fern"
    #expect(detail.isEdited)
    #expect(detail.original == fern)
  }

  @Test func `each kind has its screens, by the name of the kind`() throws {
    _ = try said("add-pot Blue --size 3")
    _ = try said("add Fern")
    try expect("open pot 1", "#1 Blue\n  size  3", ["#1 Blue"])
    try expect("set --size 4", "#1 Blue  size 4")
    #expect(throws: CommandError.self) { try said("toggle") }
    try expect("save", "Saved #1 Blue", [])
    try expect("open list-pot", "#1 Blue  size 4", ["list-pot (1)"])
    try expect("open 2", "#2 [ ] Fern\n  is thirsty  no", ["list-pot (1)", "#2 Fern"])
  }
}
