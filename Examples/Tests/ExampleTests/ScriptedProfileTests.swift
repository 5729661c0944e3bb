import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventValues
import Testing

@testable import todostream_profile

/// A view before a view model of a script, and the five roles.
@Suite(.hangLimit) struct ScriptedProfileTests {
  @Test func `S95 a fake view model: a placeholder, four seconds, the final image`() {
    let rig = ScriptedRig(.image)
    #expect(rig.pages == [ScriptedRig.page("(no image)")])
    #expect(rig.told == [ScriptedRig.json(#"{"kind":"placeholder"}"#)])
    rig.advance(by: .milliseconds(3_999))
    #expect(rig.pages.count == 1 && rig.told.count == 1)
    rig.advance(by: .milliseconds(1))
    #expect(rig.pages.dropFirst() == [ScriptedRig.page("image of 64 × 64")])
    #expect(rig.told.dropFirst() == [ScriptedRig.json(#"{"kind":"image","width":64,"height":64}"#)])
  }

  @Test func `S95 a fake view model's error is shown by the view as any other`() {
    let rig = ScriptedRig(.error)
    rig.advance(by: .seconds(4))
    #expect(
      rig.pages == [
        ScriptedRig.page("(no image)"), ScriptedRig.page("(no image)  It is not there."),
      ]
    )
    #expect(
      rig.told.last == ScriptedRig.json(#"{"kind":"error"}"#, #","problem":"It is not there.""#)
    )
  }

  @Test(arguments: ProfileSources.roles)
  func `S88 a role knows what is beneath it, and nothing else`(
    _ role: ProfileSources.Role
  )
    throws
  {
    let text = try ProfileSources.text(role.file)
    #expect(ProfileSources.names(role.own, in: text), "\(role.own)")
    for name in role.hiddenNames {
      #expect(!ProfileSources.names(name, in: text), "\(name)")
    }
  }

  @Test func `S88 the raw model is not the model object`() throws {
    let raw = try RawUser(
      Array(#"{"full_name":"Ann","friends_count":2,"avatar_url":"a.png"}"#.utf8)
    )
    #expect(
      try raw.user(from: "http://host/users/1")
        == User(
          name: "Ann",
          friends: 2,
          avatar: "http://host/users/a.png",
          source: "http://host/users/1"
        )
    )
  }

  @Test(
    arguments: [
      "file:///etc/passwd", "http://ann:secret@host/a.png", "//ann@host/a.png", "data:,a", "",
      "http://host/" + String(repeating: "a", count: 2037),
    ]
  )
  func `S88 where a service says that an image is, is asked only on the web`(
    _ avatar: String
  )
    throws
  {
    let page = #"{"full_name":"Ann","friends_count":2,"avatar_url":"\#(avatar)"}"#
    let raw = try RawUser(Array(page.utf8))
    #expect(throws: Failure(.service, "The service answers with a user that can't be.")) {
      try raw.user(from: "http://host/users/1")
    }
  }

  @Test func `S88 an address of an image has at most 2048 bytes`() throws {
    let avatar = "http://host/" + String(repeating: "a", count: 2036)
    let raw = try RawUser(
      Array(#"{"full_name":"Ann","friends_count":2,"avatar_url":"\#(avatar)"}"#.utf8)
    )
    #expect(try raw.user(from: "http://host/users/1").avatar == avatar)
  }
}

private struct RequestPlay: ViewModelEvent {}

/// The profile's own view, on a page and as programs are told of it, before a view model of a
/// script.
private final class ScriptedRig {
  private let executor = DrainExecutor()
  private let clock = TestClock()
  private let app: AppContext
  private let model: ScriptedViewModel
  private let watch: NamedStateWatch
  private let written = Locked<(pages: [String], told: [String])>(([], []))

  init(_ end: ProfileDisplay.Kind) {
    app = AppContext(environment: Environment(executor: executor))
    model = ScriptedViewModel(end, clock, on: app.stream)
    app.stream.show(model.display.named(.profile))
    let view = app.port(named: "view")
    watch = view.watch(StateName.profile.name) { [written] value in
      written.withLock { $0.told.append(String(decoding: value, as: UTF8.self)) }
    }
    model.display.observe { [written] display, _ in
      var page = Page()
      display?.show(on: &page)
      written.withLock { $0.pages.append(page.text) }
    }
    view.send(RequestPlay())
    drain()
  }

  var pages: [String] { written.withLock { $0.pages } }
  var told: [String] { written.withLock { $0.told } }

  func advance(by duration: Duration) {
    clock.advance(by: duration)
    drain()
  }

  private func drain() {
    repeat { app.stream.deliver() } while executor.drain()
  }

  static func page(_ image: String) -> String {
    "#1 FAKE\nThis user has 1 friend\n\(image)\n"
  }

  static func json(_ avatar: String, _ problem: String = "") -> String {
    #"{"id":1,"name":"FAKE","friends":"This user has 1 friend","avatar":\#(avatar),"#
      + #""isRefreshing":false\#(problem)}"#
  }
}

/// A view model without models.
private final class ScriptedViewModel: Sendable {
  let display: State<ProfileDisplay?>

  init(_ end: ProfileDisplay.Kind, _ clock: TestClock, on stream: EventStream) {
    display = State(Self.display(.placeholder), name: "display", on: stream)
    stream.on(RequestPlay.self, owner: self) { model, _, turn in
      turn.perform { [display = model.display] _ in
        try? await clock.sleep(for: .seconds(4))
        display.set(Self.display(end))
      }
    }
  }

  private static func display(_ kind: ProfileDisplay.Kind) -> ProfileDisplay {
    let size = kind == .image ? 64 : nil
    return ProfileDisplay(
      id: 1,
      name: "FAKE",
      friends: "This user has 1 friend",
      avatar: .init(kind: kind, address: nil, width: size, height: size, bytes: nil),
      isRefreshing: false,
      problem: kind == .error ? "It is not there." : nil
    )
  }
}
