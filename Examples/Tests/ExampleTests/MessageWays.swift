import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import Foundation
import SQLiteEngine
import Testing

@testable import todostream_messages

/// The three ways of one feature, to be tested by one table.
enum MessageWay: String, CaseIterable, CustomTestStringConvertible {
  case reducer, reactor, servers

  var testDescription: String { rawValue }

  func make() -> any MessagesPlugin {
    switch self {
    case .reducer: ReducerMessages()
    case .reactor: ReactorMessages()
    case .servers: ServerMessages()
    }
  }

  /// The words that switch it on in the place of the others.
  var words: [String] {
    self == .reducer ? [] : ["--without", "reducer", "--with", rawValue]
  }
}

/// A mailbox that answers when the test says so.
final class ScriptedMailbox: Mailbox {
  private let answers = Locked<[CheckedContinuation<Fetched, any Error>]>([])

  func fetch(for account: Account?) async throws -> Fetched {
    try await withCheckedThrowingContinuation { answer in answers.withLock { $0.append(answer) } }
  }

  /// What was sent.
  let sent = Locked<[Letter]>([])

  func deliver(_ letter: Letter, as id: UniqueID, for account: Account?) async throws {
    sent.withLock { $0.append(letter) }
  }

  /// How often it is being asked.
  var asked: Int { answers.withLock { $0.count } }

  /// Answers the oldest asking.
  func answer(_ result: Result<[Mail], Failure>, skipping skipped: [String] = []) {
    let result = result.map { Fetched(mail: $0, skipped: skipped) }
    answers.withLock { $0.removeFirst() }.resume(with: result)
  }
}

/// One of the ways on a stream with a frozen clock, with a store of its own and a mailbox that
/// obeys.
final class MessagesHouse {
  let test: TestContext
  let plugin: any MessagesPlugin
  let mailbox = ScriptedMailbox()
  private let folder =
    FileManager.default.temporaryDirectory.path + "/messages-\(UUID().uuidString)"

  convenience init(_ way: MessageWay) throws { try self.init(way.make()) }

  init(_ plugin: any MessagesPlugin) throws {
    test = TestContext()
    self.plugin = plugin
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let database = RecordDatabase(of: "test", path: folder + "/store.sqlite")
    let nobody = FolderAccounts(MailFolder(nil))
    test.add(
      RecordServer(database, [Message.self, SentLetter.self], watchesExternalChanges: false),
      MailServer(mailbox),
      Authentication(nobody, hasLastingSessions: true),
      plugin
    )
  }

  deinit {
    test.skip()
    try? FileManager.default.removeItem(atPath: folder)
  }

  static let mail = [
    Mail(name: "1", from: "ann", subject: "Hello", text: "How are you?"),
    Mail(name: "2", from: "bob", subject: "Lunch", text: "At one?"),
    Mail(name: "3", from: "cid", subject: "News", text: "None."),
  ]

  /// What a view sees from now on: the titles, and whether more are being fetched.
  func watch() -> Locked<[String]> {
    let seen = Locked<[String]>([])
    plugin.view?
      .observe { view, _ in
        let titles = view.messages.map(\.title).joined(separator: " ")
        seen.withLock { $0.append(titles + (view.isLoading ? " …" : "")) }
      }
    test.skip()
    return seen
  }

  /// Begins a fetch; what comes of it is known when the mailbox has answered.
  func beginFetch() -> Locked<Result<MessagesView, Failure>?> {
    let answer = Locked<Result<MessagesView, Failure>?>(nil)
    test.stream.request(RequestFetch()) { result, _ in
      answer.withLock { $0 = result.mapError(Failure.init).flatMap(\.result) }
    }
    test.skip()
    return answer
  }

  /// Fetches all the mail.
  func fetch() {
    _ = beginFetch()
    mailbox.answer(.success(Self.mail))
    test.skip()
  }

  func say<R: Command>(_ request: R) throws -> R.Reply.Value {
    let answer = test.request(request)
    test.skip()
    guard let answer else { throw Failure(.unanswered, "") }
    return try answer.get().result.get()
  }
}
