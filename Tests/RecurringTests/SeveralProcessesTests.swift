import EventMVVMTesting
import ProcessTesting
import Testing

/// What comes again where several processes, and several copies of a store, complete it.
@Suite(.hangLimit) struct SeveralProcessesTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  private func lines(_ command: String) throws -> [String] {
    let outcome = try place.start(command).outcome()
    #expect(outcome.errors == [] && outcome.status == 0, "\(command)")
    return outcome.output
  }

  @Test func `of eight processes that complete it at once one adds the next`() throws {
    _ = try lines(
      "for n in $(seq 50); do echo \"add Todo $n due:2099-12-03 every:day\"; done"
        + " | todostream --quiet run -"
    )
    _ = try lines(
      "seq 50 | sed 's/^/done /' > done.todo; for n in 1 2 3 4 5 6 7 8; do"
        + " todostream --quiet run --keep-going done.todo & done; wait"
    )
    #expect(try lines("todostream count --all") == ["100 todos"])
    #expect(try lines("todostream count due:2099-12-04 is:open") == ["50 todos"])
    let identities = try lines("todostream --json list --all | grep -o '\"uuid\":\"[^\"]*\"'")
    #expect(Set(identities).count == 100)
  }

  @Test func `two copies of a store that complete it apart make the same`() throws {
    _ = try lines("todostream add Rent due:2099-12-31 every:month")
    let next = """
      todostream --quiet done 1; todostream --json show 2 | grep -o '"uuid":"[^"]*"\\|"due":"[^"]*"'
      """
    _ = try lines("todostream --quiet backup other.sqlite")
    let here = try lines(next)
    #expect(here.count == 2 && here.last == "\"due\":\"2100-01-31\"")
    #expect(try lines("TODOSTREAM_STORE=other.sqlite; export TODOSTREAM_STORE; \(next)") == here)
  }
}
