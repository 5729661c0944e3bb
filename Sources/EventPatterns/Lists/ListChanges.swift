public import JSONText

/// What turns one list into another, as one batch that a view applies (S63): rows that go, come,
/// move, and have other content.
///
/// Rows are told apart by what stays the same of each, and compared as they are. A view first takes
/// out what has gone and what moves, by the places in the old list, from the last to the first;
/// then it puts in what has come and what has moved, by the places in the new list, from the first
/// to the last; and then it shows the rows anew whose content is another. ``apply(to:)`` is just
/// that. Tables of the common toolkits take such a batch as it is.
///
/// ```swift
/// let changes = ListChanges(from: ["milk", "tea"], to: ["tea", "bread", "milk"], by: \.self)
/// #expect(changes.moved == [.init(from: 0, to: 2)])
/// #expect(changes.inserted == [.init(at: 1, "bread")])
/// ```
public struct ListChanges<Row: Sendable & Equatable>: Sendable, Equatable {
  /// A row that was taken out and put in again.
  public struct Move: Sendable, Equatable, Encodable {
    /// Its place in the old list.
    public let from: Int
    /// Its place in the new one.
    public let to: Int

    /// Describes a move.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// A row, and where it stands in the new list.
  public struct Placed: Sendable, Equatable {
    /// Its place.
    public let index: Int
    /// The row.
    public let row: Row

    /// Describes a row.
    public init(at index: Int, _ row: Row) {
      self.index = index
      self.row = row
    }
  }

  /// The places in the old list of rows that have gone, the first one first.
  public private(set) var removed: [Int] = []
  /// Rows that have come, the first one first.
  public private(set) var inserted: [Placed] = []
  /// Rows that are taken out and put in again; as few as can be, in the order of the new places.
  ///
  /// Where rows before one have come and gone, its place can be the same in both lists.
  public private(set) var moved: [Move] = []
  /// Rows that are in both lists, and have other content; those that moved, too.
  public private(set) var reloaded: [Placed] = []

  /// Whether both lists are equal.
  public var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && moved.isEmpty && reloaded.isEmpty
  }

  /// Finds what turns one list into another.
  ///
  /// It takes time as the number of rows, times that of rows that have come, gone or moved.
  ///
  /// - Parameters:
  ///   - old: The rows as they were shown, each once.
  ///   - new: The rows as they shall be shown, each once.
  ///   - identity: What stays the same of a row.
  public init<ID: Hashable>(from old: [Row], to new: [Row], by identity: (Row) -> ID) {
    let oldIDs = old.map(identity)
    let newIDs = new.map(identity)
    for change in newIDs.difference(from: oldIDs).inferringMoves() {
      switch change {
      case .remove(let index, _, nil): removed.append(index)
      case .insert(let index, _, nil): inserted.append(Placed(at: index, new[index]))
      case .insert(let index, _, let origin?): moved.append(Move(from: origin, to: index))
      // Its insertion tells the same move.
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
  ///   - json: Takes it.
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
