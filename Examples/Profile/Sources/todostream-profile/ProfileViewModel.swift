import EventCommands
import EventMVVM
import EventPatterns
import EventRecords

/// The view model of one user, passed at its creation (S93); another user has another one (S92).
///
/// It shows states that only it assigns, all of them in `assign`. It requests users and images, and
/// depends neither on their controllers nor on the service's format (S88).
final class ProfileViewModel: Sendable, Equatable {
  /// All values at once.
  let display: DerivedState<ProfileDisplay?>
  let name: DerivedState<String>
  let friends: DerivedState<String>
  let avatar: DerivedState<ProfileDisplay.Avatar>
  let isRefreshing: DerivedState<Bool>
  private let shown: State<ProfileDisplay>
  private let facts: Locked<Facts>
  private let refreshing: Action
  private let loading: Overlay
  private let questions = Locked<Set<UniqueID>>([])

  fileprivate struct Facts {
    var user: Kept<User>
    var picture: Picture?
    var hasFailed = false
    var problem: String?
    var isRefreshing = false
    /// The load whose images are shown.
    var load: UInt64 = 0
  }

  init(_ user: Kept<User>, _ loading: Overlay, on stream: EventStream) {
    let facts = Facts(user: user)
    self.facts = Locked(facts)
    self.loading = loading
    refreshing = Action("refresh", on: stream)
    shown = State(facts.display, name: "profile", on: stream)
    display = shown.map("display", on: stream) { $0 }
    name = shown.map("name", on: stream) { $0.name }
    friends = shown.map("friends", on: stream) { $0.friends }
    avatar = shown.map("avatar", on: stream) { $0.avatar }
    isRefreshing = shown.map("isRefreshing", on: stream) { $0.isRefreshing }
    stream.on(ResponseImage.self, owner: self) { model, found, turn in
      guard model.facts.withLock({ $0.load == found.load }) else { return }
      model.assign(turn) { $0.picture = found.picture }
    }
  }

  static func == (first: ProfileViewModel, second: ProfileViewModel) -> Bool { first === second }

  var number: Int { facts.withLock { $0.user.number } }
  /// The present values, also inside a script, whose end the states wait for.
  var latest: ProfileDisplay { facts.withLock { $0.display } }
  /// The outcome of a load: the present values, with a failed status if the load was incomplete.
  private var loaded: ProfileDisplay {
    facts.withLock { facts in
      var display = facts.display
      if facts.hasFailed { display.exitStatus = .failed }
      return display
    }
  }
  /// The notice that the shown values have changed.
  var change: ResponseProfileChange { facts.withLock { $0.change } }

  /// Changes the shown values, and reports that; after a rollback also without a change, since the
  /// states have not received the values in between.
  private func assign(
    _ turn: borrowing Turn,
    isRolledBack: Bool = false,
    _ change: (inout Facts) -> Void
  ) {
    let (before, after) = facts.withLock { facts in
      let before = facts.display
      change(&facts)
      return (before, facts)
    }
    guard isRolledBack || before != after.display else { return }
    turn.set(shown, to: after.display)
    turn.send(after.change)
  }

  /// Called with the final values, or with the reason why there are none.
  typealias Ending = (Result<ProfileDisplay, Failure>, borrowing Turn) -> Void

  // MARK: The image

  /// Loads the image: shows the present one, then that of the cache, then that of the network (S59,
  /// S94).
  ///
  /// The latest of several loads is shown.
  func load(_ turn: borrowing Turn, then: @escaping Ending) {
    let load = turn.sequence
    assign(turn) { facts in
      (facts.load, facts.hasFailed, facts.problem) = (load, false, nil)
    }
    loading.show()
    let address = facts.withLock { $0.user.value.avatar }
    turn.request(RequestImages(address: address, load: load)) { [weak self, loading] result, turn in
      loading.hide()
      guard let self, facts.withLock({ $0.load == load }) else {
        return then(.failure(Self.isAnother), turn)
      }
      let failure = result.failure
      if let failure { assign(turn) { ($0.hasFailed, $0.problem) = (true, failure.message) } }
      if let failure, failure.kind == .cancelled { return then(.failure(failure), turn) }
      then(.success(loaded), turn)
    }
  }

  private static let isAnother = Failure(.cancelled, "Something else is shown by now.")

  // MARK: The user

  /// Asks the service for the user's present values, stores them, and loads the image (S91).
  func refresh(_ turn: borrowing Turn, then: @escaping Ending) {
    do {
      try refreshing.begin(turn)
    } catch {
      return then(.failure(error), turn)
    }
    assign(turn) { ($0.isRefreshing, $0.problem) = (true, nil) }
    loading.show()
    let end = ending(then)
    guard let source = facts.withLock({ $0.user.value.source }) else {
      return load(turn, then: end)
    }
    turn.request(RequestUser(address: source)) { [weak self] result, turn in
      guard let self else { return end(.failure(Self.isAnother), turn) }
      do {
        keep(try result.get().result.get(), turn, then: end)
      } catch {
        end(.failure(Failure(error)), turn)
      }
    }
  }

  private func keep(_ user: User, _ turn: borrowing Turn, then: @escaping Ending) {
    let seen = facts.withLock { $0.user }
    if user == seen.value { turn.send(ResponseToast(turn.origin, "Nothing is new.")) }
    let write = RecordWrite.put(seen.number, user, seen: seen.revision)
    turn.request(RequestWriteRecords([write])) { [weak self] result, turn in
      guard let self else { return then(.failure(Self.isAnother), turn) }
      do {
        for change in try result.get().result.get() {
          guard let user = change.after else { continue }
          _ = take(Kept(change.number, user, revision: change.revision), turn)
        }
        load(turn, then: then)
      } catch {
        then(.failure(Failure(error)), turn)
      }
    }
  }

  /// Ends the action, with any outcome.
  private func ending(_ then: @escaping Ending) -> Ending {
    { [weak self, loading] result, turn in
      loading.hide()
      guard let self else { return then(.failure(Self.isAnother), turn) }
      _ = refreshing.end(turn)
      assign(turn) { facts in
        facts.isRefreshing = false
        if let failure = result.failure { facts.problem = failure.message }
      }
      then(result.map { _ in self.loaded }, turn)
    }
  }

  /// Shows a newer state of the user.
  ///
  /// - Returns: Whether the address of the image has changed, so that it must be loaded.
  func take(_ user: Kept<User>, isRolledBack: Bool = false, _ turn: borrowing Turn) -> Bool {
    let known = facts.withLock { $0.user }
    guard known.revision < user.revision || isRolledBack else { return false }
    let isMoved = known.value.avatar != user.value.avatar
    assign(turn, isRolledBack: isRolledBack) { facts in
      facts.user = user
      if isMoved { facts.picture = nil }
    }
    return isMoved
  }

  // MARK: Questions

  /// Notes a question to the person who views the profile.
  func note(question: UniqueID) {
    questions.withLock { _ = $0.insert(question) }
  }

  /// Notes that a question has ended.
  func remove(question: UniqueID) {
    questions.withLock { _ = $0.remove(question) }
  }

  /// Withdraws the questions that only a viewer could answer.
  func close(_ turn: borrowing Turn) {
    for question in questions.withLock({ $0 }) { turn.send(ResponseQuestionWithdrawal(question)) }
  }
}

extension ProfileViewModel.Facts {
  fileprivate var change: ResponseProfileChange {
    ResponseProfileChange(changedIDs: [user.number], revision: user.revision)
  }

  fileprivate var display: ProfileDisplay {
    let kind: ProfileDisplay.Kind =
      hasFailed && picture == nil ? .error : picture == nil ? .placeholder : .image
    return ProfileDisplay(
      id: user.number,
      name: user.value.name.uppercased(),
      friends:
        "This user has \(user.value.friends) \(user.value.friends == 1 ? "friend" : "friends")",
      avatar: .init(
        kind: kind,
        address: user.value.avatar,
        width: picture?.width,
        height: picture?.height,
        bytes: picture?.bytes
      ),
      isRefreshing: isRefreshing,
      problem: problem
    )
  }
}

extension Result
where Failure == Interruption, Success: Response, Success.Problem == EventMVVM.Failure {
  /// The failure; nil if there is a value.
  fileprivate var failure: EventMVVM.Failure? {
    do {
      _ = try get().result.get()
      return nil
    } catch {
      return EventMVVM.Failure(error)
    }
  }
}

extension Result where Failure == EventMVVM.Failure {
  /// The failure; nil if there is a value.
  fileprivate var failure: EventMVVM.Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
