import EventCommands
import EventMVVM

/// The services of the process for a verb, or for the frontend that the process is started for.
extension Invocation: ProcessHost {
  var program: String { application.program.name }

  func session(_ kind: ProcessSession.Kind) throws(Failure) -> ProcessSession {
    ProcessSession(self, kind, store: try store.name)
  }

  func run(
    _ kind: ProcessSession.Kind,
    _ frontend: (ProcessSession) throws -> any Frontend
  ) throws -> ExitStatus {
    let session = try session(kind)
    try SpareResources.check(isLasting: session.isLasting)
    let composition: Composition
    do {
      for frontend in application.frontends { try frontend.prepare(session) }
      composition = try Composition(self, kind) { [console] in console.remark($0) }
    } catch {
      for frontend in application.frontends { frontend.finish(session) }
      throw error
    }
    return try composition.run(console, frontend)
  }

  func complete(
    after words: [Word],
    _ frontend: (ProcessSession) -> any Frontend
  ) -> ExitStatus {
    let typed = Invocation(application, completing: words, after: options)
    guard (try? SpareResources.check(isLasting: false)) != nil,
      let composition = try? Composition(typed, .job(.none))
    else { return .success }
    let frontend = frontend(composition.session)
    return frontend.run(composition.context.port(named: frontend.name))
  }

  func replay(
    _ setup: ReplaySetup,
    _ body: (ReplaySession) throws -> ExitStatus
  ) throws -> ExitStatus {
    let program = application.program
    return try TemporaryFolder.with("\(program.name)-replay") { folder in
      let store = "\(folder.path)/\(program.storeName)"
      let composition = try Composition(application, setup, store: store)
      let session = ReplaySession(
        stream: composition.context.stream,
        inputs: composition.inputs,
        applyExternal: { try composition.applyExternal?($0, $1) },
        waitIfEnding: folder.waitIfEnding
      )
      return try withExtendedLifetime(composition.context) { try body(session) }
    }
  }
}
