import EventMVVM
import Foundation

@testable import todostream_messages

/// The flow of messages (S96) as somebody who knows coordinators writes it.
extension UIKit {
  protocol Coordinator: AnyObject {
    var childCoordinators: [any Coordinator] { get set }
    func start()
  }

  final class MessageViewController: UIViewController {
    let mail: Mail
    weak var delegate: (any MessageViewControllerDelegate)?

    init(_ mail: Mail) {
      self.mail = mail
      super.init(nibName: nil, bundle: nil)
      title = "\(mail.from): \(mail.subject)"
    }

    required init?(coder: NSCoder) { nil }

    func didTapReply() {
      delegate?.messageViewControllerDidReply(self)
    }
  }

  protocol MessageViewControllerDelegate: AnyObject {
    func messageViewControllerDidReply(_ controller: MessageViewController)
  }

  final class MessagesCoordinator: Coordinator {
    var childCoordinators: [any Coordinator] = []
    private let navigationController: UINavigationController
    private let mail: [Mail]
    private let deliver: LetterCoordinator.Deliver

    init(
      _ navigationController: UINavigationController,
      _ mail: [Mail],
      deliver: @escaping LetterCoordinator.Deliver
    ) {
      self.navigationController = navigationController
      self.mail = mail
      self.deliver = deliver
    }

    func start() {
      let list = UIViewController()
      list.title = "Messages"
      navigationController.setViewControllers([list], animated: false)
    }

    func showMessage(_ index: Int) throws {
      guard mail.indices.contains(index) else {
        throw Failure(.notFound, "There is no row \(index + 1).", field: "index")
      }
      let detail = MessageViewController(mail[index])
      detail.delegate = self
      let beneath = navigationController.viewControllers.filter { !($0 is MessageViewController) }
      navigationController.setViewControllers(beneath + [detail], animated: true)
    }

    /// `2` leads to the second message, `2 reply` to a reply to it.
    func follow(_ route: [String]) throws -> Bool {
      let isReply = route.count == 2 && route[1] == "reply"
      guard route.count == 1 || isReply, let row = Int(route[0]) else { return false }
      try showMessage(row - 1)
      let detail = navigationController.topViewController as? MessageViewController
      if isReply { detail?.didTapReply() }
      return true
    }
  }

  final class LetterViewController: UIViewController {
    var text = ""
    var problem: String?
    weak var delegate: (any LetterViewControllerDelegate)?

    init(to name: String) {
      super.init(nibName: nil, bundle: nil)
      title = "to \(name)"
    }

    required init?(coder: NSCoder) { nil }

    func didTapSend() throws {
      guard !text.allSatisfy(\.isWhitespace) else {
        throw Failure(.validation, "Say something.", field: "text")
      }
      delegate?.letterViewController(self, didSend: text)
    }

    func didTapCancel() {
      delegate?.letterViewControllerDidCancel(self)
    }
  }

  protocol LetterViewControllerDelegate: AnyObject {
    func letterViewController(_ controller: LetterViewController, didSend text: String)
    func letterViewControllerDidCancel(_ controller: LetterViewController)
  }

  final class LetterCoordinator: Coordinator {
    typealias Deliver = (_ text: String, _ then: @escaping (Result<Void, Failure>) -> Void) -> Void

    var childCoordinators: [any Coordinator] = []
    weak var delegate: (any LetterCoordinatorDelegate)?
    private let navigationController: UINavigationController
    private let name: String
    private let deliver: Deliver
    private var isSending = false

    init(
      _ navigationController: UINavigationController,
      to name: String,
      deliver: @escaping Deliver
    ) {
      self.navigationController = navigationController
      self.name = name
      self.deliver = deliver
    }

    func start() {
      let letter = LetterViewController(to: name)
      letter.delegate = self
      navigationController.pushViewController(letter, animated: true)
    }

    private func finish() {
      navigationController.popViewController(animated: true)
      delegate?.letterCoordinatorDidFinish(self)
    }
  }

  protocol LetterCoordinatorDelegate: AnyObject {
    func letterCoordinatorDidFinish(_ coordinator: LetterCoordinator)
  }
}

extension UIKit.MessagesCoordinator: UIKit.MessageViewControllerDelegate {
  func messageViewControllerDidReply(_ controller: UIKit.MessageViewController) {
    let letters = UIKit.LetterCoordinator(
      navigationController,
      to: controller.mail.from,
      deliver: deliver
    )
    letters.delegate = self
    childCoordinators.append(letters)
    letters.start()
  }
}

extension UIKit.MessagesCoordinator: UIKit.LetterCoordinatorDelegate {
  func letterCoordinatorDidFinish(_ coordinator: UIKit.LetterCoordinator) {
    childCoordinators.removeAll { $0 === coordinator }
  }
}

extension UIKit.LetterCoordinator: UIKit.LetterViewControllerDelegate {
  func letterViewController(
    _ controller: UIKit.LetterViewController,
    didSend text: String
  ) {
    guard !isSending else { return }
    isSending = true
    deliver(text) { [weak self, weak controller] result in
      self?.isSending = false
      switch result {
      case .success: self?.finish()
      case .failure(let failure): controller?.problem = failure.message
      }
    }
  }

  func letterViewControllerDidCancel(_ controller: UIKit.LetterViewController) {
    finish()
  }
}
