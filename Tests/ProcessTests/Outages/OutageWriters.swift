#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting

  /// A process, or one after the other, that writes into a list; used by one thread.
  protocol OutageWriter {
    /// Asks for a write.
    func ask(_ request: OutageRequest) throws -> OutageAnswer
  }

  /// A write with a mark that no other one has.
  enum OutageRequest {
    case add(mark: String)
    case edit(Int, mark: String)
  }

  enum OutageAnswer {
    /// It is stored: the number and the revision of the todo.
    case stored(number: Int, revision: Int)
    /// Nothing was stored, and it can be asked for again.
    case refused
  }

  /// An answer that leaves open what is stored, or forbids to try again.
  struct Indefinite: Error, CustomStringConvertible {
    let description: String
  }

  extension OutageAnswer {
    /// Reads a todo.
    init(stored todo: JSON) throws {
      guard case .integer(let number)? = todo["id"], case .integer(let revision)? = todo["revision"]
      else { throw Indefinite(description: "\(todo) is no todo") }
      self = .stored(number: Int(number), revision: Int(revision))
    }

    /// Reads an error with the members `kind` and `retryable`.
    init(error: JSON?, in answer: String) throws {
      guard error?["kind"] == .string("store"), error?["retryable"] == .bool(true) else {
        throw Indefinite(description: answer)
      }
      self = .refused
    }
  }

  /// A command of its own for each write.
  final class CommandWriter: OutageWriter {
    private let place: Workplace

    init(_ address: String) throws { place = try Workplace(store: address) }

    func ask(_ request: OutageRequest) throws -> OutageAnswer {
      let words =
        switch request {
        case .add(let mark): ["add", mark]
        case .edit(let number, let mark): ["edit", "\(number)", "--subtitle", mark]
        }
      let outcome = try place.start(#"exec todostream --json "$@""#, words).outcome()
      if outcome.status == 0, let line = outcome.output.first {
        return try OutageAnswer(stored: JSON(parsing: line))
      }
      guard outcome.status == 4, let line = outcome.errors.last else {
        throw Indefinite(description: "\(outcome)")
      }
      return try OutageAnswer(error: JSON(parsing: line)["error"], in: "\(outcome)")
    }
  }

  /// A server of an editor, which lasts, and watches the list.
  final class ServerWriter: OutageWriter {
    private let server: RPCClient
    /// What it was told.
    private(set) var told: WriteHistory.Watcher
    /// The titles of all todos that it was told of.
    private var titles: Set<String> = []

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - address: The list.
    ///   - prefix: The words before it, such as those of another machine.
    ///   - ownMarks: What its own marks begin with; nil if it only watches.
    /// - Throws: The error of the start.
    init(
      _ name: String,
      _ address: String,
      prefix: [String] = [],
      ownMarks: String? = nil
    ) throws {
      told = .init(name: name, ownMarks: ownMarks)
      server = try RPCClient(Workplace(store: address, prefix: prefix))
      _ = try server.call("events/subscribe", #"{"types":["ResponseChangedTodoViewModels"]}"#)
    }

    func ask(_ request: OutageRequest) throws -> OutageAnswer {
      let id =
        switch request {
        case .add(let mark): server.ask("todo/add", #"{"title":"\#(mark)"}"#)
        case .edit(let number, let mark):
          server.ask("todo/edit", #"{"id":\#(number),"subtitle":"\#(mark)"}"#)
        }
      let answer = try answer(to: id)
      if let todo = answer["result"] { return try OutageAnswer(stored: todo) }
      return try OutageAnswer(error: answer["error"]?["data"], in: "\(answer)")
    }

    /// Reads on until it was told of a title, and then of all that comes before an answer.
    func watch(until title: String) throws {
      while !titles.contains(title) { note(try server.read()) }
      _ = try answer(to: server.ask("plugins"))
    }

    /// Ends the session; returns the exit status.
    func end() throws -> Int32 {
      _ = try answer(to: server.ask("shutdown"))
      server.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      return server.end()
    }

    private func answer(to id: Int) throws -> JSON {
      while true {
        let message = try server.read()
        if message["id"] == .integer(Int64(id)) { return message }
        note(message)
      }
    }

    private func note(_ message: JSON) {
      guard message["method"] == .string("events/append"),
        case .array(let events)? = message["params"]?["events"]
      else { return }
      for event in events {
        guard let body = event["body"], case .array(let changes)? = body["changes"] else {
          continue
        }
        for todo in changes.compactMap({ $0["todo"] }) {
          guard case .integer(let revision)? = todo["revision"] else { continue }
          if body["by"] == .null {
            told.own.append(Int(revision))
          } else {
            told.external.append(Int(revision))
          }
          if case .string(let title)? = todo["title"] { titles.insert(title) }
        }
      }
    }
  }
#endif
