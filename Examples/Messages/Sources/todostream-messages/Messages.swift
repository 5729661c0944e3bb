import EventApp
import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import Foundation
import StandardParts

/// Messages from a mailbox (S96 to S103): one feature in three ways, of which one is on.
///
/// `--without reducer --with reactor` selects another; the commands and their outcomes are the
/// same.
@main
struct Messages: Domain {
  let program = Program("todostream-messages", version: "0.1.0", summary: "Reads a mailbox.")
  let records: [any Record.Type] = [Message.self, SentLetter.self]

  let parts = Parts.standard()
    .adding(plugins: [.on(ReducerMessages()), .off(ReactorMessages()), .off(ServerMessages())])

  func addCommands(to catalogue: inout Catalogue) {
    catalogue.add(
      "messages",
      [RequestMessages.self, RequestFetch.self, RequestMessage.self, RequestRemove.self]
    )
    catalogue.add(Authentication.group, Authentication.commands)
    catalogue.add(
      wire: Wire(states: [RequestMessages.self], cells: [.fetching, .letter, .sending])
    )
  }

  var hasScreens: Bool { true }
  var coordinators: [any Coordinator] { [MessageFlow(), SignInFlow()] }

  func addScreens(to catalogue: inout Catalogue) {
    catalogue.add(
      onScreen: MessageScreen.kind,
      "in the detail of a message",
      "detail",
      [RequestReply.self]
    )
    catalogue.add(
      onScreen: LetterScreen.kind,
      "in a letter",
      "letter",
      [RequestText.self, RequestSend.self, RequestCancel.self]
    )
    catalogue.add(
      onScreen: SignInFlow.kind,
      "where something waits for somebody to sign in",
      Authentication.group,
      SignInFlow.commands
    )
  }

  func servers(_ setting: ServerConfiguration) throws -> Servers {
    let services = try Self.services.start()
    return Servers(
      setting,
      [
        MailServer(services.get((any Mailbox).self)),
        Authentication(
          services.get((any Authenticator).self),
          hasLastingSessions: setting.isInteractive
        ),
      ]
    )
  }

  /// The services, each behind its protocol (S100).
  private static var services: Services {
    var services = Services()
    services.add(MailFolder.self) {
      MailFolder(ProcessInfo.processInfo.environment[MailFolder.variable])
    }
    services.add(FolderAccounts.self, needs: MailFolder.self) { FolderAccounts($0) }
    services.add((any Authenticator).self, needs: FolderAccounts.self) { $0 }
    services.add((any Mailbox).self, needs: MailFolder.self, FolderAccounts.self) {
      FolderMailbox($0, $1)
    }
    return services
  }
}
