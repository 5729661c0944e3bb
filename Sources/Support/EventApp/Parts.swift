public import EventCommands
public import EventRecords

/// What a program has around its domain: a part that is not listed is not there, nor its words, its
/// options and its files.
///
/// ```swift
/// let parts = Parts.standard()
///   .adding(frontends: [LineServer()], plugins: [.on(Alarm()), .on(Ledger())])
/// ```
public struct Parts: Sendable {
  /// The kinds of stores; the first one that recognizes an address creates the engine for it.
  public var engines: [any EngineProvider]
  /// The frontends; if several can run the same task, the first one does.
  public var frontends: [any ProgramFrontend]
  /// The plugins, in the order in which they join.
  public var plugins: [OptionalPlugin]

  /// Lists the parts of a program.
  public init(
    engines: [any EngineProvider] = [],
    frontends: [any ProgramFrontend] = [],
    plugins: [OptionalPlugin] = []
  ) {
    self.engines = engines
    self.frontends = frontends
    self.plugins = plugins
  }

  /// Returns these parts and further ones, which come first: an added frontend is asked before the
  /// others, and plugins that observe everything join last.
  public func adding(
    frontends: [any ProgramFrontend] = [],
    plugins: [OptionalPlugin] = []
  ) -> Parts {
    Parts(
      engines: engines,
      frontends: frontends + self.frontends,
      plugins: plugins + self.plugins
    )
  }
}
