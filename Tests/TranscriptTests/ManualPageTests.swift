import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// The manual page has each command with its options and examples, as the program lists them.
@Suite(.hangLimit) struct ManualPageTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Todo/todostream/todostream.1").standardizedFileURL
  private static let marks = (
    #".\" What follows is written by: REFERENCE=write swift test --filter ManualPageTests"#,
    #".\" Commands end here."#
  )

  @Test func `the manual page has what the program lists`() throws {
    let place = try Workplace()
    let listed = try place.start("todostream commands --manual").outcome()
    #expect(listed.status == 0 && listed.output.count > 300)
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let start = try #require(lines.firstIndex(of: Self.marks.0))
    let end = try #require(lines.firstIndex(of: Self.marks.1))
    if ProcessInfo.processInfo.environment["REFERENCE"] == "write" {
      let written = Array(lines[...start]) + listed.output + Array(lines[end...])
      return try written.joined(separator: "\n")
        .write(to: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(Array(lines[(start + 1)..<end]) == listed.output)
  }

  @Test func `what the program lists is a manual page without warnings`() throws {
    let place = try Workplace()
    let formatted =
      try place.start(
        "command -v man >/dev/null || exit 0; "
          + "echo '.TH X 1' > page.1; todostream commands --manual >> page.1; "
          + "LC_ALL=C.UTF-8 man --warnings -l page.1 2>&1 >/dev/null"
      )
      .outcome()
    #expect(formatted.output == [])
  }
}
