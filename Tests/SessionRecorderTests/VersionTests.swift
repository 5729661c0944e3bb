import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import SessionRecorder
import Testing

/// What was recorded of an event that is another one now.
@Suite(.hangLimit) struct VersionTests {
  /// The request as it once was: what is named so in today's table is another type.
  enum First {
    struct RequestNote: ViewModelEvent, Codable {
      static let name = "RequestNote"
      var text = ""
    }
  }

  enum Second {
    struct RequestNote: ViewModelEvent, UpgradedEvent {
      static let name = "RequestNote"
      static let version = 2
      static let upgrades: [Int: @Sendable (JSON) -> JSON] = [
        1: { $0.renaming("text", to: "title") }
      ]
      var title = ""
    }
  }

  enum Third {
    struct RequestNote: ViewModelEvent, UpgradedEvent {
      static let name = "RequestNote"
      static let version = 3
      static let upgrades: [Int: @Sendable (JSON) -> JSON] = [
        1: { $0.renaming("text", to: "title") },
        2: { $0.adding("tags", .array([])) },
      ]
      var title = ""
      var tags: [String] = []
    }
  }

  /// A third version that nobody leads to from the first.
  enum Gap {
    struct RequestNote: ViewModelEvent, UpgradedEvent {
      static let name = "RequestNote"
      static let version = 3
      static let upgrades: [Int: @Sendable (JSON) -> JSON] = [2: { $0 }]
      var title = ""
    }
  }

  /// Another request of the first version.
  enum Changed {
    struct RequestNote: ViewModelEvent, Codable {
      static let name = "RequestNote"
      var text = 0
    }
  }

  /// A request with a record of today, and one with the record as it is later.
  enum Smaller {
    struct Box: Codable, Sendable, Equatable, GrowingValue {
      static let _newForm: JSON? = .object([.init("title", .string(""))])
      var title = ""
    }
    struct RequestKeep: ViewModelEvent, Codable {
      static let name = "RequestKeep"
      var boxes: [Box] = []
    }
  }

  enum Larger {
    struct Box: Codable, Sendable, Equatable, GrowingValue {
      static let _newForm: JSON? = .object([
        .init("title", .string("")), .init("depth", .integer(3)),
      ])
      var title = ""
      var depth = 3

      init(title: String, depth: Int = 3) { (self.title, self.depth) = (title, depth) }

      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decode(String.self, forKey: .title)
        depth = try values.decodeIfPresent(Int.self, forKey: .depth) ?? Self.readDepth
      }

      /// What a program reads where nothing was written; of another one that has changed its mind.
      nonisolated(unsafe) static var readDepth = 3
    }
    struct RequestKeep: ViewModelEvent, Codable, Equatable {
      static let name = "RequestKeep"
      var boxes: [Box] = []
    }
  }

  private func replay<E: Event & Decodable>(
    _ event: some ViewModelEvent,
    as type: E.Type
  ) throws -> (SessionReplay.Verdict, [E]) {
    let text = try GreetingSession.record { port, _, _ in port.send(event) }
    let recording = try Recording(Array(text.utf8), named: "r")
    let world = RecordedEnvironment(recording.header)
    let context = AppContext(environment: world.environment)
    context.add(Greeter(), SessionRecorder())
    let heard = Locked<[E]>([])
    context.stream.on(type) { event, _ in heard.withLock { $0.append(event) } }
    let verdict = SessionReplay(recording, world, on: context.stream, inputs: [type]).run()
    return (verdict, heard.withLock { $0 })
  }

  @Test func `upgrades chain from version to version`() throws {
    let (verdict, heard) = try replay(First.RequestNote(text: "Milk"), as: Third.RequestNote.self)
    #expect(verdict.divergence?.text == nil)
    #expect(heard == [Third.RequestNote(title: "Milk", tags: [])])
    let (_, later) = try replay(Second.RequestNote(title: "Milk"), as: Third.RequestNote.self)
    #expect(later == [Third.RequestNote(title: "Milk", tags: [])])
  }

  @Test func `a version that nobody can read any more is refused`() throws {
    let (verdict, heard) = try replay(First.RequestNote(text: "Milk"), as: Gap.RequestNote.self)
    #expect(
      verdict.divergence?.actual
        == "no upgrade says how version 1 of RequestNote reads in its version 3"
    )
    #expect(heard == [])
  }

  @Test func `an older program refuses what a newer one has recorded`() throws {
    let (verdict, _) = try replay(Second.RequestNote(title: "Milk"), as: First.RequestNote.self)
    #expect(
      verdict.divergence?.actual
        == "no upgrade says how version 2 of RequestNote reads in its version 1"
    )
  }

  @Test func `a field that was added to a record has its value of a new one, and nothing diverges`()
    throws
  {
    let kept = Smaller.RequestKeep(boxes: [.init(title: "Books"), .init(title: "Lamps")])
    let (verdict, heard) = try replay(kept, as: Larger.RequestKeep.self)
    #expect(verdict.divergence?.text == nil)
    #expect(heard == [.init(boxes: [.init(title: "Books"), .init(title: "Lamps")])])

    Larger.Box.readDepth = 4
    defer { Larger.Box.readDepth = 3 }
    let (other, _) = try replay(kept, as: Larger.RequestKeep.self)
    #expect(
      other.divergence?.differences == [
        "body.boxes[0].depth: nothing expected, 4 got",
        "body.boxes[1].depth: nothing expected, 4 got",
      ]
    )
    // A field that is gone is a difference nevertheless.
    let (gone, _) = try replay(
      Larger.RequestKeep(boxes: [.init(title: "Books")]),
      as: Smaller.RequestKeep.self
    )
    #expect(
      gone.divergence?.actual
        == "another RequestKeep of the same version 1: Box: 'depth' was Int, is gone"
    )
  }

  /// An event that has another in a field, before and after the other one got a new version.
  enum Old {
    struct ResponseNoted: ViewModelEvent, Codable {
      static let name = "ResponseNoted"
      var next: First.RequestNote?
    }
  }

  enum New {
    struct ResponseNoted: ViewModelEvent, Codable {
      static let name = "ResponseNoted"
      var next: Third.RequestNote?
    }
  }

  @Test func `an event in a field of another one has its own version`() throws {
    let (verdict, _) = try replay(Old.ResponseNoted(), as: New.ResponseNoted.self)
    #expect(verdict.divergence == nil)
    // It is not upgraded there.
    let inner = Old.ResponseNoted(next: First.RequestNote(text: "Milk"))
    let (other, heard) = try replay(inner, as: New.ResponseNoted.self)
    #expect(other.divergence != nil)
    #expect(heard == [])
  }

  @Test func `a shape that changed without a version is refused, and the difference is said`()
    throws
  {
    let (verdict, _) = try replay(First.RequestNote(text: "Milk"), as: Changed.RequestNote.self)
    #expect(
      verdict.divergence?.actual
        == "another RequestNote of the same version 1: RequestNote: 'text' was String, is Int"
    )
  }
}
