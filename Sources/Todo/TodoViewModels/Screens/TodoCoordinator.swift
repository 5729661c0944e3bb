public import EventPatterns

/// The navigation of the todo domain: a flow for lists, and one for details (S96).
public final class TodoCoordinator: Coordinator {
  /// The flow of lists, and that of details.
  public let children: [any Coordinator] = [TodoListFlow(), TodoDetailFlow()]

  /// Creates the flows.
  public init() {}
}
