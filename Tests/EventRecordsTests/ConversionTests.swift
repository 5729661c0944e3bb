import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import JSONText
import Testing

@testable import EventRecords

/// A parcel whose weight is in whole grams.
private struct Freight: Record {
  var title = ""
  var weight = 0
  var shelf: Int?
  var code = 0
  var cost = 0

  static let fields = Fields<Self>("freight", several: "freights")
    .field("title", \.title, .searched)
    .field("weight", \.weight, .indexed)
    .field("shelf", \.shelf)
    .field("code", \.code)
    .field("cost", \.cost)
    .listed(by: \.weight, where: .equals(\.code, 0))
}

/// A version with its weight in kilograms, a shelf with halves, a code of any characters, and its cost in
/// hundredths.
private struct FinerParcel: Record {
  var title = ""
  var weight = 0.0
  var shelf: Double?
  var code = ""
  var cost = 0

  static let fields = Fields<Self>("freight", several: "freights")
    .field("title", \.title, .searched)
    .field("weight", \.weight, .indexed)
    .field("shelf", \.shelf)
    .field("code", \.code, .searched)
    .field("cost", \.cost)
    .listed(by: \.weight, where: .equals(\.code, ""))
    .converted(\.weight, from: Int.self) { Double($0) / 1000 }
    .converted(\.shelf, from: Int.self)
    .converted(\.code, from: Int.self)
    .converted(\.cost, from: Int.self) { $0 * 100 }
}

/// A version that tells weights apart by a word, and has another name for them.
private struct CoarseParcel: Record {
  enum Load: String, RankedValue { case light, heavy }
  var title = ""
  var load = Load.light
  var shelf: Double?
  var code = ""
  var cost = 0

  static let fields = Fields<Self>("freight", several: "freights")
    .field("title", \.title, .searched)
    .field("load", \.load, .indexed).renamed(from: "weight")
    .field("shelf", \.shelf)
    .field("code", \.code, .searched)
    .field("cost", \.cost)
    .converted(\.load, from: Int.self) { $0 > 1000 ? .heavy : .light }
    .converted(\.load, from: Double.self) { $0 > 1 ? .heavy : .light }
    .converted(\.shelf, from: Int.self)
    .converted(\.code, from: Int.self)
    .converted(\.cost, from: Int.self) { $0 * 100 }
}

/// A version that can't convert all weights.
private struct StrictParcel: Record {
  var title = ""
  var weight = ""

  static let fields = Fields<Self>("freight", several: "freights")
    .field("title", \.title, .searched)
    .field("weight", \.weight)
    .removed("shelf", "code", "cost")
    .converted(\.weight, from: Int.self) { weight in
      guard weight < 2000 else { throw ValueError("\(weight) is too heavy") }
      return "\(weight) g"
    }
}

/// A version for which a weight is a number with fractions.
private struct WideParcel: Record {
  var title = ""
  var weight = 0.0

  static let fields = Fields<Self>("freight", several: "freights")
    .field("title", \.title, .searched)
    .field("weight", \.weight)
    .removed("shelf", "code", "cost")
    .converted(\.weight, from: Int.self)
}

/// Fields that have another type than in an earlier version.
@Suite(.hangLimit) struct ConversionTests {
  private static let kinds = EngineKind.here.filter { $0 == .file || $0 == .postgres }

  private static let parcels = [
    Freight(title: "Books", weight: 1500, shelf: 3, code: 7, cost: 5),
    Freight(title: "Pens", weight: 250, cost: -1),
    Freight(title: "Ink", weight: 2000, shelf: 0, code: -40, cost: 12),
  ]

  private static let finer = [
    FinerParcel(title: "Books", weight: 1.5, shelf: 3, code: "7", cost: 500),
    FinerParcel(title: "Pens", weight: 0.25, code: "0", cost: -100),
    FinerParcel(title: "Ink", weight: 2, shelf: 0, code: "-40", cost: 1200),
  ]

  private func process<R: Record>(of type: R.Type, _ rig: EngineRig) throws -> AppContext {
    let context = AppContext()
    context.add(RecordServer(try rig.engine(), [type], watchesExternalChanges: false))
    return context
  }

  private func filled(_ kind: EngineKind) throws -> (EngineRig, AppContext) {
    let rig = try EngineRig(kind)
    let first = try process(of: Freight.self, rig)
    _ = try first.ask(RequestWriteRecords(Self.parcels.map { .add($0) }))
    var books = Self.parcels[0]
    (books.weight, books.cost) = (1750, 6)
    _ = try first.ask(RequestWriteRecords<Freight>([.put(1, books, seen: 1)]))
    _ = try first.ask(RequestWriteRecords<Freight>([.put(1, Self.parcels[0], seen: 4)]))
    return (rig, first)
  }

  @Test(arguments: kinds)
  func `each value is converted, and found by what it is now`(_ kind: EngineKind) throws {
    let (rig, _) = try filled(kind)
    let later = try process(of: FinerParcel.self, rig)
    #expect(try later.ask(RequestRecords<FinerParcel>()).map(\.value) == Self.finer)
    for (condition, numbers) in [
      (.atLeast(\.weight, 1.5), [1, 3]), (.equals(\.code, "7"), [1]), (.contains("-40"), [3]),
      (.isNil(\.shelf), [2]), (.equals(\.cost, 1200), [3]),
    ] as [(Condition<FinerParcel>, [Int])] {
      let found = try later.ask(RequestRecords(Query().where(condition)))
      #expect(found.map(\.number) == numbers)
    }
    let heaviest = Query<FinerParcel>().sorted(by: \.weight, descending: true)
    #expect(try later.ask(RequestRecords(heaviest)).map(\.number) == [3, 1, 2])
    let new = FinerParcel(title: "New", weight: 0.5, code: "B-1")
    _ = try later.ask(RequestWriteRecords<FinerParcel>([.add(new)]))
    let again = try process(of: FinerParcel.self, rig)
    #expect(try again.ask(RequestRecords<FinerParcel>()).map(\.value) == Self.finer + [new])
    #expect(try again.ask(RequestDoctor()).exitStatus == .success)
  }

  @Test(arguments: kinds)
  func `its history is told, undone and merged in the new type`(_ kind: EngineKind) throws {
    let (rig, _) = try filled(kind)
    let later = try process(of: FinerParcel.self, rig)
    let journal = try later.ask(RequestSubjectJournal(of: "1", limit: 9))
    #expect(
      journal[0].changes[0].fields == [
        FieldChange("weight", from: 1.75, to: 1.5), FieldChange("cost", from: 600, to: 500),
      ]
    )
    // What another one has changed since it was read at the first revision merges.
    var wanted = Self.finer[0]
    (wanted.title, wanted.weight) = ("Big books", 1.6)
    let merged = try later.ask(RequestWriteRecords<FinerParcel>([.put(1, wanted, seen: 1)]))
    #expect(merged[0].after == wanted)
    _ = try later.revert(6, force: false)
    _ = try later.revert(5, force: false)
    #expect(try later.ask(RequestRecords<FinerParcel>())[0].value.weight == 1.75)
    _ = try later.revert(4, force: false)
    #expect(try later.ask(RequestRecords<FinerParcel>()).map(\.value) == Self.finer)
    // Steps on both sides of the conversion are one line of history.
    let all = try later.ask(RequestSubjectJournal(of: "1", limit: 9))
    #expect(all.flatMap(\.changes).flatMap(\.fields).filter { $0.name.contains("~") } == [])
    #expect(try later.ask(RequestDoctor()).exitStatus == .success)
  }

  @Test(arguments: kinds)
  func `what was removed before is restored in the new type`(_ kind: EngineKind) throws {
    let (rig, first) = try filled(kind)
    _ = try first.ask(RequestWriteRecords<Freight>([.remove(3)]))
    let later = try process(of: FinerParcel.self, rig)
    #expect(try later.ask(RequestRecords<FinerParcel>()).map(\.number) == [1, 2])
    _ = try later.revert(6, force: false)
    #expect(try later.ask(RequestRecords<FinerParcel>()).map(\.value) == Self.finer)
  }

  @Test(arguments: kinds)
  func `a value is converted twice, from either earlier version`(_ kind: EngineKind) throws {
    for passesTheSecond in [true, false] {
      let (rig, _) = try filled(kind)
      if passesTheSecond {
        let second = try process(of: FinerParcel.self, rig)
        var pens = try second.ask(RequestRecords<FinerParcel>())[1].value
        pens.weight = 3
        _ = try second.ask(RequestWriteRecords<FinerParcel>([.put(2, pens, seen: 2)]))
      }
      let third = try process(of: CoarseParcel.self, rig)
      let loads = try third.ask(RequestRecords<CoarseParcel>()).map(\.value.load)
      #expect(loads == (passesTheSecond ? [.heavy, .heavy, .heavy] : [.heavy, .light, .heavy]))
      if passesTheSecond {
        let fields = try third.ask(RequestSubjectJournal(of: "2", limit: 1))[0].changes[0].fields
        #expect(fields == [FieldChange("load", from: "light", to: "heavy")])
        _ = try third.revert(6, force: false)
        #expect(try third.ask(RequestRecords<CoarseParcel>())[1].value.load == .light)
      }
      #expect(try third.ask(RequestDoctor()).exitStatus == .success)
    }
  }

  @Test(arguments: kinds)
  func `an earlier version refuses it, also one that has it open`(_ kind: EngineKind) throws {
    let (rig, first) = try filled(kind)
    let later = try process(of: FinerParcel.self, rig)
    #expect(try later.ask(RequestRecords<FinerParcel>()).count == 3)
    let refused = #expect(throws: Failure.self) {
      try process(of: Freight.self, rig).ask(RequestRecords<Freight>())
    }
    #expect(
      refused?.message
        .contains(
          "keeps the field 'weight' of a freight in a new form: a newer version of the program has converted it; "
            + "install that version, or name another store with --store"
        ) == true
    )
    let read = #expect(throws: Failure.self) { try first.ask(RequestRecords<Freight>()) }
    #expect(
      read?.message
        .hasSuffix(
          kind == .file
            ? "was converted by a newer version of the program meanwhile; end this one, and use that version"
            : ""
        ) == true
    )
    let written = #expect(throws: Failure.self) {
      try first.ask(RequestWriteRecords<Freight>([.add(Freight(title: "Late"))]))
    }
    #expect(written?.kind == .store)
    #expect(try later.ask(RequestRecords<FinerParcel>()).map(\.value) == Self.finer)
    #expect(try later.ask(RequestDoctor()).exitStatus == .success)
  }

  @Test(arguments: kinds)
  func `where one value can't be converted, nothing is changed`(_ kind: EngineKind) throws {
    let (rig, first) = try filled(kind)
    for _ in 1...2 {
      let refused = #expect(throws: Failure.self) {
        try process(of: StrictParcel.self, rig).ask(RequestRecords<StrictParcel>())
      }
      #expect(
        refused?.message
          .hasSuffix(
            "can't be used by this version of the program: the 'weight' of freight #3 can't be converted: "
              + "2000 is too heavy. Nothing was changed"
          ) == true
      )
    }
    #expect(try first.ask(RequestRecords<Freight>()).map(\.value) == Self.parcels)
    let big = Freight(title: "Big", weight: 9_007_199_254_740_993)
    _ = try first.ask(RequestWriteRecords<Freight>([.add(big)]))
    let lossy = #expect(throws: Failure.self) {
      try process(of: WideParcel.self, rig).ask(RequestRecords<WideParcel>())
    }
    #expect(
      lossy?.message.contains("#4 can't be converted: a part of the number would be lost") == true
    )
    #expect(try process(of: Freight.self, rig).ask(RequestRecords<Freight>()).last?.value == big)
  }

  @Test func `what was recorded before is read`() throws {
    let before = try BodyEncoder().value(Self.parcels[0])
    #expect(
      try BodyDecoder().read(FinerParcel.self, from: JSON(parsing: before)) == Self.finer[0]
    )
    let now = try BodyEncoder().value(Self.finer[0])
    #expect(try BodyDecoder().read(FinerParcel.self, from: JSON(parsing: now)) == Self.finer[0])
    var json = JSONWriter()
    try RecordView(Kept(1, Self.finer[0], revision: 1)).write(to: &json)
    let view = try JSON(parsing: json.bytes)
    #expect(view["weight"] == 1.5)
    // A view has the names of today, and its values are those of today.
    #expect(
      try BodyDecoder().read(RecordView<FinerParcel>.self, from: view).record.value == Self.finer[0]
    )
  }
}
