import EventCommands
import EventRecords
import RecordCommands

extension Role<Bool> {
  /// Whether it has a star.
  static var star: Self { Role("star") }
}

/// Stars, for any record with a field for them.
struct Starring: RolePlugin {
  let name = "starring"

  func extend<R: CommandRecord>(
    _ commands: consuming RecordCommands<R>
  ) throws(RoleProblem) -> RecordCommands<R> {
    let star = try R.field(for: .star)
    return
      commands
      .verb("star", "Gives \(R.several) a star.", "Starred") { record, _ in
        star.set(true, in: &record)
      }
      .verb("unstar", "Takes the star from \(R.several).", "Unstarred") { record, _ in
        star.set(false, in: &record)
      }
      .condition("starred", "Only starred ones", star.equals(true))
      .column { view, _, page in
        if star.value(of: view.value) == true { page.write("  ★", .prominent) }
      }
  }
}
