import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import EventValues
import Testing

@testable import todostream_profile

/// The profile's view model, with controllers and views of a script.
@Suite(.hangLimit) struct ProfileViewModelTests {
  @Test func `it keeps the plugin laws`() {
    PluginLaws.check { Profiles() }
    PluginLaws.check { ControllerServer(ScriptedNetwork(), ScriptedImages()) }
  }

  @Test func `S87 what a view binds to is ready to be shown`() throws {
    let rig = try ProfileRig(images: ScriptedImages((0, 3)))
    rig.add("Ann Lee", friends: 2, avatar: "a")
    let shown = try #require(rig.show(1).value)
    #expect(shown.name == "ANN LEE")
    #expect(shown.friends == "This user has 2 friends")
    #expect(shown.avatar.width == 3)
    var page = Page()
    shown.show(on: &page)
    #expect(page.text == "#1 ANN LEE\nThis user has 2 friends\nimage of 3 × 2\n")
  }

  @Test(arguments: [(0, "0 friends"), (1, "1 friend"), (2, "2 friends")])
  func `S93 N friends are said as one says it`(_ number: Int, _ words: String) throws {
    let rig = try ProfileRig(images: ScriptedImages())
    rig.add("Ann", friends: number)
    #expect(rig.show(1).value?.friends == "This user has \(words)")
  }

  @Test func `S93 it starts with the given user, before anything is loaded`() throws {
    let rig = try ProfileRig(images: ScriptedImages((4, 3)))
    rig.add("Ann", friends: 7, avatar: "a")
    let showing = rig.show(1)
    let model = try #require(rig.shown.viewModel)
    #expect(model.name.value == "ANN")
    #expect(model.friends.value == "This user has 7 friends")
    #expect(model.avatar.value.kind == .placeholder)
    #expect(!model.isRefreshing.value)
    #expect(showing.count == 0)
  }

  @Test func `S93 each property is read-only outside, and assigned from one place`() throws {
    let rig = try ProfileRig(images: ScriptedImages())
    rig.add("Ann")
    rig.show(1)
    let model = try #require(rig.shown.viewModel)
    let outputs: [Any] = [
      model.display, model.name, model.friends, model.avatar, model.isRefreshing,
    ]
    for output in outputs { #expect(output is any ReadableState) }
    #expect(!outputs.contains { $0 is State<String> || $0 is State<Bool> })
    let source = try ProfileSources.text("ProfileViewModel.swift")
    #expect(source.matches(of: /turn\.set\(shown/).count == 1)
    #expect(source.contains("private let shown: State<ProfileDisplay>"))
  }

  @Test func `S59 a placeholder, the image of the cache, the image of the network`() throws {
    let rig = try ProfileRig(images: ScriptedImages((1, 3), (4, 5)))
    rig.add("Ann", avatar: "a")
    let view = rig.view()
    let showing = rig.show(1)
    rig.advance(seconds: 1)
    #expect(showing.count == 0)
    rig.advance(seconds: 4)
    #expect(view.lines == ["nobody", "ANN placeholder", "ANN image 3×2", "ANN image 5×2"])
    #expect(showing.value?.line == "ANN image 5×2")
    #expect(showing.count == 1)
  }

  @Test func `S90 controllers that answer at once look like those that take their time`() throws {
    let slow = try ProfileRig(images: ScriptedImages((0, 3), (0, 5)))
    let fast = try ProfileRig { _ in SynchronousControllers() }
    var seen: [[String]] = []
    for rig in [slow, fast] {
      rig.add("Ann", avatar: "a")
      let view = rig.view()
      #expect(rig.show(1).value?.line == "ANN image 5×2")
      seen.append(view.lines)
    }
    #expect(seen[0] == ["nobody", "ANN placeholder", "ANN image 3×2", "ANN image 5×2"])
    #expect(seen[1] == seen[0])
  }

  @Test func `S92 a view is bound anew when the view model is swapped`() throws {
    let rig = try ProfileRig(images: ScriptedImages((4, 3)))
    rig.add("Ann", avatar: "a")
    rig.add("Bob", avatar: "b")
    let view = rig.view()
    let first = rig.show(1)
    weak let ann = rig.shown.viewModel
    let second = rig.show(2)
    rig.advance(seconds: 4)
    #expect(view.lines == ["nobody", "ANN placeholder", "BOB placeholder", "BOB image 3×2"])
    #expect(first.failure == Failure(.cancelled, "Something else is shown by now."))
    #expect(second.value?.name == "BOB")
    #expect(ann == nil)
  }

  @Test func `S91 of two loads the latest counts`() throws {
    let rig = try ProfileRig(images: ScriptedImages((4, 3)))
    rig.add("Ann", avatar: "a")
    let view = rig.view()
    let first = rig.show(1)
    rig.advance(seconds: 2)
    let second = rig.show(1)
    rig.advance(seconds: 2)
    #expect(view.lines == ["nobody", "ANN placeholder"])
    #expect(first.failure?.kind == .cancelled)
    rig.advance(seconds: 2)
    #expect(second.value?.line == "ANN image 3×2")
    #expect(view.lines == ["nobody", "ANN placeholder", "ANN image 3×2"])
  }

  @Test func `S91 refresh is disabled while it executes, and enabled again`() throws {
    let rig = try ProfileRig(images: ScriptedImages((1, 3)))
    rig.add("Ann", friends: 3, avatar: "a", source: "s")
    rig.show(1)
    rig.advance(seconds: 1)
    let view = rig.view()
    let first = rig.say(RequestRefresh())
    let second = rig.say(RequestRefresh())
    #expect(second.failure == Failure(.usage, "'refresh' is under way; wait for its end."))
    rig.advance(seconds: 1)
    rig.advance(seconds: 1)
    #expect(first.value?.line == "ANN LEE image 3×2")
    #expect(first.value?.friends == "This user has 1 friend")
    #expect(
      view.lines == [
        "ANN image 3×2", "ANN image 3×2 refreshing", "ANN LEE image 3×2 refreshing",
        "ANN LEE image 3×2",
      ]
    )
    let third = rig.say(RequestRefresh())
    rig.advance(seconds: 1)
    rig.advance(seconds: 1)
    #expect(third.value != nil)
  }

  @Test func `S95 an error surfaces at the view model, and what was there stays`() throws {
    let network = ScriptedNetwork(answer: .failure(Failure(.service, "The service is asleep.")))
    let rig = try ProfileRig(network: network, images: ScriptedImages((0, 3)))
    rig.add("Ann", friends: 3, avatar: "a", source: "s")
    rig.show(1)
    let view = rig.view()
    let refreshing = rig.say(RequestRefresh())
    rig.advance(seconds: 1)
    #expect(refreshing.failure == Failure(.service, "The service is asleep."))
    #expect(
      view.lines == [
        "ANN image 3×2", "ANN image 3×2 refreshing", "ANN image 3×2: The service is asleep.",
      ]
    )
  }

  @Test func `S95 an image that can't be had is an error, and none of the profile's`() throws {
    let images = ScriptedImages(failure: Failure(.service, "It is not there."))
    let rig = try ProfileRig(images: images)
    rig.add("Ann", avatar: "a")
    #expect(rig.show(1).value?.line == "ANN error: It is not there.")
  }

  @Test func `S94 without an address there is a placeholder, and nothing else happens`() throws {
    let rig = try ProfileRig(images: ScriptedImages((4, 3)))
    rig.add("Ann")
    #expect(rig.show(1).value?.line == "ANN placeholder")
    #expect(rig.clock.sleeperCount == 0)
  }

  @Test func `S64 cancelling is passed on to the controller, and the refresh is over`() throws {
    let rig = try ProfileRig(images: ScriptedImages((4, 3)))
    rig.add("Ann", avatar: "a", source: "s")
    rig.show(1)
    let refreshing = rig.say(RequestRefresh())
    #expect(rig.clock.sleeperCount == 2)
    rig.person.cancel(try #require(refreshing.conversation))
    rig.drain()
    #expect(rig.clock.sleeperCount == 1)
    #expect(refreshing.count == 1)
    #expect(refreshing.value == nil)
    #expect(rig.shown.viewModel?.isRefreshing.value == false)
    #expect(rig.say(RequestRefresh()).count == 0)
  }

  @Test func `what a script showed and took back is shown no more`() throws {
    let rig = try ProfileRig(images: ScriptedImages((1, 3)))
    rig.add("Ann", friends: 3, avatar: "a", source: "s")
    rig.show(1)
    rig.advance(seconds: 1)
    let view = rig.view()
    var unit: StreamUnit?
    rig.person.begin(.allOrNothing) { result, _ in unit = try? result.get() }
    var inside: ProfileDisplay?
    unit?.request(RequestRefresh()) { result, _ in inside = try? result.get().result.get() }
    rig.drain()
    rig.advance(seconds: 1)
    rig.advance(seconds: 1)
    #expect(inside?.line == "ANN LEE image 3×2")
    unit?.rollBack { _, _ in }
    rig.drain()
    #expect(view.lines == ["ANN image 3×2"])
    #expect(rig.say(RequestProfile()).value?.line == "ANN image 3×2")
    #expect(rig.say(RequestProfile()).value?.friends == "This user has 3 friends")
  }

  /// Says something in a script, which is taken back some seconds later; gives what came of it.
  private func rolledBack(
    _ rig: ProfileRig,
    after seconds: Int,
    _ command: some ProfileCommand
  ) -> String? {
    var unit: StreamUnit?
    rig.person.begin(.allOrNothing) { result, _ in unit = try? result.get() }
    var inside: String?
    unit?.request(command) { result, _ in inside = try? result.get().result.get().line }
    rig.drain()
    for _ in 0..<seconds { rig.advance(seconds: 1) }
    unit?.rollBack { _, _ in }
    rig.drain()
    return inside
  }

  @Test(arguments: [false, true])
  func `a refresh of a script that is taken back meanwhile can be had again`(
    _ isCancelled: Bool
  ) throws {
    let rig = try ProfileRig(images: ScriptedImages((1, 3)))
    rig.add("Ann", friends: 3, avatar: "a", source: "s")
    rig.show(1)
    rig.advance(seconds: 1)
    var unit: StreamUnit?
    rig.person.begin(.allOrNothing) { result, _ in unit = try? result.get() }
    var inside: Result<ProfileDisplay, Failure>?
    unit?
      .request(RequestRefresh()) { result, _ in
        inside = result.mapError { Failure($0) }.flatMap(\.result)
      }
    rig.drain()
    if isCancelled { unit?.cancel() }
    var isOver = false
    unit?.rollBack { _, _ in isOver = true }
    rig.drain()
    rig.advance(seconds: 1)
    rig.advance(seconds: 1)
    #expect(isOver)
    #expect((try? inside?.get().line) == (isCancelled ? nil : "ANN LEE image 3×2"))
    #expect(rig.say(RequestProfile()).value?.name == "ANN")
    #expect(rig.shown.viewModel?.isRefreshing.value == false)
    let again = rig.say(RequestRefresh())
    rig.advance(seconds: 1)
    rig.advance(seconds: 1)
    #expect(again.value?.line == "ANN LEE image 3×2")
  }

  @Test func `views and whoever asks see the same behind a script that loaded another image`()
    throws
  {
    let widths = Locked([3, 5])
    let rig = try ProfileRig { _ in
      ControllerServer(ScriptedNetwork(), ChangingImages(widths: widths))
    }
    rig.add("Ann", avatar: "a")
    rig.show(1)
    let view = rig.view()
    #expect(view.lines == ["ANN image 3×2"])
    let show = RequestShow(id: RecordReference(1))
    #expect(rolledBack(rig, after: 0, show) == "ANN image 5×2")
    #expect(rig.say(RequestProfile()).value?.line == "ANN image 5×2")
    #expect(view.lines == ["ANN image 3×2", "ANN image 5×2"])
  }

  @Test func `views and whoever asks see the same behind a script that showed another user`()
    throws
  {
    let rig = try ProfileRig(images: ScriptedImages((1, 3)))
    rig.add("Ann", avatar: "a")
    rig.add("Bob", avatar: "b")
    rig.show(1)
    rig.advance(seconds: 1)
    let view = rig.view()
    let changes = Locked<[[Int]]>([])
    rig.person.on(ResponseProfileChange.self) { change, _ in
      changes.withLock { $0.append(change.changedIDs) }
    }
    let show = RequestShow(id: RecordReference(2))
    #expect(rolledBack(rig, after: 1, show) == "BOB image 3×2")
    #expect(rig.say(RequestProfile()).value?.line == "BOB image 3×2")
    #expect(view.lines.first == "ANN image 3×2")
    #expect(view.lines.last == "BOB image 3×2")
    #expect(view.lines.count == 2, "\(view.lines)")
    #expect(changes.withLock { $0 } == [[2]])
  }

  @Test func `who is gone is shown no more`() throws {
    let rig = try ProfileRig(images: ScriptedImages())
    rig.add("Ann")
    let view = rig.view()
    rig.show(1)
    let changes = Locked<[[Int]]>([])
    rig.person.on(ResponseProfileChange.self) { change, _ in
      changes.withLock { $0.append(change.changedIDs) }
    }
    var references = Target<User>()
    try references.take(word: "1")
    rig.say(RequestRemoveUser(id: references))
    #expect(changes.withLock { $0 } == [[1]])
    #expect(rig.say(RequestUsers()).value?.users == [])
    #expect(changes.withLock { $0 } == [[1]])
    #expect(view.lines == ["nobody", "ANN placeholder", "nobody"])
    #expect(
      rig.say(RequestProfile()).failure
        == Failure(.notFound, "Nobody is shown; 'show 1' shows #1.")
    )
  }

  @Test(
    arguments: [
      ("", 0, nil, "Say who, in at most 4096 bytes."),
      ("Ann", 1_000_000_001, nil, "Nobody has that many friends."),
      ("Ann", 0, "file:///etc/passwd", "'file:///etc/passwd' is no address of the web."),
      ("Ann", 0, "/a.png", "'/a.png' is no address of the web."),
      ("Ann", 0, "ftp://h/x?token=secret", "'ftp://h/x' is no address of the web."),
      (
        "Ann", 0, "http://ann:secret@host/a",
        "An address of the web has no user and no password here."
      ),
      ("Ann", 0, "http://a/\u{1B}", "'http://a/\u{1B}' is no address of the web."),
    ] as [(String, Int, String?, String)]
  )
  func `a user that can't be is refused`(
    _ name: String,
    _ friends: Int,
    _ avatar: String?,
    _ words: String
  ) throws {
    let rig = try ProfileRig(images: ScriptedImages())
    var request = RequestAddUser()
    (request.name, request.friends, request.avatar) = (name, Count(friends), avatar)
    #expect(rig.say(request).failure?.message == words)
  }
}

/// Answers everything at once, on the home thread.
private struct SynchronousControllers: Plugin {
  let name = "controllers"

  func join(_ stream: EventStream) {
    stream.answer(RequestUser.self) { _, _ in User(name: "ann lee") }
    stream.answer(RequestImages.self) { request, turn in
      for width in [3, 5] {
        turn.send(
          ResponseImage(load: request.load, picture: Picture(width: width, height: 2, bytes: 9))
        )
      }
      return request.load
    }
  }
}

/// Finds another image each time.
private struct ChangingImages: ImageController {
  let widths: Locked<[Int]>

  func images(at address: String?, _ take: @escaping @Sendable (Picture) -> Void) async throws {
    take(Picture(width: widths.withLock { $0.removeFirst() }, height: 2, bytes: 9))
  }
}
