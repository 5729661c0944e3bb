import EventMVVMTesting
import Foundation
import JSONText
import ProcessTesting
import Testing

/// A page that another program of this machine serves, in the browser that shows the inspector: all ports of a host
/// are one site, and share their cookies.
@Suite(.timeLimit(.minutes(5)), .serialized) struct OtherPortTests {
  /// Serves a page on a free port, and prints what each request had in its head.
  private static let server = #"""
    from http.server import BaseHTTPRequestHandler, HTTPServer
    class Page(BaseHTTPRequestHandler):
      def do_GET(self):
        print(self.requestline, self.headers, flush=True)
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Another page</title>")
      def log_message(self, *words): pass
    server = HTTPServer(("127.0.0.1", 0), Page)
    print("port", server.server_port, flush=True)
    server.serve_forever()
    """#

  private let inspector: RunningInspector
  private let browser: Browser
  private let other: Job
  /// The address of the other page.
  private let page: String

  init() throws {
    inspector = try RunningInspector(["add Secret"], "--program \"$(command -v todostream)\"")
    other = try inspector.place.start(#"exec python3 -c "$1""#, [Self.server])
    try other.wait(untilPrinted: "port ")
    let port = try #require(try other.printed().firstMatch(of: /port ([0-9]+)/))
    page = "http://127.0.0.1:\(port.output.1)/"
    browser = try Browser(in: inspector.place)
    try browser.open(inspector.address)
    try browser.wait(for: "#grid .event .type", toShow: "RequestAddTodo")
    try browser.open(page)
  }

  private var target: String { "http://127.0.0.1:\(inspector.port)" }

  @Test func `the browser sends it nothing of the inspector`() throws {
    try other.wait(untilPrinted: "GET / ")
    let received = try other.printed()
    #expect(!received.contains("Cookie:"))
    #expect(!received.contains(target))
    #expect(!received.contains(inspector.token))
    #expect(try browser.run("return sessionStorage.length + localStorage.length") == 0)
    #expect(try browser.run("return document.cookie") == "")
  }

  @Test func `it reads nothing and starts nothing`() throws {
    let paths = ["/", "/main.js", "/api/recording", "/api/updates", "/api/export", "/api/replay"]
    let script = """
      const read = [];
      for (const path of \(JSON.array(paths.map { .string($0) }))) {
        for (const options of [
          {}, {mode: "no-cors"}, {headers: {Authorization: "Bearer x"}}, {method: "POST", body: "{}"},
          {method: "POST", mode: "no-cors", body: "{}"},
        ]) {
          const asked = fetch("\(target)" + path, {...options, credentials: "include"});
          read.push(await asked.then(answer => answer.text()).catch(() => ""));
        }
      }
      return read.join("");
      """
    #expect(try browser.run("return (async () => { \(script) })()") == "")
    let replay = try inspector.get("/api/replay")
    #expect(replay?.body.contains("nothing was replayed yet") == true)
  }

  @Test func `it runs no script of the page and shows it in no frame`() throws {
    let script = """
      return import('\(target)/main.js').then(() => 'read', () => 'refused');
      """
    #expect(try browser.run(script) == "refused")
    let frame = """
      const frame = document.createElement('iframe');
      frame.src = '\(target)/';
      const loaded = new Promise(done => { frame.onload = done; });
      document.body.append(frame);
      return loaded.then(() => {
        try { return frame.contentDocument?.title ?? 'closed' } catch { return 'closed' }
      });
      """
    #expect(try browser.run(frame) == "closed")
  }
}
