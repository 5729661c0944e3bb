import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventValues
import Testing

@testable import todostream_messages

/// One story of a flow (S96) with a navigation controller, and here: which screens are open, in
/// their order.
@Suite(.hangLimit) struct FlowStoriesTests {
  private static let story = [
    "bob: Lunch", "bob: Lunch > to bob", "bob: Lunch", "ann: Hello", "ann: Hello > to ann",
    "ann: Hello", "",
  ]

  @Test func `S96 coordinators of view controllers tell the story`() throws {
    let navigation = UIKit.UINavigationController()
    var seen: [String] = []
    var sent: [String] = []
    var asked: [(Result<Void, Failure>) -> Void] = []
    let messages = UIKit.MessagesCoordinator(navigation, MessagesHouse.mail) { text, then in
      sent.append(text)
      asked.append(then)
    }
    messages.start()
    navigation.didShow = { screens in
      seen.append(screens.dropFirst().compactMap(\.title).joined(separator: " > "))
    }
    try messages.showMessage(1)
    (navigation.topViewController as? UIKit.MessageViewController)?.didTapReply()
    #expect(messages.childCoordinators.count == 1)
    (navigation.topViewController as? UIKit.LetterViewController)?.didTapCancel()
    #expect(messages.childCoordinators.isEmpty)
    #expect(try messages.follow(["1", "reply"]))
    let letter = try #require(navigation.topViewController as? UIKit.LetterViewController)
    #expect(throws: Failure(.validation, "Say something.", field: "text")) {
      try letter.didTapSend()
    }
    letter.text = "Yes"
    try letter.didTapSend()
    try letter.didTapSend()
    asked.removeFirst()(.failure(MessagesHouse.noMailbox))
    #expect(letter.problem == "No mailbox.")
    try letter.didTapSend()
    asked.removeFirst()(.success(()))
    #expect(sent == ["Yes", "Yes"])
    navigation.popViewController(animated: true)
    #expect(seen == Self.story)
    #expect(try !messages.follow(["1", "delete"]))
    #expect(throws: Failure(.notFound, "There is no row 9.", field: "index")) {
      try messages.follow(["9"])
    }
  }

  @Test func `S96 coordinators on the stream tell the same story`() throws {
    let house = try MessagesHouse(.reducer)
    house.test.add(Navigator([MessageFlow()]))
    house.fetch()
    let seen = Locked<[String]>([])
    house.test.stream.on(ResponseScreenChange.self) { change, _ in
      let titles = change.screens.map(\.title).joined(separator: " > ")
      // That a letter has text now is a change of its screen, too.
      seen.withLock { if $0.last != titles { $0.append(titles) } }
    }
    house.test.skip()
    _ = house.test.request(RequestScreens())
    house.test.skip()
    _ = try house.say(RequestMessage(index: Count(2)))
    _ = try house.say(RequestReply())
    _ = try house.say(RequestCancel())
    var link = RequestOpen()
    link.route = try ["1", "reply"].map { try Subject(word: $0) }
    _ = try house.say(link)
    #expect(throws: Failure(.validation, "Say something; 'text' takes it.", field: "text")) {
      try house.say(RequestSend())
    }
    _ = try house.say(RequestText(text: "Yes"))
    _ = try house.say(RequestSend())
    #expect(house.mailbox.sent.withLock { $0.map(\.text) } == ["Yes"])
    _ = try house.say(RequestBack())
    #expect(seen.withLock { $0 } == Self.story)
  }
}
