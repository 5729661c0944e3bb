import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues

/// Answers the requests about profiles, and swaps the view model when another user is shown.
final class Profiles: Plugin {
  let name = "profile"
  private let joined = Locked<ShownProfile?>(nil)
  /// The states that views bind to; nil before it has joined.
  var shown: ShownProfile? { joined.withLock { $0 } }

  func join(_ stream: EventStream) {
    let shown = ShownProfile(stream)
    joined.withLock { $0 = shown }
    stream.answer(RequestUsers.self) { _, turn in
      UsersDisplay(try await turn.request(RequestRecords<User>()))
    }
    stream.transaction(RequestAddUser.self) { request, store in
      try store.add(try request.user())
      return UsersDisplay(try store.records())
    }
    stream.transaction(RequestRemoveUser.self) { request, store in
      try store.remove(request.id, of: User.self)
      return UsersDisplay(try store.records())
    }
    stream.answer(RequestProfile.self, owner: shown) { shown, _, _ in try shown.model.latest }
    stream.show(shown.display.named(.profile), shown.loading.isShown.named(.loading))
    command(RequestShow.self, shown, stream) { shown, request, turn, reply in
      let id = try turn.resolve([request.id], of: User.self)[0]
      shown.show(try id.number, turn, or: reply) { model, turn in
        model.load(turn, then: reply)
      }
    }
    command(RequestRefresh.self, shown, stream) { shown, request, turn, reply in
      let id = try request.id.map { try turn.resolve([$0], of: User.self)[0] }
      let number = try id?.number ?? shown.model.number
      shown.show(number, turn, or: reply) { model, turn in model.refresh(turn, then: reply) }
    }
    joinShares(shown, stream)
    stream.follow(User.self, owner: shown) { shown, users, turn in shown.follow(users, turn) }
    stream.on(ResponseUnit.self, owner: shown) { shown, unit, turn in
      guard unit.outcome == .rolledBack else { return }
      // The profile may show data that was rolled back.
      turn.request(RequestRecords<User>()) { [weak shown] result, turn in
        guard let users = try? result.get().result.get() else { return }
        shown?.follow(users, isRolledBack: true, turn)
      }
    }
  }

  /// A host asks, and is called back when the person has answered, or views another profile (S83).
  private func joinShares(_ shown: ShownProfile, _ stream: EventStream) {
    command(RequestShare.self, shown, stream) { shown, _, turn, reply in
      let model = try shown.model
      guard !turn.isInUnit, let viewer = shown.viewer, viewer != turn.origin else {
        throw Failure(.usage, "Nobody else is here to be asked.")
      }
      let id = turn.makeID()
      model.note(question: id)
      turn.request(
        RequestDecision(
          viewer,
          "May \(model.latest.name) be shared?",
          choices: RequestDecision.yesOrNo,
          id: id
        )
      ) { result, turn in
        model.remove(question: id)
        let decision = result.mapError(Failure.init).flatMap(\.result)
        let no = Failure(.refused, "No.")
        reply(decision.flatMap { $0 == "yes" ? .success(model.latest) : .failure(no) }, turn)
      }
    }
  }

  /// Answers a command whose reply may take a while.
  private func command<C: ProfileCommand>(
    _ type: C.Type,
    _ shown: ShownProfile,
    _ stream: EventStream,
    _ body:
      @escaping (ShownProfile, C, borrowing Turn, @escaping ProfileViewModel.Ending) throws -> Void
  ) {
    stream.declareAnswerer(of: type)
    stream.on(type, owner: shown) { shown, request, turn in
      do {
        try body(shown, request, turn) { result, turn in turn.send(C.Reply(result)) }
      } catch {
        turn.send(C.Reply(.failure(Failure(error))))
      }
    }
  }
}

/// The shown view model; when it is swapped, views that are bound to its states are bound anew
/// (S92).
final class ShownProfile: Sendable {
  /// The shown view model, or nil.
  var viewModel: ProfileViewModel? { held.value }
  let display: SwitchedState<ProfileDisplay?>
  /// Shown while anything is being loaded, in any session (S84).
  let loading: Overlay
  private let held: State<ProfileViewModel?>
  private let stream: EventStream
  private let current = Locked<(model: ProfileViewModel, viewer: Origin)?>(nil)

  init(_ stream: EventStream) {
    self.stream = stream
    held = State(nil, name: "viewModel", on: stream)
    loading = Overlay("loading", on: stream)
    display = SwitchedState(of: held, or: nil, name: "shown", on: stream) { $0?.display }
  }

  var model: ProfileViewModel {
    get throws(Failure) {
      guard let model = current.withLock({ $0?.model }) else {
        throw Failure(.notFound, "Nobody is shown; 'show 1' shows #1.")
      }
      return model
    }
  }

  /// The session that views the profile.
  var viewer: Origin? { current.withLock { $0?.viewer } }

  /// Shows a user; if the user is shown already, the view model stays.
  func show(
    _ number: Int,
    _ turn: borrowing Turn,
    or fail: @escaping ProfileViewModel.Ending,
    then: @escaping (ProfileViewModel, borrowing Turn) -> Void
  ) {
    turn.request(RequestRecords<User>([number])) { [weak self] result, turn in
      do {
        let users = try result.get().result.get()
        guard let self, let user = users.first else { return }
        then(swap(to: user, turn), turn)
      } catch {
        fail(.failure(Failure(error)), turn)
      }
    }
  }

  private func swap(to user: Kept<User>, _ turn: borrowing Turn) -> ProfileViewModel {
    let viewer = turn.origin
    if let model = current.withLock({ $0?.model }), model.number == user.number {
      current.withLock { $0?.viewer = viewer }
      _ = model.take(user, turn)
      return model
    }
    let model = ProfileViewModel(user, loading, on: stream)
    set((model, viewer), turn)
    return model
  }

  private func set(_ next: (model: ProfileViewModel, viewer: Origin)?, _ turn: borrowing Turn) {
    let last = current.withLock { current in
      defer { current = next }
      return current
    }
    last?.model.close(turn)
    turn.set(held, to: next?.model)
    // A remaining view model reports its changes itself.
    if next == nil, let last { turn.send(last.model.change) }
  }

  /// Shows the present values of the user, or no profile if the user is gone.
  func follow(_ users: [Kept<User>], isRolledBack: Bool = false, _ turn: borrowing Turn) {
    guard let model = try? model, let user = users.first(where: { $0.number == model.number })
    else { return set(nil, turn) }
    let isMoved = model.take(user, isRolledBack: isRolledBack, turn)
    // Views were not notified of the user that a script has shown.
    if isRolledBack { turn.set(held, to: model) }
    if isMoved { model.load(turn) { _, _ in } }
  }
}

extension Failure.Kind {
  /// The person has refused.
  static let refused = Failure.Kind("refused")
}

extension UsersDisplay {
  init(_ users: [Kept<User>]) {
    self.init(
      users: users.map { .init(id: $0.number, name: $0.value.name, friends: $0.value.friends) }
    )
  }
}

extension RequestAddUser {
  fileprivate func user() throws -> User {
    guard !name.isEmpty, name.utf8.count <= User.mostBytes else {
      throw Failure(.validation, "Say who, in at most 4096 bytes.", field: "name")
    }
    guard friends.number <= User.mostFriends else {
      throw Failure(.validation, "Nobody has that many friends.", field: "friends")
    }
    for (address, field) in [(avatar, "avatar"), (source, "source")] {
      guard let address, !Address.isPlain(address) else { continue }
      throw Failure(.validation, Address.refusal(of: address), field: field)
    }
    return User(name: name, friends: friends.number, avatar: avatar, source: source)
  }
}
