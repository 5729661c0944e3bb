#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// A program that talks with an example's server.
  final class Client {
    private let input: NamedPipe
    let job: Job
    private var count = 0

    /// Starts the server by a command of the shell, and says hello.
    init(_ command: String, _ place: Workplace, _ variables: [String: String] = [:]) throws {
      input = try NamedPipe("input", in: place)
      job = try place.start("exec \(command) serve --stdio <input", variables: variables)
      _ = try ask("initialize")
    }

    /// Asks without waiting for what comes of it.
    ///
    /// - Returns: The number of the request.
    @discardableResult
    func send(_ method: String, _ params: String = "{}") throws -> Int {
      count += 1
      try input.write(
        #"{"jsonrpc":"2.0","id":\#(count),"method":"\#(method)","params":\#(params)}"#
      )
      return count
    }

    /// Says something that is not answered.
    func tell(_ method: String, _ params: String = "{}") throws {
      try input.write(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
    }

    /// Waits for the answer to a request: its result, or the message of its error.
    func answer(_ number: Int) throws -> String {
      var answer: JSON?
      try job.wait(until: "request \(number) is answered") { _ in
        answer = try? messages().first { $0["id"] == .integer(Int64(number)) }
        return answer != nil
      }
      guard case .string(let text)? = answer?["error"]?["message"] else {
        return answer?["result"]?.description ?? "no answer"
      }
      return "error: \(text)"
    }

    /// Asks, and waits.
    @discardableResult
    func ask(_ method: String, _ params: String = "{}") throws -> String {
      try answer(send(method, params))
    }

    /// What a state was last told to be.
    func state(_ name: String) throws -> String? {
      try messages()
        .last { $0["method"] == "state/changed" && $0["params"]?["name"] == .string(name) }?[
          "params"
        ]?[
          "value"
        ]?
        .description
    }

    /// Waits until a state was last told to be a value.
    func wait(untilState name: String, is value: String) throws {
      try job.wait(until: "the state '\(name)' is \(value)") { _ in (try? state(name)) == value }
    }

    /// Waits for a notification with parameters.
    func wait(untilTold method: String, _ params: String) throws {
      try job.wait(until: "'\(method)' was told \(params)") { _ in
        (try? messages())?
          .contains { $0["method"] == .string(method) && $0["params"]?.description == params }
          ?? false
      }
    }

    /// What a state was told to be, in order.
    func states(_ name: String) throws -> [String] {
      try messages()
        .filter { $0["method"] == "state/changed" && $0["params"]?["name"] == .string(name) }
        .compactMap { $0["params"]?["value"]?.description }
    }

    /// The parameters of the notifications of a kind, in order.
    func told(_ method: String) throws -> [String] {
      try messages().filter { $0["method"] == .string(method) }
        .compactMap { $0["params"]?.description }
    }

    private func messages() throws -> [JSON] {
      try job.printed().split(separator: "\n").compactMap { try? JSON(parsing: String($0)) }
    }

    /// Says goodbye.
    func end() throws {
      _ = try ask("shutdown")
      try tell("exit")
      #expect(try job.outcome().status == 0)
    }
  }

  extension Workplace {
    /// Replays a recorded session of an example in another zone and another language: it is as
    /// it was.
    func tellAgain(_ program: String, _ recording: String) throws {
      let told =
        try start(
          "\(program) replay \(recording)",
          variables: ["TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"]
        )
        .outcome()
      #expect(told.output.last?.hasSuffix("events: no divergence.") == true, "\(told.output)")
      #expect(told.errors == [])
      #expect(told.status == 0)
    }
  }
#endif
