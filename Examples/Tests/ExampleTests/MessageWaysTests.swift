import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import EventValues
import Testing

@testable import todostream_messages

/// One feature in three ways, side by side: each test is run with each of them.
@Suite(.hangLimit) struct MessageWaysTests {
  @Test(arguments: MessageWay.allCases)
  func `it keeps the plugin laws`(_ way: MessageWay) {
    PluginLaws.check { way.make() }
    PluginLaws.check { MailServer(ScriptedMailbox()) }
  }

  @Test(arguments: MessageWay.allCases)
  func `S98 S99 S103 a fetch puts loading on, then the list there, and loading off`(
    _ way: MessageWay
  ) throws {
    let house = try MessagesHouse(way)
    let seen = house.watch()
    let answer = house.beginFetch()
    #expect(seen.withLock { $0 } == ["", " …"])
    #expect(answer.withLock { $0 } == nil)
    house.mailbox.answer(.success(MessagesHouse.mail))
    house.test.skip()
    #expect(seen.withLock { $0 } == ["", " …", "", "Hello Lunch News"])
    #expect(try answer.withLock { $0 }?.get().messages.map(\.from) == ["ann", "bob", "cid"])
    #expect(try answer.withLock { $0 }?.get().isLoading == false)
  }

  @Test(arguments: MessageWay.allCases)
  func `S100 S103 a mailbox that fails puts loading off, and the failure is the fetch's`(
    _ way: MessageWay
  ) throws {
    let house = try MessagesHouse(way)
    house.fetch()
    let seen = house.watch()
    let answer = house.beginFetch()
    house.mailbox.answer(.failure(Failure(.notFound, "No mailbox.")))
    house.test.skip()
    #expect(
      seen.withLock { $0 } == ["Hello Lunch News", "Hello Lunch News …", "Hello Lunch News"]
    )
    #expect(answer.withLock { $0 } == .failure(Failure(.notFound, "No mailbox.")))
  }

  @Test(arguments: MessageWay.allCases)
  func `S100 what is no message is told of, and the rest is fetched`(_ way: MessageWay) throws {
    let house = try MessagesHouse(way)
    let answer = house.beginFetch()
    house.mailbox.answer(.success(MessagesHouse.mail), skipping: ["box/4: it is no message."])
    house.test.skip()
    let view = try #require(answer.withLock { $0 }).get()
    #expect(view.messages.map(\.title) == ["Hello", "Lunch", "News"])
    var page = Page()
    view.show(on: &page)
    #expect(page.text.hasSuffix("3 * cid: News\nwarning: box/4: it is no message.\n"))
    #expect(try house.say(RequestMessages()).skipped == nil)
  }

  @Test(arguments: MessageWay.allCases)
  func `S32 of two fetches at once the last one puts loading off, and nothing is there twice`(
    _ way: MessageWay
  ) throws {
    let house = try MessagesHouse(way)
    _ = house.beginFetch()
    _ = house.beginFetch()
    let seen = house.watch()
    house.mailbox.answer(.success(MessagesHouse.mail))
    house.test.skip()
    #expect(seen.withLock { $0 }.last == "Hello Lunch News …")
    house.mailbox.answer(.success(MessagesHouse.mail))
    house.test.skip()
    #expect(seen.withLock { $0 }.last == "Hello Lunch News")
    #expect(try house.say(RequestMessages()).messages.map(\.id) == [1, 2, 3])
  }

  @Test(arguments: MessageWay.allCases)
  func `S32 what two conversations keep at once is there once, and counted once`(
    _ way: MessageWay
  ) throws {
    let house = try MessagesHouse(way)
    let found = Locked<[Int]>([])
    house.test.stream.begin(.keepGoing) { _, turn in
      // Both have read what is known before either writes.
      for _ in 1...2 {
        turn.request(RequestKeepMail(mail: MessagesHouse.mail)) { result, _ in
          found.withLock { $0.append((try? result.get().result.get().count) ?? -1) }
        }
      }
    }
    house.test.skip()
    #expect(found.withLock { $0 } == [3, 3])
    let kept = try #require(house.test.request(RequestRecords<todostream_messages.Message>())).get()
      .result.get()
    house.test.skip()
    #expect(kept.map(\.value.mail) == ["1", "2", "3"])
  }

  @Test(arguments: MessageWay.allCases)
  func `S103 remove takes the row away that has the index`(_ way: MessageWay) throws {
    let house = try MessagesHouse(way)
    house.fetch()
    let seen = house.watch()
    #expect(
      try house.say(RequestRemove(index: Count(2))).messages.map(\.title) == ["Hello", "News"]
    )
    #expect(seen.withLock { $0 } == ["Hello Lunch News", "Hello News"])
    house.fetch()
    #expect(seen.withLock { $0 }.last == "Hello News")
  }

  @Test(arguments: MessageWay.allCases, [0, 4, Int.max])
  func `S102 the middle layer refuses a row that is not there`(
    _ way: MessageWay,
    _ index: Int
  ) throws {
    let house = try MessagesHouse(way)
    #expect(
      throws: Failure(
        .notFound,
        "There is no row \(index); the list is empty.",
        field: "index"
      )
    ) { try house.say(RequestRemove(index: Count(index))) }
    house.fetch()
    #expect(
      throws: Failure(
        .notFound,
        "There is no row \(index); the list has 1 to 3.",
        field: "index"
      )
    ) { try house.say(RequestMessage(index: Count(index))) }
  }

  @Test(arguments: MessageWay.allCases)
  func `S103 to show a message is to read it`(_ way: MessageWay) throws {
    let house = try MessagesHouse(way)
    house.fetch()
    #expect(
      try house.say(RequestMessage(index: Count(2)))
        == MessageView(id: 2, from: "bob", title: "Lunch", text: "At one?")
    )
    #expect(try house.say(RequestMessages()).messages.map(\.isRead) == [false, true, false])
    #expect(house.plugin.view?.value.messages.map(\.isRead) == [false, true, false])
  }

  @Test(arguments: MessageWay.allCases)
  func `S101 the first event is not lost to a view that binds late`(_ way: MessageWay) throws {
    let house = try MessagesHouse(way)
    // The view has loaded, says so, and binds afterwards: before anything is delivered, and behind
    // it all.
    house.test.stream.send(RequestFetch())
    let early = house.watch()
    house.mailbox.answer(.success(MessagesHouse.mail))
    house.test.skip()
    let late = house.watch()
    #expect(early.withLock { $0 } == [" …", "", "Hello Lunch News"])
    #expect(late.withLock { $0 } == ["Hello Lunch News"])
  }

  @Test(arguments: MessageWay.allCases)
  func `what a script takes back was never in the list`(_ way: MessageWay) throws {
    let house = try MessagesHouse(way)
    house.fetch()
    let seen = house.watch()
    for isCommitted in [false, true] {
      let begun = Locked<StreamUnit?>(nil)
      house.test.stream.begin(.allOrNothing) { result, _ in
        begun.withLock { $0 = try? result.get() }
      }
      house.test.skip()
      let unit = begun.withLock { $0 }
      let answer = Locked<MessagesView?>(nil)
      unit?.request(RequestRemove(index: Count(1))) { _, _ in }
      unit?
        .request(RequestMessages()) { result, _ in
          answer.withLock { $0 = try? result.get().result.get() }
        }
      house.test.skip()
      #expect(answer.withLock { $0 }?.messages.map(\.title) == ["Lunch", "News"])
      #expect(seen.withLock { $0 } == ["Hello Lunch News"])
      if isCommitted { unit?.commit { _, _ in } } else { unit?.rollBack { _, _ in } }
      house.test.skip()
    }
    #expect(seen.withLock { $0 } == ["Hello Lunch News", "Lunch News"])
  }

  @Test func `S97 the steps of the store tell which action made which state`() throws {
    let reducer = ReducerMessages()
    let house = try MessagesHouse(reducer)
    house.fetch()
    #expect(
      reducer.steps.map(\.event) == [
        nil, "RequestMail", "ResponseMail", "ResponseRecords<Message>",
        "ResponseRecords<Message>",
      ]
    )
    #expect(reducer.steps.map(\.model.loads) == [0, 1, 0, 0, 0])
    #expect(reducer.steps.map(\.model.rows.count) == [0, 0, 0, 3, 3])
  }

  @Test func `no command forgets a property`() {
    #expect(RequestRemove.command.forgotten(in: RequestRemove()) == [])
    #expect(RequestMessage.command.forgotten(in: RequestMessage()) == [])
  }
}
