public import EventRecords

/// A feature of daily life for any record whose fields have the roles that it needs; it knows no domain.
///
/// A record takes it by a line, `.with(Starring())`, and has its commands, conditions and columns on every frontend:
///
/// ```swift
/// struct Starring: RolePlugin {
///   let name = "starring"
///
///   func extend<R: CommandRecord>(
///     _ commands: consuming RecordCommands<R>
///   ) throws(RoleProblem) -> RecordCommands<R> {
///     let star = try R.field(for: .star)
/// ```
///
/// What it has to know of a record is a field of that, with a role. What it has to keep besides is a kind of its own, with a
/// reference. A command is a type, and so belongs to the whole process: that is why the record names its plugins, and
/// not the list of a program's parts, from which `--without` takes one away.
public protocol RolePlugin: Sendable {
  /// Its name, in messages to a developer.
  var name: String { get }
  /// Returns the commands of a record with what it brings.
  ///
  /// - Parameter commands: The commands so far.
  /// - Returns: The commands.
  /// - Throws: Which role is missing.
  func extend<R: CommandRecord>(
    _ commands: consuming RecordCommands<R>
  ) throws(RoleProblem) -> RecordCommands<R>
}

/// Why a plugin over roles can't be used for a record.
public struct RoleProblem: Error {
  /// A sentence, for a developer.
  public let message: String

  /// Creates the problem.
  public init(_ message: String) { self.message = message }
}

extension CommandRecord {
  /// Returns the field that has a role, for a plugin that needs it.
  ///
  /// - Parameter role: The role.
  /// - Returns: The field.
  /// - Throws: That no field has it.
  public static func field<Value>(
    for role: Role<Value>
  ) throws(RoleProblem) -> RoleField<Self, Value> {
    if let field = field(with: role) { return field }
    throw RoleProblem(
      hasField(withRoleNamed: role.name)
        ? "the field of '\(kind)' with the role '\(role.name)' has values of another type"
        : "no field of '\(kind)' has the role '\(role.name)'; declare it by '.role(_:_:)' after the fields"
    )
  }
}

extension RecordCommands {
  /// Adds what a plugin over roles brings.
  ///
  /// A role that is missing is a problem of the program, as a verb or a condition is that a record has twice: it is
  /// refused with a sentence when a debug build starts. What is declared once, such as `hides` and ``marks(hasBox:_:)``, is as it
  /// was declared last.
  public consuming func with(_ plugin: some RolePlugin) -> Self {
    let before = self
    do {
      return try plugin.extend(before)
    } catch {
      var unchanged = before
      unchanged.problems.append("The plugin '\(plugin.name)' can't be used: \(error.message).")
      return unchanged
    }
  }
}
