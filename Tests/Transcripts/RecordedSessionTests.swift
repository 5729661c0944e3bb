import Foundation
import ProcessTesting
import Testing

/// Sessions that last, with others beside them, and what `replay` shows of them.
@Suite struct RecordedSessionTests {
  /// A server that reads while another process writes; what is waited for has been said.
  private static let session = """
    mkfifo in
    todostream --record session serve --stdio <in >out &
    exec 3>in
    until_said() { while ! grep -q "$1" out; do :; done; }
    say() { echo '{"jsonrpc":"2.0",'"$1"'}' >&3; }
    say '"id":1,"method":"initialize"'
    say '"id":2,"method":"todo/add","params":{"title":"Milk 牛乳","tags":["home"]}'
    until_said '"id":2'
    todostream add 'From another process' >added
    until_said '"origin":"cli"'
    say '"id":3,"method":"todo/list"'
    say '"id":4,"method":"todo/edit","params":{"id":2,"title":"Changed here","expectedRevision":1}'
    say '"id":5,"method":"todo/show","params":{"id":9}'
    say '"id":6,"method":"history/undo"'
    say '"id":7,"method":"store/doctor"'
    until_said '"id":7'
    say '"id":8,"method":"shutdown"'
    until_said '"id":8'
    say '"method":"exit"'
    wait
    """

  @Test func `S57 a server's session is told again, with what others did meanwhile`() throws {
    let place = try Workplace()
    #expect(try place.start(Self.session).outcome().status == 0)
    let told =
      try place.start(
        "TZ=Asia/Tokyo todostream replay session && todostream --json replay session"
      )
      .outcome()
    #expect(told.status == 0, "\(told.output)")
    let count = told.output.first?.split(separator: " ").dropFirst().first ?? ""
    #expect(
      told.output == [
        "Replayed \(count) of \(count) events: no divergence.",
        #"{"replayed":\#(count),"events":\#(count),"whole":true,"divergence":null}"#,
      ]
    )
    // Nothing is done to the store that it was recorded on.
    let left = try place.start("todostream list --sort created").outcome()
    #expect(left.output == ["#2 [ ] From another process", "#1 [ ] Milk 牛乳  +home"])
  }

  @Test func `a replay stops behind an event, and shows each with what it follows from`() throws {
    let place = try Workplace()
    _ = try place.start("todostream --record r add Milk").outcome()
    let stopped = try place.start("todostream replay r --until 2").outcome()
    #expect(
      stopped.output.first?.hasPrefix("Stopped behind event 2: RequestWriteTodo, cli, ") == true
    )
    #expect(stopped.output.last?.hasPrefix("Replayed 2 of ") == true)
    let steps = try place.start("todostream replay r --step").outcome()
    #expect(
      Array(steps.output.prefix(4)) == [
        "1  RequestAddTodo  (cli)", "2    RequestWriteTodo", "3      ResponseTodo",
        "4        ResponseTodoViewModel",
      ]
    )
  }

  @Test func `what goes another way is shown with its path, and is exit 1`() throws {
    let place = try Workplace()
    _ = try place.start("todostream --record r add Milk").outcome()
    // Each line has a mark by which a change of it is known.
    let outcome = try place.start("sed 's/Milk/Silk/' r >s; todostream replay s").outcome()
    #expect(outcome.status == 1)
    #expect(outcome.output.first?.hasPrefix("Divergence at event 1, s:") == true)
    #expect(outcome.output.contains { $0.hasPrefix("  path     1 RequestAddTodo (cli)") })
    let none = try place.start("echo x >none; todostream replay none").outcome()
    #expect(none.status == 2)
    #expect(none.errors == ["error: none:1: this is no recording that this program can read"])
  }
}
