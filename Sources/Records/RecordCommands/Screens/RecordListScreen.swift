import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues
import JSONText

/// A list that is updated while records change (S43–S45).
final class RecordListScreen<R: CommandRecord>: Screen {
  static var isNotOpen: String {
    let list = R.commands.listKind
    return "No list is open; 'open \(list)' opens one."
  }
  /// How many rows it shows at most.
  static var mostRows: Int { 1000 }

  private weak let navigator: Navigator?
  private let contents: StateContainer<Contents>
  private let asking = Locked(Asking())

  private struct Contents: Sendable, Equatable {
    var list: ListedRecords<R>
    /// The request for its rows, with order and filter (S108).
    var request: RequestList<R>
    /// The words of its link.
    var route: [String]

    var name: String { route.joined(separator: " ") }
  }

  private struct Asking {
    var isUnderWay = false
    var isStale = false
  }

  /// - Parameters:
  ///   - list: The initial rows.
  ///   - request: The request for its rows.
  ///   - route: The words of its link.
  ///   - navigator: Is notified of changes; it retains the screen, and so is referred to weakly.
  ///   - stream: The shared stream.
  init(
    _ list: ListedRecords<R>,
    _ request: RequestList<R>,
    _ route: [String],
    _ navigator: Navigator,
    on stream: EventStream
  ) {
    self.navigator = navigator
    let contents = Contents(list: list, request: request, route: route)
    self.contents = StateContainer(contents, name: R.commands.listKind, on: stream)
  }

  /// The current rows.
  var list: ListedRecords<R> { contents.model.list }
  private var request: RequestList<R> { contents.model.request }

  var view: ScreenView {
    let contents = contents.model
    return ScreenView(
      kind: R.commands.listKind,
      title: "\(contents.name) (\(contents.list.records.count))"
    )
  }

  /// Requests the rows at each appearance (S28), and after a change.
  func reappear(_ turn: borrowing Turn) { ask(turn) }

  /// Requests the rows, with another order or filter if given, and passes them on, or why there are
  /// none.
  func refresh(
    _ rows: RequestRows<R>,
    _ turn: borrowing Turn,
    then: @escaping (Result<ListedRecords<R>, Failure>, borrowing Turn) -> Void
  ) {
    let request = request.arranged(rows)
    turn.request(request) { [weak self] result, turn in
      let list = result.mapError(Failure.init).flatMap(\.result)
      if case .success(let list) = list {
        self?
          .take(list, turn) { contents in
            guard contents.request != request else { return }
            contents.request = request
            contents.route = rows.route(contents.route)
          }
      }
      then(list, turn)
    }
  }

  /// Requests the rows; several requests at once are combined.
  ///
  /// In a conversation of its own: cancelling a change does not cancel its display.
  private func ask(_ turn: borrowing Turn) {
    let isFree = asking.withLock { asking in
      asking.isStale = asking.isUnderWay
      defer { asking.isUnderWay = true }
      return !asking.isUnderWay
    }
    guard isFree else { return }
    let request = request
    turn.stream.request(request, isHousekeeping: true) { [weak self] result, turn in
      guard let self else { return }
      // The request for the rows may have changed meanwhile.
      let isWanted = request == self.request
      if isWanted, let list = try? result.get().result.get() { take(list, turn) }
      let asksAgain = asking.withLock { asking in
        asking.isUnderWay = false
        return asking.isStale || !isWanted
      }
      if asksAgain { ask(turn) }
    }
  }

  private func take(
    _ list: ListedRecords<R>,
    _ turn: borrowing Turn,
    _ change: (inout Contents) -> Void = { _ in }
  ) {
    let old = contents.model
    contents.change(turn) { contents in
      contents.list = list
      change(&contents)
    }
    if old.list.records != list.records {
      tell(old.list, turn)
    } else if old.route != contents.model.route {
      navigator?.tellChange(of: self, turn)
    }
  }

  /// Sends the changes of the rows to the views of the session (S63).
  private func tell(_ old: ListedRecords<R>, _ turn: borrowing Turn) {
    guard let navigator, let session = navigator.session(of: self) else { return }
    navigator.tellChange(of: self, turn)
    let changes = ListChanges(from: old.records, to: list.records, by: \.number)
    turn.send(ResponseRowChanges<R>(session, view, changes))
  }
}

/// Opens lists, and updates them (S28).
final class RecordListFlow<R: CommandRecord>: Coordinator {
  private typealias List = RecordListScreen<R>

  func join(_ stream: EventStream, _ navigator: Navigator) {
    ResponseChangedViews<R>.tell(on: stream)
    stream.on(ResponseChangedViews<R>.self, owner: navigator) { navigator, _, turn in
      for screen in navigator.screens(List.self) { screen.reappear(turn) }
    }
    stream.declareAnswerer(of: RequestRows<R>.self)
    stream.on(RequestRows<R>.self, owner: navigator) { navigator, rows, turn in
      do {
        let isForScripts = rows == RequestRows<R>()
        let screen = try navigator.topmost(List.self, isForScripts: isForScripts, turn)
        screen.refresh(rows, turn) { result, turn in turn.send(RequestRows<R>.Reply(result)) }
      } catch {
        turn.send(RequestRows<R>.Reply(.failure(Failure(error))))
      }
    }
  }

  /// Follows `list`, with the words of the command of that name.
  func follow(
    _ route: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) -> Bool {
    guard route.first?.isIdentical(to: RequestList<R>.verb) == true else { return false }
    let request: RequestList<R>
    do {
      let words = route.enumerated().map { Word(text: $1, offset: $0, isBare: true) }
      request = try RequestList<R>._read(words, other: nil).limited(to: List.mostRows)
    } catch {
      then(.failure(error.failure), turn)
      return true
    }
    turn.request(request) { result, turn in
      let list = result.mapError(Failure.init).flatMap(\.result)
      if case .success(let list) = list {
        navigator.open(List(list, request, route, navigator, on: turn.stream), turn)
      }
      then(list.map { $0 as any CommandResult }, turn)
    }
    return true
  }
}
