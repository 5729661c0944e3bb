import EventRecords

extension StoreError {
  /// Creates the message of a problem for a person: the cause, and what to do.
  init(_ problem: PostgresConnection.Problem, _ address: PostgresAddress, of program: String) {
    let name = address.name
    let command = "\(program) store init '\(name)'"
    let code = problem.code ?? ""
    if let version = PostgresSchema.newerVersion(problem) {
      self = .newer(name, version, known: PostgresSchema.version)
      return
    }
    switch code {
    // There is no such schema, table or column, or no row in the counter.
    case "3F000", "42P01":
      self.init(path: name, "there is no list '\(address.schema)'; make it by: \(command)")
    case "42703":
      self.init(
        path: name,
        "the list '\(address.schema)' lacks what this version of the program keeps; add it by: \(command)"
      )
    case PostgresQuery.isTaken:
      self.init(path: name, "has a record of the same identity already; nothing was stored.")
    case "42501", "25006":
      self.init(
        path: name,
        "may not be written to, or not be read, by this user (\(problem.message))."
      )
    case "55P03":
      self.init(
        path: name,
        "is locked by another program that writes to it; try again.",
        isRetryable: true
      )
    default:
      // A refused connection has no code, but a message. Other lost connections and these classes
      // of codes can be temporary.
      let isRefused =
        code.isEmpty
        && [
          "does not exist", "authentication failed", "no pg_hba.conf entry", "no password supplied",
        ]
        .contains { problem.message.contains($0) }
      self.init(
        path: name,
        problem.isLost && code.isEmpty ? "can't be reached: \(problem.message)" : problem.message,
        isRetryable: !isRefused
          && (problem.isLost || ["08", "40", "53", "57"].contains { code.hasPrefix($0) })
      )
    }
  }

  private static func newer(_ list: String, _ version: Int, known: Int) -> StoreError {
    StoreError(
      path: list,
      "was written by a newer version (schema \(version), this one knows \(known)); "
        + "install that version, or name another list with --store"
    )
  }
}
