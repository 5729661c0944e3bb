public import EventCommands
import EventMVVM
public import EventPatterns
import EventRecords
import EventValues

/// The navigation of the records of a kind: a flow for lists, and one for details (S96).
public final class RecordCoordinator<R: CommandRecord>: Coordinator {
  /// The flow of lists, and that of details.
  ///
  /// There is none for a command of one's own in the place of `list` or `show`, and no details without `edit`.
  public let children: [any Coordinator]

  /// Creates the flows.
  public init() {
    var children: [any Coordinator] = []
    if R.commands.hasListScreen { children.append(RecordListFlow<R>()) }
    if R.commands.hasDetailScreen { children.append(RecordDetailFlow<R>()) }
    self.children = children
  }
}

extension CommandRecord {
  /// Creates the coordinator of the screens.
  public static var _coordinator: any Coordinator { RecordCoordinator<Self>() }
}

extension RecordCommands {
  /// Whether `list` is that which follows from the declaration.
  fileprivate var hasListScreen: Bool { type(of: .list) == RequestList<R>.self }
  /// Whether `show` is that which follows from the declaration, and records are edited.
  fileprivate var hasDetailScreen: Bool {
    type(of: .show) == RequestShow<R>.self && type(of: .edit) != nil
  }
  /// Whether a record is added on a screen.
  fileprivate var hasNew: Bool { hasDetailScreen && type(of: .add) != nil }
}

extension Wire {
  /// What programs are told of the screens of a record.
  fileprivate static func screens<R: CommandRecord>(of record: R.Type) -> Wire {
    let commands = R.commands
    let states = commands.detailStates
    var wire = commands.hasDetailScreen ? Wire(cells: [states.detail, states.saving]) : Wire()
    wire.events = [ResponseChangedViews<R>.self]
    if commands.hasListScreen { wire.events.append(ResponseRowChanges<R>.self) }
    return wire
  }
}

extension Catalogue {
  /// Adds the commands of the screens of a record: `new`, and in a detail `set`, `toggle`, `show`, `save` and `cancel`,
  /// in a list `rows`.
  public mutating func addScreens<R: CommandRecord>(of record: R.Type) {
    let commands = R.commands
    let detail = commands.detailKind
    if commands.hasDetailScreen {
      if commands.hasNew {
        add(onScreen: nil, "at a prompt or in an editor", R.kind, [RequestNew<R>.self])
      }
      var edits: [any Command.Type] = [RequestSet<R>.self]
      if !commands.allToggles.isEmpty { edits.append(RequestToggle<R>.self) }
      edits += [RequestShowOpen<R>.self, RequestSave<R>.self, RequestCancel<R>.self]
      add(onScreen: detail, "in the detail of \(R.article)", detail, edits)
    }
    // With several kinds, the texts name the kind.
    let isOne = commands.suffix.isEmpty
    if commands.hasListScreen {
      let list = commands.listKind
      let place = isOne ? "in an open list" : "in an open list of \(R.several)"
      add(onScreen: list, place, list, [RequestRows<R>.self])
      let what = isOne ? "A list that follows" : "A list of \(R.several) that follows"
      add(links: [Candidate(RequestList<R>.verb, "\(what) changes by others")])
    }
    if commands.hasNew {
      add(links: [Candidate(RequestNew<R>.verb, "The detail of a new \(R.kind)")])
    }
    add(wire: .screens(of: record))
  }
}
