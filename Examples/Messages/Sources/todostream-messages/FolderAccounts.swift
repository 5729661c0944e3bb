import EventMVVM
import EventPatterns
import Foundation

/// The accounts of a mailbox (S60): a file with a secret for each, in its folder `accounts`.
///
/// Without such a folder the mailbox needs no account. A session of an account lasts half an hour,
/// or until its secret is changed.
final class FolderAccounts: Authenticator {
  /// How long a session lasts.
  static let lifetime: Int64 = 30 * 60_000
  /// The most bytes of a secret.
  private static let mostBytes = 4096
  private let folder: MailFolder
  /// The most sessions at once; the oldest one ends when there is another.
  private static let mostSessions = 1024
  /// The secret that proved each session, under its own id: a later session with a new secret does
  /// not prove this one.
  private let proofs = Locked<[String: Proof]>([:])

  private struct Proof {
    let secret: Data
    let expires: Instant
  }

  init(_ folder: MailFolder) {
    self.folder = folder
  }

  func account(named name: String, secret path: String, at time: Instant) async throws -> Account {
    let file = URL(filePath: path)
    guard let proof = Self.secret(file) else {
      throw Failure(.notFound, "\(path): holds no secret.", field: "secret")
    }
    guard let secret = try secret(of: name), secret == proof else {
      throw Failure(.validation, "That is not the secret of '\(name)'.", field: "secret")
    }
    let (id, expires) = (UUID().uuidString, time.adding(milliseconds: Self.lifetime))
    proofs.withLock { proofs in
      proofs = proofs.filter { $0.value.expires > time }
      if proofs.count >= Self.mostSessions,
        let oldest = proofs.min(by: { $0.value.expires < $1.value.expires })
      {
        proofs[oldest.key] = nil
      }
      proofs[id] = Proof(secret: secret, expires: expires)
    }
    return Account(name, until: expires, id: id)
  }

  /// Checks that an account may read the mailbox.
  ///
  /// - Throws: The failure that a sign-in is needed.
  func admit(_ account: Account?) throws(Failure) {
    var isFolder: ObjCBool = false
    let path = try accounts.path
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    guard let account, let id = account.id, let secret = try secret(of: account.name),
      proofs.withLock({ $0[id]?.secret }) == secret
    else { throw .needsAccount }
  }

  private var accounts: URL {
    get throws(Failure) { try folder.url.appending(path: "accounts", directoryHint: .isDirectory) }
  }

  private func secret(of name: String) throws(Failure) -> Data? {
    guard !name.hasPrefix("."), !name.contains("/"), !name.contains("\0") else { return nil }
    return Self.secret(try accounts.appending(path: name))
  }

  /// Returns the secret in a file, without the end of its line; nil if there is none.
  private static func secret(_ file: URL) -> Data? {
    let values = try? file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
    guard values?.isRegularFile == true, values?.fileSize ?? .max <= mostBytes,
      var bytes = try? Data(contentsOf: file)
    else { return nil }
    while bytes.last == UInt8(ascii: "\n") || bytes.last == UInt8(ascii: "\r") {
      bytes.removeLast()
    }
    return bytes.isEmpty ? nil : bytes
  }
}
