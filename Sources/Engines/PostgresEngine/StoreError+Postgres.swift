import EventMVVM
import EventRecords

extension StoreError {
  /// Creates the message of a problem for a person: the cause, and what to do.
  init(
    _ problem: PostgresConnection.Problem,
    _ address: PostgresAddress,
    of program: String,
    isWriting: Bool = false
  ) {
    let name = address.name
    let command = "\(program) store init '\(name)'"
    let code = problem.code ?? ""
    if let root = problem.doubtful {
      self = .doubtful(problem, root, name, program)
      return
    }
    let lack =
      "the list '\(address.schema)' lacks what this version of the program keeps; add it by: \(command)"
    if let version = PostgresSchema.otherVersion(problem) {
      self =
        version > PostgresSchema.version
        ? .newer(name, version, known: PostgresSchema.version) : StoreError(path: name, lack)
      return
    }
    switch code {
    // There is no such schema, table or column, or no row in the counter.
    case "3F000", "42P01":
      self.init(path: name, "there is no list '\(address.schema)'; make it by: \(command)")
    case "42703":
      self.init(path: name, lack)
    case "23505": self.init(duplicateIn: name)
    case PostgresQuery.isTaken:
      self.init(path: name, "has a record of the same identity already; nothing was stored.")
    case PostgresConnection.Problem.isReadOnly:
      self.init(path: name, "can only be read: \(Self.reason(isStandby: problem.isOfStandby))")
    case "42501":
      self.init(
        path: name,
        "may not be \(isWriting ? "written to" : "read") by this user (\(problem.message)); "
          + "its owner can grant that"
      )
    case "55P03":
      self.init(
        path: name,
        "is locked by another program that writes to it; try again.",
        isRetryable: true
      )
    default:
      self.init(
        path: name,
        problem.isLost && code.isEmpty ? "can't be reached: \(problem.message)" : problem.message,
        isRetryable: problem.isTemporary
      )
    }
  }

  /// Creates the message of a problem while the outcome of a commit is asked for.
  init(asking problem: PostgresConnection.Problem, _ address: PostgresAddress, of program: String) {
    let name = address.name
    self.init(
      path: name,
      "the connection was lost while something was being stored (\(problem.message)): the server is "
        + "asked whether it was, until it answers. "
        + (problem.doubtful.map { Self.seeing($0, name, program) } ?? "")
    )
  }

  private static func doubtful(
    _ problem: PostgresConnection.Problem,
    _ root: Root,
    _ name: String,
    _ program: String
  ) -> StoreError {
    StoreError(
      path: name,
      "it is not known whether this was stored, since the connection was lost meanwhile "
        + "(\(problem.message)). \(seeing(root, name, program))"
    )
  }

  /// Why nothing can be written, and what to do.
  private static func reason(isStandby: Bool) -> String {
    isStandby
      ? "this server is a standby, a copy that follows another one. Name the primary server in the "
        + "address, or all of them with '?target_session_attrs=read-write'"
      : "'default_transaction_read_only' is on for this user, this database or this server. Name a "
        + "user and a server that may write, or ask the administrator to turn it off"
  }

  /// Creates the message about a database whose encoding lacks most characters, or does not know what
  /// a character is.
  init(encoding: String, _ address: PostgresAddress) {
    self.init(
      path: address.name,
      "a list can't be kept in this database, since its encoding is \(encoding) and not UTF8. Make "
        + "another one, and name it in the address: "
        + "CREATE DATABASE name ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0"
    )
  }

  /// A sentence about where a person sees whether a transaction was committed.
  private static func seeing(_ root: Root, _ name: String, _ program: String) -> String {
    "If it was, it is in \(program) --store '\(name)' history, in JSON as root \(root)."
  }

  private static func newer(_ list: String, _ version: Int, known: Int) -> StoreError {
    StoreError(
      path: list,
      "was written by a newer version (schema \(version), this one knows \(known)); "
        + "install that version, or name another list with --store"
    )
  }
}

extension PostgresConnection.Problem {
  /// The code where a server, a database or a role can only read.
  static let isReadOnly = "25006"

  /// Whether the server has undone a transaction for the sake of others: a deadlock, or what another one has
  /// written meanwhile.
  var isForOthers: Bool { code == "40P01" || code == "40001" }

  /// Whether it may be over a moment later.
  var isTemporary: Bool {
    let code = code ?? ""
    // A refused connection has no code, but a message. Other lost connections and these classes of
    // codes can be temporary.
    let isRefused =
      code.isEmpty
      && [
        "does not exist", "authentication failed", "no pg_hba.conf entry", "no password supplied",
      ]
      .contains { message.contains($0) }
    return !isRefused && (isLost || ["08", "40", "53", "57"].contains { code.hasPrefix($0) })
  }
}
