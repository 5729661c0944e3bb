import EventMVVM
import EventRecords

/// The data layer (S102): it asks the mailbox, and stores new messages; it checks nothing and shows
/// nothing.
final class MailServer: Plugin {
  let name = "mail"
  private let mailbox: any Mailbox

  /// Serves a mailbox of the composition root (S100).
  init(_ mailbox: any Mailbox) {
    self.mailbox = mailbox
  }

  func join(_ stream: EventStream) {
    stream.answerAsync(RequestMail.self) { [mailbox] request, _ in
      try await mailbox.fetch(for: request.account)
    }
    stream.answerAsync(RequestDelivery.self) { [mailbox] request, _ in
      try await mailbox.deliver(request.letter, as: request.id, for: request.account)
      return request.id
    }
    stream.transaction(RequestKeepMail.self) { request, store in
      _ = try store.write(request.mail.map { .addOnce(Message($0), by: Message.nameField) })
      return try store.records()
    }
  }
}
