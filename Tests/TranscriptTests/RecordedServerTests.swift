import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// Servers that are asked many things at once while other processes write, recorded and told again.
@Suite(.hangLimit) struct RecordedServerTests {
  /// What is asked; `%` stands for a number that says which.
  private static let requests = [
    #""method":"todo/add","params":{"title":"a%","tags":["home"]}"#,
    #""method":"todo/add","params":{"title":""}"#,
    #""method":"todo/edit","params":{"id":%,"title":"m%"}"#,
    #""method":"todo/toggle","params":{"ids":[1,%]}"#,
    #""method":"todo/toggle","params":{"id":%}"#,
    #""method":"todo/delete","params":{"id":%}"#,
    #""method":"todo/restore","params":{"id":%}"#,
    #""method":"todo/list","params":{"words":["a"]}"#,
    #""method":"history/undo""#,
    #""method":"history/undo","params":{"mine":true}"#,
    #""method":"history/redo""#,
    #""method":"history/list""#,
    #""method":"state/subscribe","params":{"name":"todo/counts"}"#,
    #""method":"state/subscribe","params":{"name":"screens"}"#,
    #""method":"events/subscribe","params":{"types":["*"]}"#,
    #""method":"screen/open","params":{"link":"list"}"#,
    #""method":"screen/open","params":{"link":"new"}"#,
    #""method":"screen/back""#,
    #""method":"line/run","params":{"line":"add via%"}"#,
    #""method":"line/run","params":{"line":"set title q%"}"#,
    #""method":"line/run","params":{"line":"save"}"#,
    #""method":"line/run","params":{"line":"run batch.todo"}"#,
    #""method":"line/run","params":{"line":"undo"}"#,
    #""method":"line/complete","params":{"line":"list --tag ","offset":11}"#,
    #""method":"analytics/report""#,
    #""method":"store/doctor""#,
  ]

  /// What is asked in a session: the same for the same seed.
  private static func lines(_ seed: UInt64) -> [String] {
    var state = seed
    func next(below count: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % count
    }
    var lines = [#"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#]
    for id in 1...50 {
      let request = requests[Int(next(below: UInt64(requests.count)))]
      let named = request.split(separator: "%", omittingEmptySubsequences: false)
        .reduce("") { text, part in
          text.isEmpty ? String(part) : text + "\(next(below: 6) + 1)" + part
        }
      lines.append(#"{"jsonrpc":"2.0","id":\#(id),\#(named)}"#)
      if next(below: 10) == 0 {
        let cancelled = UInt64(id) - next(below: 2)
        lines.append(
          #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(cancelled)}}"#
        )
      }
    }
    // Half of the sessions end while things are under way.
    return seed % 2 == 0 ? lines : lines + [#"{"jsonrpc":"2.0","id":51,"method":"shutdown"}"#]
  }

  private static let session = """
    printf 'add x as @x\\nedit @x --title y\\nadd z --tag home\\n' >batch.todo
    cat >requests
    for command in 'add b' undo redo 'edit 1 --title b' 'toggle 1' undo 'run batch.todo' redo; do
      todostream $command >>others 2>&1
    done &
    # The input of a session that is shut down ends when that is answered, and not before.
    {
      cat requests
      rounds=600
      while grep -q '"shutdown"' requests && ! grep -qs '^{"jsonrpc":"2.0","id":51,' said &&
        [ $((rounds -= 1)) -gt 0 ]; do sleep 0.1; done
    } | todostream --record session serve --stdio >said
    wait
    todostream replay session
    """

  @Test(arguments: UInt64(1)...10)
  func `S57 what is asked all at once, while others write, is told again`(_ seed: UInt64) throws {
    let place = try Workplace()
    let told = try place.start(Self.session, input: Self.lines(seed)).outcome()
    let count = told.output.first?.split(separator: " ").dropFirst().first ?? ""
    #expect(told.output == ["Replayed \(count) of \(count) events: no divergence."])
    #expect(told.status == 0, "\(told.errors)")
    // A session that ends while things are under way may end before anything has begun.
    #expect(seed % 2 == 0 || Int(count) ?? 0 > 100, "too little has happened: \(count)")
  }
}
