public import EventCommands
public import EventRecords
import EventValues

// The records that a command is for: completion offers them, and a range leaves out the others.

extension CommandSpec {
  /// Lists the records that a command is about, one or several.
  ///
  /// Completion offers those that meet the condition, by their numbers, and by the words of their titles; the
  /// same condition as `RecordEdit.offered` leaves the others out of a range.
  ///
  /// ```swift
  /// static let command = CommandSpec<Self>("start", "Begins the work on samples.")
  ///   .records(\.id, "Which", offering: offered)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - summary: What it is, in a few words.
  ///   - condition: What the offered records meet; nil for all.
  /// - Returns: The spec with the property listed.
  public consuming func records<R: Record>(
    _ property:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Target<R>> & Sendable,
    _ summary: String = "Its number, UUID, @last or @name",
    offering condition: @autoclosure @escaping @Sendable () -> Condition<R>? = nil
  ) -> Self {
    word(property(), summary) { prefix in
      Self.candidates(condition(), prefix)
    }
  }

  /// Lists the one record that a command is about, so that other words can follow it.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - summary: What it is, in a few words.
  ///   - condition: What the offered records meet; nil for all.
  /// - Returns: The spec with the property listed.
  public consuming func record<R: Record>(
    _ property:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Target<R>> & Sendable,
    _ summary: String = "Its number, UUID, @last or @name",
    offering condition: @autoclosure @escaping @Sendable () -> Condition<R>? = nil
  ) -> Self {
    listing { fields in
      fields.append(
        CommandField(
          nil,
          of: property(),
          .word,
          summary,
          RecordReference.self,
          shape: {
            var shape = RecordReference.shape
            shape.candidates = { prefix in Self.candidates(condition(), prefix) }
            return shape
          },
          takeWord: { target, word throws(ValueError) in try target.take(oneWord: word) },
          takeJSON: { target, json throws(ValueError) in
            target.references = [try RecordReference(json: json)]
          }
        )
      )
    }
  }

  private static func candidates<R: Record>(
    _ condition: Condition<R>?,
    _ prefix: String
  ) -> any CandidateRequest {
    guard let condition else { return RequestSubjectCandidates(prefix: prefix) }
    return RequestOfferedRecords(R.kind, condition.stored, prefix: prefix)
  }

  /// Lists the revision that the caller of a command had read, as `--expected-revision`: a field that was
  /// changed since is a conflict (S71).
  ///
  /// - Parameter target: The records.
  /// - Returns: The spec with the option listed.
  public consuming func revision<R: Record>(
    of target:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Target<R>> & Sendable
  ) -> Self {
    listing { fields in
      fields.append(
        CommandField(
          "expectedRevision",
          of: target(),
          .option,
          "The revision that you saw",
          flag: "--expected-revision",
          Int?.self,
          takeWord: { target, word throws(ValueError) in try target.seen.take(word: word) },
          takeJSON: { target, json throws(ValueError) in try target.seen.take(json: json) }
        )
      )
    }
  }
}
