import EventMVVMTesting
import Foundation
import JSONText
import ProcessTesting
import Testing

/// The secret of the printed address, in a browser.
@Suite(.timeLimit(.minutes(5)), .serialized) struct SecretTests {
  private let inspector: RunningInspector
  private let browser: Browser

  init() throws {
    inspector = try RunningInspector(["add Milk"])
    browser = try Browser(in: inspector.place)
  }

  private var page: String { "http://127.0.0.1:\(inspector.port)/" }

  private func expectEvents() throws {
    try browser.wait(for: "#grid .event .type", toShow: "RequestAddTodo")
    #expect(try browser.texts("#problem") == [])
  }

  @Test func `the printed address opens the page, and a reload keeps it`() throws {
    try browser.open(inspector.address + "&q=type:Request*")
    try expectEvents()
    // Neither the address nor the history has it from then on.
    #expect(try browser.address() == page + "#q=type%3ARequest*")
    #expect(try browser.run("return history.length") == 2)
    #expect(try browser.run("return document.cookie") == "")
    try browser.reload()
    try expectEvents()
    #expect(try browser.address() == page + "#q=type%3ARequest*")
    #expect(try browser.log("browser").map(\.description) == [])
  }

  @Test func `a tab without it says what to do, and the printed address opens it there, too`()
    throws
  {
    try browser.open(inspector.address)
    try expectEvents()
    try browser.openTab()
    try browser.open(page)
    try browser.wait(for: "#problem", toShow: "Open the address that the program has printed.")
    #expect(try browser.texts("#grid .event .type") == [])
    // In the same tab only the fragment changes.
    try browser.open(inspector.address)
    try expectEvents()
    #expect(try browser.address() == page)
    // So it is with the address of a program that has ended.
    try browser.run("sessionStorage.setItem('inspector.secret', 'old')")
    try browser.reload()
    try browser.wait(for: "#problem", toShow: "Open the address that the program has printed.")
    try browser.open(inspector.address)
    try expectEvents()
  }
}
