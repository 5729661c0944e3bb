public import EventCommands
import EventMVVM
public import EventPatterns
import EventRecords
import EventValues

/// The navigation of the records of a kind: a flow for lists, and one for details (S96).
public final class RecordCoordinator<R: CommandRecord>: Coordinator {
  /// The flow of lists, and that of details.
  public let children: [any Coordinator] = [RecordListFlow<R>(), RecordDetailFlow<R>()]

  /// Creates the flows.
  public init() {}
}

extension CommandRecord {
  /// Creates the coordinator of the screens.
  public static var _coordinator: any Coordinator { RecordCoordinator<Self>() }
}

extension Wire {
  /// What programs are told of the screens of a record.
  fileprivate static func screens<R: CommandRecord>(of record: R.Type) -> Wire {
    let states = R.commands.detailStates
    var wire = Wire(cells: [states.detail, states.saving])
    wire.events = [ResponseChangedViews<R>.self, ResponseRowChanges<R>.self]
    return wire
  }
}

extension Catalogue {
  /// Adds the commands of the screens of a record: `new`, and in a detail `set`, `toggle`, `show`, `save` and `cancel`,
  /// in a list `rows`.
  public mutating func addScreens<R: CommandRecord>(of record: R.Type) {
    let commands = R.commands
    let detail = commands.detailKind
    add(onScreen: nil, "at a prompt or in an editor", R.kind, [RequestNew<R>.self])
    var edits: [any Command.Type] = [RequestSet<R>.self]
    if commands.hasToggles { edits.append(RequestToggle<R>.self) }
    edits += [RequestShowOpen<R>.self, RequestSave<R>.self, RequestCancel<R>.self]
    add(onScreen: detail, "in the detail of \(R.article)", detail, edits)
    let list = commands.listKind
    add(onScreen: list, "in an open list", list, [RequestRows<R>.self])
    add(links: [
      Candidate(RequestList<R>.verb, "A list that follows changes by others"),
      Candidate(RequestNew<R>.verb, "The detail of a new \(R.kind)"),
    ])
    add(wire: .screens(of: record))
  }
}
