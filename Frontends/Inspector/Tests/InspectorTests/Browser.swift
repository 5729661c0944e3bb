import EventMVVMTesting
import Foundation
import JSONText
import ProcessTesting
import Testing

/// A page in headless Chromium, which a test uses as a person does: it clicks, types and looks (WebDriver).
final class Browser {
  private let job: Job
  private let port: Int
  private var session = ""

  /// Starts a browser with an empty profile.
  ///
  /// - Parameter place: Where its files are.
  /// - Throws: That it does not start.
  init(in place: Workplace) throws {
    (job, port) = try Self.driver(in: place)
    // Chromium has no sandbox as root, and in most containers.
    let options: JSON = [
      "args": [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--window-size=1440,900",
      ]
    ]
    let wanted: JSON = [
      "capabilities": [
        "alwaysMatch": [
          "goog:chromeOptions": options,
          "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
        ]
      ]
    ]
    session = try #require(try ask("POST", "/session", wanted)["sessionId"]?.string)
  }

  /// Starts the browser's driver, and returns its port.
  ///
  /// It takes a port that is free for IPv6, and ends where another program has that one for IPv4.
  private static func driver(in place: Workplace) throws -> (Job, Int) {
    for _ in 0..<20 {
      let job = try place.start("exec chromedriver --port=0")
      try job.wait(until: "the driver has a port, or none") {
        $0.contains("successfully on port") || $0.contains("port not available")
      }
      let found = try job.printed().firstMatch(of: /successfully on port ([0-9]+)/)
      if let port = found.flatMap({ Int($0.output.1) }) { return (job, port) }
      _ = try job.outcome()
    }
    throw Refused(description: "the driver found no port in twenty attempts")
  }

  deinit {
    _ = try? ask("DELETE", "/session/\(session)")
    job.send(SIGTERM)
  }

  /// What WebDriver has refused.
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  private func ask(_ method: String, _ path: String, _ body: JSON? = nil) throws -> JSON {
    let response = try #require(
      try Wire.ask(
        port,
        path,
        method: method,
        ["Content-Type": "application/json"],
        body: body.map(\.description) ?? ""
      )
    )
    let json = try JSON(parsing: response.body)
    guard response.status == 200 else {
      throw Refused(description: "\(path): \(response.body.prefix(400))")
    }
    return json["value"] ?? .null
  }

  private func ask(_ path: String, _ body: JSON) throws -> JSON {
    try ask("POST", "/session/\(session)/\(path)", body)
  }

  // MARK: Looking

  /// Opens an address.
  func open(_ address: String) throws { _ = try ask("url", ["url": .string(address)]) }

  /// Loads the page again.
  func reload() throws { _ = try ask("refresh", [:]) }

  /// Opens an empty tab, as a person does, and looks at that one from now on.
  func openTab() throws {
    let tab = try ask("window/new", ["type": "tab"])["handle"] ?? .null
    _ = try ask("window", ["handle": tab])
  }

  /// The address that the browser shows.
  func address() throws -> String { try ask("GET", "/session/\(session)/url").string ?? "" }

  /// Runs a script of the test in the page, and returns its value.
  @discardableResult
  func run(_ script: String) throws -> JSON {
    try ask("execute/sync", ["script": .string(script), "args": []])
  }

  /// The texts that a person sees of the elements of a selector.
  func texts(_ selector: String) throws -> [String] {
    let script =
      "return [...document.querySelectorAll(\(JSON.string(selector)))].filter(e => e.checkVisibility()).map(e => e.innerText)"
    guard case .array(let texts) = try run(script) else { return [] }
    return texts.compactMap(\.string)
  }

  /// Waits until the visible texts of a selector are such as are wanted.
  func wait(for selector: String, _ isSo: ([String]) -> Bool = { !$0.isEmpty }) throws {
    let seen = {
      try? self.keepPicture("waited-in-vain")
      do { return try self.texts(selector).joined(separator: "\n") } catch { return "\(error)" }
    }
    try waitUntil("'\(selector)' is as wanted", showing: seen) {
      (try? isSo(texts(selector))) ?? false
    }
  }

  /// Waits until a selector shows a text.
  func wait(for selector: String, toShow text: String) throws {
    try wait(for: selector) { $0.contains { $0.contains(text) } }
  }

  /// The types of the events in the timeline, as far as they are in view.
  func types() throws -> [String] {
    try texts("#grid .event:not(.absent) .type").map { $0.dropMark }
  }

  /// Keeps what the browser shows, for people: in `.build/inspector` of the repository.
  func keepPicture(_ name: String) throws {
    let text = try ask("GET", "/session/\(session)/screenshot").string ?? ""
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
      .standardizedFileURL
    let folder = root.appending(path: ".build/inspector")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try #require(Data(base64Encoded: text)).write(to: folder.appending(path: "\(name).png"))
  }

  /// The entries of one of the browser's logs since it was read last.
  func log(_ type: String) throws -> [JSON] {
    guard case .array(let entries) = try ask("se/log", ["type": .string(type)]) else { return [] }
    return entries
  }

  // MARK: Acting

  /// Clicks the first element of a selector that is visible.
  func click(_ selector: String) throws {
    try wait(for: selector)
    // It may be replaced while it is looked for.
    try waitUntil("'\(selector)' is clicked") {
      do { _ = try ask("element/\(element(selector))/click", [:]) } catch let error as Refused {
        if error.description.contains("stale element") { return false }
        throw error
      }
      return true
    }
  }

  /// Types into the first element of a selector.
  func type(_ text: String, into selector: String) throws {
    _ = try ask("element/\(element(selector))/value", ["text": .string(text)])
  }

  /// Presses keys, one after the other; `\u{E007}` is Enter (WebDriver §17.4.2).
  func press(_ keys: String) throws {
    let actions = keys.flatMap { key -> [JSON] in
      [
        ["type": "keyDown", "value": .string(String(key))],
        ["type": "keyUp", "value": .string(String(key))],
      ]
    }
    _ = try ask(
      "actions",
      ["actions": [["type": "key", "id": "keys", "actions": .array(actions)]]]
    )
  }

  /// Gives the browser a command of its developer tools.
  @discardableResult
  func devTools(_ command: String, _ values: JSON) throws -> JSON {
    try ask("goog/cdp/execute", ["cmd": .string(command), "params": values])
  }

  private func element(_ selector: String) throws -> String {
    let found = try ask("element", ["using": "css selector", "value": .string(selector)])
    guard case .object(let members) = found, let id = members.first?.value.string else {
      throw Refused(description: "there is no \(selector)")
    }
    return id
  }
}

extension JSON {
  /// A text.
  var string: String? { if case .string(let text) = self { text } else { nil } }
}

extension String {
  /// The name of a type without the mark of its kind.
  fileprivate var dropMark: String { String(drop { !$0.isLetter }) }
}
