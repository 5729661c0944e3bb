import EventMVVM
import EventMVVMTesting
import Testing

@testable import todostream_profile

/// A view before a view model of a script, and the five roles.
@Suite(.hangLimit) struct ScriptedProfileTests {
  @Test func `S95 a fake view model: a placeholder, four seconds, the final image`() {
    let executor = DrainExecutor()
    let stream = EventStream(environment: Environment(executor: executor))
    let clock = TestClock()
    let model = ScriptedViewModel(clock, on: stream)
    let view = BoundView(model.display)
    stream.send(RequestPlay())
    executor.drain()
    #expect(view.lines == ["FAKE placeholder"])
    clock.advance(by: .milliseconds(3_999))
    executor.drain()
    #expect(view.lines == ["FAKE placeholder"])
    clock.advance(by: .milliseconds(1))
    executor.drain()
    #expect(view.lines == ["FAKE placeholder", "FAKE image 64×64"])
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

/// A view model without models.
private final class ScriptedViewModel: Sendable {
  let display: State<ProfileDisplay?>

  init(_ clock: TestClock, on stream: EventStream) {
    display = State(Self.display(.placeholder, nil), name: "display", on: stream)
    stream.on(RequestPlay.self, owner: self) { model, _, turn in
      turn.perform { [display = model.display] _ in
        try? await clock.sleep(for: .seconds(4))
        display.set(Self.display(.image, 64))
      }
    }
  }

  private static func display(_ kind: ProfileDisplay.Kind, _ size: Int?) -> ProfileDisplay {
    ProfileDisplay(
      id: 1,
      name: "FAKE",
      friends: "This user has 1 friend",
      avatar: .init(kind: kind, address: nil, width: size, height: size, bytes: nil),
      isRefreshing: false,
      problem: nil
    )
  }
}
