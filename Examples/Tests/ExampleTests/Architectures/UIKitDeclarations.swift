import Foundation

/// What the feature needs of UIKit, by its names and signatures.
///
/// An enum stands for the module, which is not to be had on all systems.
enum UIKit {
  class UIViewController {
    var title: String?

    init(nibName: String?, bundle: Bundle?) {}
    required init?(coder: NSCoder) {}
    convenience init() { self.init(nibName: nil, bundle: nil) }
  }

  final class UINavigationController: UIViewController {
    /// In the place of a screen that a person sees.
    var didShow: ([UIViewController]) -> Void = { _ in }
    private(set) var viewControllers: [UIViewController] = []
    var topViewController: UIViewController? { viewControllers.last }

    func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
      self.viewControllers = viewControllers
      didShow(viewControllers)
    }

    func pushViewController(_ viewController: UIViewController, animated: Bool) {
      setViewControllers(viewControllers + [viewController], animated: animated)
    }

    @discardableResult
    func popViewController(animated: Bool) -> UIViewController? {
      guard viewControllers.count > 1, let top = viewControllers.last else { return nil }
      setViewControllers(viewControllers.dropLast(), animated: animated)
      return top
    }
  }
}
