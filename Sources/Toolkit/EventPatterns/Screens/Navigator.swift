public import EventCommands
public import EventMVVM
import EventValues

/// Keeps the screens that each frontend session has open, and follows links to them (S96).
///
/// It depends on no screen and no domain; ``Coordinator``s open and close. Every session has its
/// own stack, so that a screen of one session is shown in no other (S15). Only the topmost screen
/// of a session receives commands (S78).
///
/// ```swift
/// stream.on(successOf: RequestMessage.Reply.self, owner: navigator) { navigator, message, turn in
///   guard !turn.isInUnit, navigator.hasRoom(in: turn.origin) else { return }
///   let seen = navigator.top(of: turn.origin, as: MessageScreen.self)
///   navigator.open(MessageScreen(message), replacing: seen, turn)
/// }
/// ```
public final class Navigator: Plugin {
  /// Its name among the plugins.
  public let name = "screens"
  /// The states that programs can watch.
  public static let states: [any WatchedState.Type] = [RequestScreens.self]
  /// The prefix of its JSON-RPC methods.
  public static let group = "screen"
  /// Its commands, for frontends that show screens: to open one, and to go back.
  public static let commands: [any Command.Type] = [RequestOpen.self, RequestBack.self]
  /// How many screens a session can have open at once.
  public static let mostScreens = 32

  private let coordinators: [any Coordinator]
  private let sessions = Locked<[Origin: [any Screen]]>([:])

  /// Creates a navigator for these flows and the flows within them.
  public init(_ coordinators: [any Coordinator]) {
    var all: [any Coordinator] = []
    var rest = Array(coordinators.reversed())
    while let next = rest.popLast() {
      all.append(next)
      rest += next.children.reversed()
    }
    self.coordinators = all
  }

  /// Subscribes to what it answers, and calls `join` of the coordinators.
  public func join(_ stream: EventStream) {
    stream.answer(RequestScreens.self, owner: self) { navigator, _, turn in
      let session = turn.origin
      navigator.sessions.withLock { sessions in
        if sessions[session] == nil { sessions[session] = [] }
      }
      return OpenScreens(views: navigator.views(of: session))
    }
    stream.answer(RequestBack.self, owner: self) { navigator, request, turn in
      try navigator.goBack(request, turn)
    }
    stream.declareAnswerer(of: RequestOpen.self)
    stream.on(RequestOpen.self, owner: self) { navigator, request, turn in
      navigator.follow(request.route.map(\.text), turn)
    }
    stream.on(ResponseSessionEnd.self, owner: self) { navigator, _, turn in
      let session = turn.origin
      turn.stream.show([], to: session)
      // The screens are released after the lock: that sends their deferred replies.
      _ = navigator.sessions.withLock { $0.removeValue(forKey: session) }
    }
    for coordinator in coordinators { coordinator.join(stream, self) }
  }

  // MARK: For coordinators

  /// Whether a session can show screens, and has room for another one.
  public func hasRoom(in session: Origin) -> Bool {
    (screens(of: session)?.count).map { $0 < Self.mostScreens } ?? false
  }

  /// The topmost screen of a session, if it is of the given type.
  public func top<S: Screen>(of session: Origin, as type: S.Type) -> S? {
    screens(of: session)?.last as? S
  }

  /// Returns the topmost screen of the turn's session, for a command that needs a screen of that
  /// type.
  ///
  /// - Parameters:
  ///   - type: The type of the screen.
  ///   - isForScripts: Whether a script may send the command as well, because it does nothing to
  ///     the screen that would have to be rolled back with the script.
  ///   - turn: The turn of the command.
  /// - Returns: The screen.
  /// - Throws: A failure if another screen or none is on top, or a script sends it.
  public func topmost<S: Screen>(
    _ type: S.Type,
    isForScripts: Bool = false,
    _ turn: borrowing Turn
  ) throws(Failure) -> S {
    guard isForScripts || !turn.isInUnit else { throw Self.isForNoScript }
    guard let screen = top(of: turn.origin, as: type) else { throw Failure(.usage, S.isNotOpen) }
    return screen
  }

  /// The open screens of a type in a session, the topmost last.
  public func screens<S: Screen>(_ type: S.Type, of session: Origin) -> [S] {
    screens(of: session)?.compactMap { $0 as? S } ?? []
  }

  /// All open screens of a type, of any session.
  public func screens<S: Screen>(_ type: S.Type) -> [S] {
    sessions.withLock { $0.values.flatMap { $0.compactMap { $0 as? S } } }
  }

  /// Opens a screen in the session of the turn, on top of its open screens.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - replacing: The screen that it replaces, if that is the topmost one (S92).
  ///   - turn: The turn in which it is opened; see ``hasRoom(in:)``.
  public func open(
    _ screen: any Screen,
    replacing: (any Screen)? = nil,
    _ turn: borrowing Turn
  ) {
    let session = turn.origin
    sessions.withLock { sessions in
      if let replacing, sessions[session]?.last === replacing { sessions[session]?.removeLast() }
      sessions[session]?.append(screen)
    }
    uncover(session, turn)
  }

  /// Brings a screen to the top of its session's open screens.
  public func raise(_ screen: any Screen, _ turn: borrowing Turn) {
    guard let session = session(of: screen) else { return }
    sessions.withLock { sessions in
      sessions[session]?.removeAll { $0 === screen }
      sessions[session]?.append(screen)
    }
    uncover(session, turn)
  }

  /// Closes a screen, wherever it is open; the one beneath it reappears.
  public func close(_ screen: any Screen, _ turn: borrowing Turn) {
    guard let session = session(of: screen) else { return }
    let uncovered: (any Screen)? = sessions.withLock { sessions in
      let wasTopmost = sessions[session]?.last === screen
      sessions[session]?.removeAll { $0 === screen }
      return wasTopmost ? sessions[session]?.last : nil
    }
    uncovered?.reappear(turn)
    uncover(session, turn)
  }

  /// Notifies the views that the content of a screen has changed.
  public func tellChange(of screen: any Screen, _ turn: borrowing Turn) {
    if let session = session(of: screen) { tell(session, turn) }
  }

  // MARK: The stacks

  /// Whether a session can show screens at all.
  func canShow(in session: Origin) -> Bool { screens(of: session) != nil }

  func screens(of session: Origin) -> [any Screen]? {
    sessions.withLock { $0[session] }
  }

  private func views(of session: Origin) -> [ScreenView] {
    screens(of: session)?.map(\.view) ?? []
  }

  /// The session in which a screen is open; nil if it is not.
  public func session(of screen: any Screen) -> Origin? {
    sessions.withLock { $0.first { $0.value.contains { $0 === screen } }?.key }
  }

  /// Shows the states of the screen that is on top now, and notifies the views.
  private func uncover(_ session: Origin, _ turn: borrowing Turn) {
    turn.stream.show(screens(of: session)?.last?.states ?? [], to: session)
    tell(session, turn)
  }

  private func tell(_ session: Origin, _ turn: borrowing Turn) {
    turn.send(ResponseScreenChange(session, views(of: session)))
  }

  // MARK: Commands

  private func follow(_ route: [String], _ turn: borrowing Turn) {
    guard hasRoom(in: turn.origin) else { return fail(noRoom(in: turn.origin), turn) }
    guard !turn.isInUnit else {
      return fail(Self.isForNoScript, turn)
    }
    let session = turn.origin
    for coordinator in coordinators {
      let isFollowed = coordinator.follow(route, self, turn) { [weak self] result, turn in
        turn.send(
          ResponseOpen(
            result.map { OpenedScreen(self?.views(of: session).last, $0) }
          )
        )
      }
      if isFollowed { return }
    }
    let link = route.joined(separator: " ").quotable
    fail(
      Failure(.notFound, "'\(link)' can't be opened; 'help open' says what can.", field: "route"),
      turn
    )
  }

  /// A change of a screen is not rolled back with a unit.
  public static let isForNoScript = Failure(.usage, "A script opens nothing; run it at a prompt.")

  private func noRoom(in session: Origin) -> Failure {
    screens(of: session) == nil
      ? Failure(.usage, "There is nobody here to whom it could be shown.")
      : Failure(.usage, "\(Self.mostScreens) are open; 'back' closes one.")
  }

  private func fail(_ failure: Failure, _ turn: borrowing Turn) {
    turn.send(ResponseOpen(.failure(failure)))
  }

  private func goBack(_ request: RequestBack, _ turn: borrowing Turn) throws -> OpenScreens {
    guard !turn.isInUnit else { throw Self.isForNoScript }
    guard let top = screens(of: turn.origin)?.last else {
      throw Failure(.notFound, "Nothing is open.")
    }
    let view = top.view
    guard !view.isEdited || request.discard else {
      throw RequestBack.unsaved(view)
    }
    close(top, turn)
    return OpenScreens(views: views(of: turn.origin))
  }
}
