import EventApp
import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import StandardParts

/// The sources' profile (S87 to S95): a domain without any frontend.
@main
struct Profile: Domain {
  let program = Program("todostream-profile", version: "0.1.0", summary: "Profiles with images.")
  /// What the service sends before its answer (S59).
  let inputs: [any (Event & Decodable).Type] = [ResponseImage.self]
  let records: [any Record.Type] = [User.self]
  let parts = Parts.standard()

  func addCommands(to catalogue: inout Catalogue) {
    catalogue.add(
      "profile",
      [
        RequestAddUser.self, RequestUsers.self, RequestShow.self, RequestProfile.self,
        RequestRefresh.self, RequestRemoveUser.self, RequestShare.self,
      ]
    )
    catalogue.add(wire: Wire(changes: [ResponseProfileChange.self]))
    catalogue.add(wire: Wire(cells: [.profile, .loading]))
  }

  func servers(_ setting: ServerConfiguration) throws -> Servers {
    let services = try Self.services(HTTP()).start().session()
    let controllers = ControllerServer(
      services.get((any NetworkController).self),
      services.get((any ImageController).self)
    )
    return Servers(
      setting,
      [controllers, Profiles()]
    )
  }

  /// The services: a test replaces any of them (S89).
  static func services(_ web: some Web) -> Services {
    var services = Services()
    services.add((any Web).self) { web }
    services.add((any ImageCache).self) { DiskCache() }
    services.add((any NetworkController).self, .session, needs: (any Web).self) {
      WebNetworkController(web: $0)
    }
    services.add(
      (any ImageController).self,
      .session,
      needs: (any Web).self,
      (any ImageCache).self
    ) { WebImageController(web: $0, cache: $1) }
    return services
  }
}
