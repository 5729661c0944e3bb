/// A todo as clients see it.
struct Todo: Equatable {
  var number: Int
  var revision: Int
  var title = ""
  var subtitle = ""
  var tags: Set<String> = []
  var isComplete = false
  var isDeleted = false
}

/// What a client asks for.
indirect enum Request: Equatable {
  /// A field that edits set; a label is added.
  enum Field: String, CaseIterable {
    case title, subtitle, tags
  }

  case add(title: String)
  /// `seen` is the revision that the edit names as the one it saw.
  case edit(Int, Field, String, seen: Int?)
  case complete(Int, Bool)
  case delete(Int, Bool)
  /// All or nothing; a doomed one ends with a line that fails.
  case script([Request], isDoomed: Bool)
  case undo
  case redo
  case list
  case show(Int)
}

/// Why a request was refused.
enum Refusal: Equatable {
  /// Another one has given the field this value.
  case conflict(Int, Request.Field, actual: String)
  case notFound(Int)
  /// There is nothing to undo, or to redo.
  case nothingToRevert
  /// Others held the store for too long.
  case locked
  /// Something that no request of these tests has coming to it.
  case other(String)
}

/// What was asked of the program, when, and what it answered.
struct Operation: Equatable {
  enum Answer: Equatable {
    case todos([Todo])
    /// The number of the step that was reverted.
    case reverted(Int)
    /// It was done, and nothing more was said.
    case acknowledged
    case refused(Refusal)
    /// The process was killed before it answered: it was done or it was not.
    case unknown
  }

  let client: String
  let request: Request
  /// Nanoseconds of a clock that never goes back: the request did not exist before.
  let begin: Int
  /// When the answer was there; never, where none came.
  ///
  /// What a killed process had written to SQLite's log, and not yet to its shared memory, takes
  /// effect when the log is recovered: after the end of the process, and after reads that do not
  /// have it (seed 1347).
  var end: Int
  var answer: Answer
}

extension Operation: CustomStringConvertible {
  var description: String { "\(client) [\(begin)…\(end)] \(request) → \(answer)" }
}
