public import EventCommands
public import EventRecords
import EventValues
import JSONText

// The records that a command is about: completion offers them, and a range leaves out the others.

extension CommandSpec {
  /// Lists the records that a command is about, one or several.
  ///
  /// Completion offers those that meet the condition, by their numbers, and by the words of their titles.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - summary: What it is, in a few words; by default how it can be given.
  ///   - condition: What the offered records meet; nil for all.
  /// - Returns: The spec with the property listed.
  public consuming func records<R: Record>(
    _ property:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Target<R>> & Sendable,
    _ summary: String? = nil,
    offering condition: @autoclosure @escaping @Sendable () -> Condition<R>? = nil
  ) -> Self {
    records(at: PropertyAccess(property), summary, offering: condition)
  }

  /// Lists the records that a command is about, one or several.
  consuming func records<R: Record>(
    at property: PropertyAccess<Root, Target<R>>,
    _ summary: String? = nil,
    offering condition: @escaping @Sendable () -> Condition<R>?
  ) -> Self {
    listing(property, summary, Target<R>.self, offering: condition) {
      target,
      word throws(ValueError) in
      try target.take(word: word)
    } takeJSON: { target, json, name throws(ValueError) in
      try target.take(json: json, named: name)
    }
  }

  /// Lists the one record that a command is about, so that other words can follow it.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - summary: What it is, in a few words; by default how it can be given.
  ///   - condition: What the offered records meet; nil for all.
  /// - Returns: The spec with the property listed.
  public consuming func record<R: Record>(
    _ property:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Target<R>> & Sendable,
    _ summary: String? = nil,
    offering condition: @autoclosure @escaping @Sendable () -> Condition<R>? = nil
  ) -> Self {
    listing(PropertyAccess(property), summary, RecordReference.self, offering: condition) {
      target,
      word throws(ValueError) in
      target.references = [try Target<R>.reference(word)]
    } takeJSON: { target, json, _ throws(ValueError) in
      target.references = [try Target<R>.reference(json)]
    }
  }

  /// Lists a reference to a record of a kind.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - type: The kind of the record.
  ///   - summary: What it is, in a few words; by default how it can be given.
  /// - Returns: The spec with the property listed.
  public consuming func record<R: Record>(
    _ property:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, RecordReference> & Sendable,
    of type: R.Type,
    _ summary: String? = nil
  ) -> Self {
    listing(
      PropertyAccess(property),
      summary,
      RecordReference.self,
      offering: { Condition<R>?.none }
    ) {
      reference,
      word throws(ValueError) in
      reference = try Target<R>.reference(word)
    } takeJSON: { reference, json, _ throws(ValueError) in
      reference = try Target<R>.reference(json)
    }
  }

  /// Lists the records that a command changes, by their numbers or by a filter that finds them.
  consuming func filtered<R: Record>(
    at property: PropertyAccess<Root, Target<R>>,
    _ summary: String? = nil,
    takeWord: WordSetter<Root>? = nil,
    offering condition: @escaping @Sendable () -> Condition<R>?
  ) -> Self {
    listing(
      property,
      summary ?? "Its number, @last or @name, or what finds it, as in a list",
      Target<R>.self,
      takesHyphens: true,
      takingWords: takeWord,
      offering: condition
    ) { target, word throws(ValueError) in
      try target.take(filtering: word) { AskedKind<R>().vocabulary }
    } takeJSON: { target, json, name throws(ValueError) in
      guard target.terms.isEmpty else { throw ValueError("'filter' was given in its place") }
      try target.take(json: json, named: name)
    }
    .listing { $0.append(.filter(of: property)) }
    .typed { request throws(ValueError) in
      try property.change(&request) { target throws(ValueError) in
        target.isInOneText = false
        guard !target.terms.isEmpty else { return }
        try target.checkFilter(AskedKind<R>().vocabulary)
      }
    }
  }

  private consuming func listing<P: Sendable, R: Record>(
    _ property: PropertyAccess<Root, P>,
    _ summary: String?,
    _ type: any CommandProperty.Type,
    takesHyphens: Bool = false,
    takingWords other: WordSetter<Root>? = nil,
    offering condition: @escaping @Sendable () -> Condition<R>?,
    takeWord: @escaping @Sendable (inout P, String) throws(ValueError) -> Void,
    takeJSON: @escaping @Sendable (inout P, JSON, String) throws(ValueError) -> Void
  ) -> Self {
    listing { fields in
      let field = CommandField(
        property.name,
        of: property,
        .word,
        summary ?? "Its number, @last or @name",
        type,
        shape: {
          var shape = RecordReference.shape(of: R.self)
          if takesHyphens {
            shape.explanation.append(
              "In place of numbers a filter finds them, as in a list: \(AskedKind<R>().vocabulary.example)."
            )
          }
          shape.candidates = { prefix in
            if takesHyphens, prefix.beginsFilter {
              return RequestFilterCandidates<R>(prefix: prefix)
            }
            return RequestOfferedRecords(R.kind, condition()?.stored ?? .all, prefix: prefix)
          }
          return shape
        },
        takesHyphens: takesHyphens,
        takeWord: takeWord,
        takeJSON: takeJSON
      )
      fields.append(other.map { field.takingWords($0) } ?? field)
    }
  }
}

extension CommandSpec where Root: RecordEdit {
  /// Lists the records that a command changes, one or several; completion offers its `RecordEdit.offered` ones.
  ///
  /// ```swift
  /// static let command = CommandSpec<Self>("revise", "Edits a parcel.").records(\.id)
  /// ```
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - summary: What it is, in a few words; by default how it can be given.
  /// - Returns: The spec with the property listed.
  public consuming func records(
    _ property:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Target<Root.Kind>>
      & Sendable,
    _ summary: String? = nil
  ) -> Self {
    filtered(at: PropertyAccess(property), summary) { Root.offered }
  }

  /// Lists the one record that a command changes, so that other words can follow it.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - summary: What it is, in a few words; by default how it can be given.
  /// - Returns: The spec with the property listed.
  public consuming func record(
    _ property:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Target<Root.Kind>>
      & Sendable,
    _ summary: String? = nil
  ) -> Self {
    record(property(), summary, offering: Root.offered)
  }

  /// Lists the revision that the caller of a command had read, as `--expected-revision`: a field that was
  /// changed since is a conflict (S71).
  ///
  /// - Parameter target: The records.
  /// - Returns: The spec with the option listed.
  public consuming func revision(
    of target:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, Target<Root.Kind>>
      & Sendable
  ) -> Self {
    revision(at: PropertyAccess(target))
  }

  /// Lists the revision that the caller of a command had read.
  consuming func revision(at target: PropertyAccess<Root, Target<Root.Kind>>) -> Self {
    listing { fields in
      fields.append(
        CommandField(
          "expectedRevision",
          of: target,
          .option,
          "Refuses what was changed since you read it: the 'revision' in JSON",
          flag: "--expected-revision",
          Int?.self,
          takeWord: { target, word throws(ValueError) in try target.seen.take(word: word) },
          takeJSON: { target, json, _ throws(ValueError) in try target.seen.take(json: json) }
        )
      )
    }
  }
}

extension CommandField {
  /// A filter in one text that finds the records of a command.
  ///
  /// That of a program finds what lists leave out, too.
  fileprivate static func filter<R: Record>(of target: PropertyAccess<Root, Target<R>>) -> Self {
    filterInText(of: target, "A filter in one text, in place of numbers") {
      target,
      text,
      isTyped throws(ValueError) in
      let vocabulary = AskedKind<R>().vocabulary
      guard let text else { throw ValueError("expected a filter, found null") }
      if !isTyped { (target.terms, target.views, target.findsHidden) = ([], [], true) }
      try target.take(filter: text, vocabulary)
      try target.checkFilter(vocabulary)
    }
    .replacingPrevious()
  }

  /// A filter in one text.
  ///
  /// - Parameters:
  ///   - property: The property that has it.
  ///   - summary: What it is.
  ///   - take: Sets the filter, or none; as it was typed, or given by a program.
  /// - Returns: The field.
  static func filterInText<P: Sendable>(
    of property: PropertyAccess<Root, P>,
    _ summary: String,
    take:
      @escaping @Sendable (inout P, _ text: String?, _ isTyped: Bool) throws(ValueError) -> Void
  ) -> Self {
    CommandField(
      "filter",
      of: property,
      .option,
      summary,
      flag: "--where",
      String.self,
      shape: {
        var shape = String.shape
        shape.placeholder = "FILTER"
        return shape
      },
      takeWord: { value, word throws(ValueError) in try take(&value, word, true) },
      takeJSON: { value, json, _ throws(ValueError) in
        var text: String?
        try text.take(json: json)
        try take(&value, text, false)
      }
    )
  }
}

extension String {
  /// Whether it begins a word of a filter rather than a number or a title.
  fileprivate var beginsFilter: Bool {
    utf8.contains(UInt8(ascii: ":")) || ["+", "-", "(", "@"].contains(String(prefix(1)))
  }
}
