import EventCommands
import EventMVVM
import EventPatterns
import EventValues
import Foundation

/// The folder of a mailbox: a file for each message.
struct MailFolder: Sendable {
  /// The variable with its path.
  static let variable = "TODOSTREAM_MESSAGES_MAILBOX"
  private let path: String?

  /// Uses a folder, if its path is set.
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
/// It reads all files, reports those that are not messages, and changes none. A sent letter is a
/// file in its folder `sent`.
struct FolderMailbox: Mailbox {
  /// The most bytes of a message.
  private static let mostBytes = 1 << 20
  /// How many files that are not messages are named.
  private static let mostNamed = 10
  private let folder: MailFolder
  private let accounts: FolderAccounts

  init(_ folder: MailFolder, _ accounts: FolderAccounts) {
    self.folder = folder
    self.accounts = accounts
  }

  func fetch(for account: Account?) async throws -> Fetched {
    try accounts.admit(account)
    let keys: [URLResourceKey] = [.isRegularFileKey, .fileSizeKey]
    let folder = try folder.url
    let files: [URL]
    do {
      files = try FileManager.default.contentsOfDirectory(
        at: folder,
        includingPropertiesForKeys: keys,
        options: .skipsHiddenFiles
      )
    } catch {
      throw Failure(.store, "\(folder.path): can't be read.")
    }
    var (mail, skipped): ([Mail], [String]) = ([], [])
    for file in files.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) {
      do throws(Malformed) {
        if let message = try read(file) { mail.append(message) }
      } catch {
        skipped.append("\(file.path): \(error.reason). It was skipped.")
      }
    }
    let rest = skipped.count - Self.mostNamed
    if rest > 0 { skipped = skipped.prefix(Self.mostNamed) + ["… and \(rest) more"] }
    return Fetched(mail: mail, skipped: skipped)
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

  /// Reads a file; returns nil if it is a folder or another thing without text.
  private func read(_ file: URL) throws(Malformed) -> Mail? {
    guard let values = try? file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]) else {
      throw .unreadable
    }
    guard values.isRegularFile == true else { return nil }
    guard values.fileSize ?? 0 <= Self.mostBytes else {
      throw Malformed(reason: "a message has 1 MiB at most")
    }
    guard let bytes = try? Data(contentsOf: file) else { throw .unreadable }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Malformed(reason: "it is not UTF-8")
    }
    return try Mail(file.lastPathComponent, text)
  }
}

/// The reason why a file is not a message.
struct Malformed: Error {
  let reason: String
  static let unreadable = Malformed(reason: "it can't be read")
}

extension Mail {
  /// Parses a file's text.
  init(_ name: String, _ text: String) throws(Malformed) {
    let lines = text.replacing("\r\n", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false)
    let head = lines.prefix { !$0.isEmpty }
    guard head.count < lines.count else {
      throw Malformed(reason: "there is no blank line after its headers")
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
