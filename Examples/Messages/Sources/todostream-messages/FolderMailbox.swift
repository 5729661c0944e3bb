import EventMVVM
import EventPatterns
import Foundation

/// The folder of a mailbox: a file for each message.
struct MailFolder: Sendable {
  /// The variable that names it.
  static let variable = "TODOSTREAM_MESSAGES_MAILBOX"
  private let path: String?

  /// Takes the folder that was named, if one was.
  init(_ path: String?) {
    self.path = path
  }

  /// The folder.
  var url: URL {
    get throws(Failure) {
      guard let path, !path.isEmpty else {
        throw Failure(.usage, "Where is the mailbox? $\(Self.variable) names its folder.")
      }
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
      else {
        throw Failure(
          .notFound,
          "\(path): no such folder; $\(Self.variable) names the mailbox."
        )
      }
      return URL(filePath: path, directoryHint: .isDirectory)
    }
  }
}

/// A mailbox that is a folder: headers `From:` and `Subject:`, a blank line, and the text.
///
/// It reads all files or fails by the name of the one that it can't read, and changes none. What is sent is a file in
/// the folder `sent` within it.
struct FolderMailbox: Mailbox {
  /// How long a message can be.
  private static let mostBytes = 1 << 20
  private let folder: MailFolder
  private let accounts: FolderAccounts

  init(_ folder: MailFolder, _ accounts: FolderAccounts) {
    self.folder = folder
    self.accounts = accounts
  }

  func fetch(for account: Account?) async throws -> [Mail] {
    try accounts.admit(account)
    let keys: [URLResourceKey] = [.isRegularFileKey, .fileSizeKey]
    let files = try readable(try folder.url) {
      try FileManager.default
        .contentsOfDirectory(at: $0, includingPropertiesForKeys: keys, options: .skipsHiddenFiles)
    }
    return
      try files.filter { file in
        try readable(file) {
          try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        }
      }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { try read($0) }
  }

  func deliver(_ letter: Letter, as id: UniqueID, for account: Account?) async throws {
    try accounts.admit(account)
    let sent = try folder.url.appending(path: "sent", directoryHint: .isDirectory)
    let sender = account.map { "From: \($0.name)\n" } ?? ""
    let text = "\(sender)To: \(letter.to)\nSubject: \(letter.subject)\n\n\(letter.text)\n"
    do {
      try FileManager.default.createDirectory(at: sent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: sent.appending(path: "\(id.text).txt"), options: .atomic)
    } catch {
      throw Failure(.store, "\(sent.path): can't be written. Nothing was sent.")
    }
  }

  private func read(_ file: URL) throws -> Mail {
    let size = try readable(file) { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
    guard size <= Self.mostBytes else { throw bad(file, "a message has 1 MiB at most") }
    let bytes = try readable(file) { try Data(contentsOf: $0) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw bad(file, "it is not UTF-8")
    }
    do {
      return try Mail(file.lastPathComponent, text)
    } catch {
      throw bad(file, error.reason)
    }
  }

  private func readable<T>(_ file: URL, _ body: (URL) throws -> T) throws(Failure) -> T {
    do {
      return try body(file)
    } catch {
      throw Failure(.store, "\(file.lastPathComponent): can't be read.")
    }
  }

  private func bad(_ file: URL, _ reason: String) -> Failure {
    Failure(.validation, "\(file.lastPathComponent): \(reason). Nothing was fetched.")
  }
}

/// What is wrong with a file.
struct Malformed: Error {
  let reason: String
}

extension Mail {
  /// Reads a file's text.
  init(_ name: String, _ text: String) throws(Malformed) {
    let lines = text.replacing("\r\n", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false)
    let head = lines.prefix { !$0.isEmpty }
    guard head.count < lines.count else {
      throw Malformed(reason: "there is no blank line behind its headers")
    }
    var headers: [String: String] = [:]
    for (index, line) in head.enumerated() {
      guard let colon = line.firstIndex(of: ":") else {
        throw Malformed(reason: "line \(index + 1) is no header, such as 'From: ann'")
      }
      guard !line.unicodeScalars.contains(where: { $0.isControl && $0 != "\t" }) else {
        throw Malformed(reason: "line \(index + 1) has a control character")
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
    guard let from = headers["from"], let subject = headers["subject"] else {
      throw Malformed(reason: "it has no '\(headers["from"] == nil ? "From" : "Subject"):'")
    }
    guard !text.utf8.contains(0) else { throw Malformed(reason: "its text has a NUL") }
    var body = lines[(head.count + 1)...]
    if body.last?.isEmpty == true { body.removeLast() }
    self.init(name: name, from: from, subject: subject, text: body.joined(separator: "\n"))
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { properties.generalCategory == .control }
}
