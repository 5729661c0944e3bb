import EventMVVM

@testable import todostream_messages

/// The message list (S103) as somebody who knows three layers writes it; that needs no library.
enum ThreeLayers {
  // MARK: Interface

  protocol MessagesView: AnyObject {
    func show(titles: [String])
    func showLoading(_ isLoading: Bool)
    func showProblem(_ text: String)
  }

  final class MessagesPresenter: MessagesInteractorOutput {
    weak var view: (any MessagesView)?
    private let interactor: any MessagesInteractorInput

    init(_ interactor: any MessagesInteractorInput) {
      self.interactor = interactor
    }

    func didPullToRefresh() {
      view?.showLoading(true)
      interactor.fetch()
    }

    func didSwipe(row: Int) {
      interactor.remove(at: row)
    }

    func didChange(_ messages: [Mail]) {
      view?.show(titles: messages.map(\.subject))
    }

    func didFinishFetching() {
      view?.showLoading(false)
    }

    func didFail(_ failure: Failure) {
      view?.showProblem(failure.message)
    }
  }

  // MARK: Business logic

  protocol MessagesInteractorInput: AnyObject {
    func fetch()
    func remove(at index: Int)
  }

  protocol MessagesInteractorOutput: AnyObject {
    func didChange(_ messages: [Mail])
    func didFinishFetching()
    func didFail(_ failure: Failure)
  }

  final class MessagesInteractor: MessagesInteractorInput {
    weak var output: (any MessagesInteractorOutput)?
    private let repository: any MessagesRepository

    init(_ repository: any MessagesRepository) {
      self.repository = repository
    }

    func fetch() {
      repository.refresh { [weak self, repository] result in
        self?.output?.didFinishFetching()
        switch result {
        case .success: self?.output?.didChange(repository.messages)
        case .failure(let failure): self?.output?.didFail(failure)
        }
      }
    }

    func remove(at index: Int) {
      guard repository.messages.indices.contains(index) else {
        output?.didFail(Failure(.notFound, "There is no row \(index + 1)."))
        return
      }
      repository.remove(repository.messages[index])
      output?.didChange(repository.messages)
    }
  }

  // MARK: Data

  protocol MessagesRepository: AnyObject {
    var messages: [Mail] { get }
    func refresh(_ then: @escaping (Result<Void, Failure>) -> Void)
    func remove(_ message: Mail)
  }

  final class MailboxRepository: MessagesRepository {
    private(set) var messages: [Mail] = []
    private var removed: Set<String> = []
    private let mailbox: CallbackMailbox

    init(_ mailbox: CallbackMailbox) {
      self.mailbox = mailbox
    }

    func refresh(_ then: @escaping (Result<Void, Failure>) -> Void) {
      mailbox.fetch { [weak self] result in
        guard let self else { return }
        then(result.map { mail in self.messages = mail.filter { !self.removed.contains($0.name) } })
      }
    }

    func remove(_ message: Mail) {
      removed.insert(message.name)
      messages.removeAll { $0 == message }
    }
  }
}
