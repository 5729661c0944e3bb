package import EventPatterns

/// The navigation of the todo domain: a flow for lists, and one for details (S96).
package final class TodoCoordinator: Coordinator {
  package let children: [any Coordinator] = [TodoListFlow(), TodoDetailFlow()]

  /// Creates the flows.
  package init() {}
}
