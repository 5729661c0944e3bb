public import JSONText

/// The changes from one list to another, as one batch that a view applies (S63): rows that are
/// removed, inserted, moved, and have other content.
///
/// An identity distinguishes rows, and equality compares their contents. A view first removes the
/// removed and the moved rows, by their indices in the old list, from the last to the first; then
/// it inserts the inserted and the moved ones, by their indices in the new list, from the first to
/// the last; and then it reloads the rows whose content has changed. ``apply(to:)`` does exactly
/// that. Tables of the common toolkits accept such a batch directly.
///
/// ```swift
/// let changes = ListChanges(from: ["milk", "tea"], to: ["tea", "bread", "milk"], by: \.self)
/// #expect(changes.moved == [.init(from: 0, to: 2)])
/// #expect(changes.inserted == [.init(at: 1, "bread")])
/// ```
public struct ListChanges<Row: Sendable & Equatable>: Sendable, Equatable {
  /// A row that is removed and inserted again.
  public struct Move: Sendable, Equatable, Encodable {
    /// Its index in the old list.
    public let from: Int
    /// Its index in the new list.
    public let to: Int

    /// Creates a move.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// A row and its index in the new list.
  public struct Placed: Sendable, Equatable {
    /// Its index.
    public let index: Int
    /// The row.
    public let row: Row

    /// Creates a row with its index.
    public init(at index: Int, _ row: Row) {
      self.index = index
      self.row = row
    }
  }

  /// The indices in the old list of removed rows, in ascending order.
  public private(set) var removed: [Int] = []
  /// Inserted rows, in ascending order.
  public private(set) var inserted: [Placed] = []
  /// Rows that are removed and inserted again; as few as possible, in the order of the new indices.
  ///
  /// Where rows before it were inserted and removed, a row's index can be the same in both lists.
  public private(set) var moved: [Move] = []
  /// Rows in both lists whose content differs, moved ones included.
  public private(set) var reloaded: [Placed] = []

  /// Whether both lists are equal.
  public var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && moved.isEmpty && reloaded.isEmpty
  }

  /// Computes the changes from one list to another.
  ///
  /// Takes time in proportion to the rows times the inserted, removed and moved ones.
  ///
  /// - Parameters:
  ///   - old: The rows as they were shown, each once.
  ///   - new: The rows as they will be shown, each once.
  ///   - identity: The identity of a row.
  public init<ID: Hashable>(from old: [Row], to new: [Row], by identity: (Row) -> ID) {
    let oldIDs = old.map(identity)
    let newIDs = new.map(identity)
    for change in newIDs.difference(from: oldIDs).inferringMoves() {
      switch change {
      case .remove(let index, _, nil): removed.append(index)
      case .insert(let index, _, nil): inserted.append(Placed(at: index, new[index]))
      case .insert(let index, _, let origin?): moved.append(Move(from: origin, to: index))
      // Its insertion represents the same move.
      case .remove: break
      }
    }
    removed.sort()
    var places: [ID: Int] = [:]
    for (index, id) in oldIDs.enumerated() { places[id] = index }
    for (index, id) in newIDs.enumerated() {
      if let place = places[id], old[place] != new[index] {
        reloaded.append(Placed(at: index, new[index]))
      }
    }
  }

  /// Applies the batch to the list that it begins with.
  public func apply(to rows: inout [Row]) {
    let moving = moved.map { Placed(at: $0.to, rows[$0.from]) }
    for index in (removed + moved.map(\.from)).sorted(by: >) { rows.remove(at: index) }
    for placed in (inserted + moving).sorted(by: { $0.index < $1.index }) {
      rows.insert(placed.row, at: placed.index)
    }
    for placed in reloaded { rows[placed.index] = placed.row }
  }

  /// Writes it as one JSON value.
  ///
  /// - Parameters:
  ///   - json: The writer.
  ///   - write: Writes a row.
  public func write(to json: inout JSONWriter, row write: (Row, inout JSONWriter) -> Void) {
    func writeRows(_ rows: [Placed], as name: JSONName, to json: inout JSONWriter) {
      json.key(name)
      json.array { json in
        for placed in rows {
          json.object { json in
            json.member("index", placed.index)
            json.key("row")
            write(placed.row, &json)
          }
        }
      }
    }
    json.object { json in
      json.member("removed", JSON.array(removed.map { .integer(Int64($0)) }))
      json.key("moved")
      json.array { json in
        for move in moved {
          json.object {
            $0.member("from", move.from)
            $0.member("to", move.to)
          }
        }
      }
      writeRows(inserted, as: "inserted", to: &json)
      writeRows(reloaded, as: "reloaded", to: &json)
    }
  }
}

extension ListChanges: Encodable where Row: Encodable {}
extension ListChanges.Placed: Encodable where Row: Encodable {}
