import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import Foundation
import JSONText
import Testing

@testable import Analytics

/// S58: an observer that listens, transforms, and reports when it is asked.
@Suite(.hangLimit) struct AnalyticsTests {
  @Test func `it keeps the plugin laws`() {
    PluginLaws.check(sending: [RequestReport()]) { Analytics(path: nil, ticks: { 0 }) }
  }

  @Test func `S58 a report counts by day, and shows levels as they stood`() throws {
    let diary = try Diary(days: [("added", 1, 0), ("added", 2, 2), ("completed", 1, 3)])
    #expect(
      try diary.text(report { $0.since = try When(word: "2025-11-20") })
        == """
        2025-11-20 to 2025-11-23, in this store
          added      3  ▄▁█▁
          completed  1  ▁▁▁█
          open       2  ▃▃█▆
          overdue    4

        day         added  completed  open
        2025-11-20      1          0     1  █████████████▎
        2025-11-22      2          0     3  ████████████████████████████████████████
        2025-11-23      0          1     2  ██████████████████████████▋

        """
    )
  }

  @Test func `S58 weeks end today, and so the last one is whole`() throws {
    let diary = try Diary(days: [("added", 5, 0), ("added", 1, 3)])
    let json = try diary.json(report { $0.by = .week })
    #expect(json["since"] == "2025-09-29")
    guard case .array(let rows)? = json["rows"] else {
      Issue.record("no rows")
      return
    }
    #expect(rows.count == 8)
    #expect(rows.last == ["week": "2025-11-17", "added": 6, "open": 6])
  }

  @Test func `S58 by a dimension there is a row for each label`() throws {
    let diary = try Diary(days: [("added", 1, 0), ("added", 2, 1), ("completed", 1, 1)])
    let json = try diary.json(report { $0.by = .tag })
    #expect(json["rows"] == [["tag": "all", "added": 3, "completed": 1, "open": 2]])
  }

  @Test func `a table fits the width, and nothing of a label is obeyed by the terminal`() throws {
    let diary = try Diary(days: [("added", 1, 0)], label: "a\u{1B}[31m very long label, 日本語の長い名札")
    for line in try diary.text(report { $0.by = .tag }, width: 40).split(separator: "\n") {
      #expect(DisplayWidth.of(line) <= 40, "\(line)")
      #expect(!line.contains("\u{1B}"))
    }
  }

  @Test func `a first day that is not there, or not yet, is refused`() throws {
    let diary = try Diary(days: [])
    #expect(
      diary.failure(try report { $0.since = try When(word: "tomorrow") })
        == Failure(.validation, "--since is in the future.", field: "since")
    )
    #expect(try diary.text(report { _ in }).contains("nothing was counted yet"))
  }

  // MARK: What is kept

  @Test func `a history is counted on from where it was left`() throws {
    let folder = try Folder()
    let first = try Diary(days: [("added", 1, 0)], path: folder.path)
    _ = try first.text(report { _ in })
    #expect(first.asked == [""])
    let second = try Diary(days: [("added", 1, 0), ("added", 1, 1)], path: folder.path)
    #expect(try second.json(report { _ in })["totals"] == ["added": 2, "open": 2])
    #expect(second.asked == ["diary 1"])
  }

  @Test func `figures that are lost or damaged are counted again`() throws {
    let folder = try Folder()
    let days = [("added", 1, 0), ("completed", 1, 1)]
    let whole = try Diary(days: days, path: folder.path).json(report { _ in })
    for damage in ["", "{", "{\"version\":1,\"histories\":[{}],\"usage\":7}", "[1]", "\u{0}\u{1}"] {
      try damage.write(toFile: folder.path, atomically: false, encoding: .utf8)
      let diary = try Diary(days: days, path: folder.path)
      #expect(try diary.json(report { _ in })["totals"] == whole["totals"])
      #expect(diary.asked == [""])
    }
  }

  @Test func `figures of an earlier version are counted again, and the usage is kept`() throws {
    let folder = try Folder()
    try #"""
    {"version":1,"histories":[{"place":"diary 1","zone":"UTC","amounts":[[20412,"","","deleted",false,1]]}],
     "usage":{"events":{"E":7},"commands":{},"failures":{},"times":{}}}
    """#
    .write(toFile: folder.path, atomically: false, encoding: .utf8)
    let usage = StatisticsFile(path: folder.path).read().usage
    #expect(usage.events == ["E": 7])
    let diary = try Diary(days: [("added", 1, 0)], path: folder.path)
    let json = try diary.json(report { _ in })
    #expect(json["totals"] == ["added": 1, "open": 1])
    #expect(json["events"]?["RequestReport"] == 1)
    #expect(json["events"]?["E"] == nil)
    #expect(json["allStoresBefore"]?["events"] == ["E": 7])
    #expect(diary.asked == [""])
    #expect(StatisticsFile(path: folder.path).read().usage.events == ["E": 7])
  }

  @Test func `another version of the program may measure something else, and counts again`() throws
  {
    let folder = try Folder()
    for (version, asked) in [("1", ""), ("1", "diary 1"), ("2", ""), ("2", "diary 1")] {
      let diary = try Diary(days: [("added", 1, 0)], path: folder.path, version: version)
      #expect(try diary.json(report { _ in })["totals"] == ["added": 1, "open": 1])
      #expect(diary.asked == [asked])
    }
  }

  @Test func `S58 what was taken back leaves no trace, whenever that was`() throws {
    let folder = try Folder()
    let done = [("added", 1, 0), ("added", 1, 1)]
    _ = try Diary(days: done, path: folder.path).json(report { _ in })
    let undone = try Diary(days: done + [("added", -1, 0)], path: folder.path)
    let days = try undone.json(report { _ in })["rows"]
    #expect(undone.asked == ["diary 2"])
    guard case .array(let rows)? = days else {
      Issue.record("no rows")
      return
    }
    #expect(rows.suffix(4).map { $0["added"] } == [0, 1, 0, 0])
    let all = try Diary(days: [("added", 1, 0), ("added", -1, 0)]).text(report { _ in })
    #expect(all.contains("nothing was counted yet"))
    #expect(!all.contains("added"))
  }

  @Test func `another history is not mixed with this one, and both are kept`() throws {
    let folder = try Folder()
    _ = try Diary(days: [("added", 1, 0)], path: folder.path).text(report { _ in })
    let other = try Diary(days: [("added", 7, 0)], named: "other", path: folder.path)
    #expect(try other.json(report { _ in })["totals"] == ["added": 7, "open": 7])
    #expect(other.asked == ["diary 1", ""])
    let back = try Diary(days: [("added", 1, 0)], path: folder.path)
    #expect(try back.json(report { _ in })["totals"] == ["added": 1, "open": 1])
    #expect(back.asked == ["other 1", "diary 1"])
  }

  @Test func `days of another time zone are counted anew`() throws {
    let folder = try Folder()
    let days = [("added", 1, 0)]
    _ = try Diary(days: days, path: folder.path).text(report { _ in })
    let diary = try Diary(days: days, path: folder.path, zone: .fixed(seconds: 14 * 3600))
    let json = try diary.json(report { $0.since = try When(word: "2025-11-20") })
    guard case .array(let rows)? = json["rows"] else {
      Issue.record("no rows")
      return
    }
    // The first day with a number, though an earlier one was asked for.
    #expect(rows.first == ["day": "2025-11-21", "added": 1, "open": 1])
    #expect(diary.asked == [""])
  }

  @Test func `what was said is kept when the process ends, unless it was one command`() throws {
    let folder = try Folder()
    let one = try Diary(days: [], path: folder.path)
    _ = try one.text(report { _ in })
    one.leave()
    #expect(StatisticsFile(path: folder.path).read().stores.isEmpty)
    let two = try Diary(days: [], path: folder.path)
    _ = try two.text(report { _ in })
    _ = two.failure(try report { $0.since = try When(word: "tomorrow") })
    two.leave()
    let usage = try #require(StatisticsFile(path: folder.path).read().stores.first).usage
    #expect(usage.commands == ["report": ["view": 2]])
    #expect(usage.failures == ["validation": 1])
    #expect(usage.times["report"]?.count == 2)
    let permissions = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(permissions[.posixPermissions] as? Int == 0o600)
  }

  @Test func `two processes that end at once lose nothing of each other's`() async throws {
    let folder = try Folder()
    let path = folder.path
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...8 {
        group.addTask {
          for _ in 1...5 {
            StatisticsFile(path: path).update { $0.add(said("s", "E")) }
          }
        }
      }
    }
    #expect(StatisticsFile(path: path).read().stores.map(\.usage.events) == [["E": 40]])
  }

  @Test func `of each store it is kept what was said to it, and since when`() throws {
    let folder = try Folder()
    let file = StatisticsFile(path: folder.path)
    file.update { $0.add(said("a", "E")) }
    file.update { $0.add(said("b", "F")) }
    file.update { $0.add(said("a", "G", at: 5)) }
    let stores = file.read().stores
    #expect(stores.map(\.store) == ["a", "b"])
    #expect(stores.map(\.since.milliseconds) == [0, 0])
    #expect(stores.map(\.usage.events) == [["E": 1, "G": 1], ["F": 1]])
    for number in 1...40 { file.update { $0.add(said("\(number)", "E")) } }
    #expect(file.read().stores.map(\.store) == (9...40).reversed().map { "\($0)" })
  }

  @Test func `what keeps a frontend up to date is no command that was given`() throws {
    let diary = try Diary(days: [])
    diary.keepUpToDate()
    guard case .array(let commands)? = try diary.json(report { _ in })["commands"] else {
      Issue.record("no commands")
      return
    }
    #expect(commands.isEmpty)
  }

  /// What is kept where a store was sent an event.
  private func said(
    _ store: String,
    _ event: String,
    at time: Int64 = 0
  ) -> StatisticsFile.StoreUsage {
    var usage = Usage()
    usage.events = [event: 1]
    return .init(of: store, since: Instant(milliseconds: time), usage)
  }

  // MARK: The page

  @Test func `the page for a browser loads nothing, and no label breaks it`() throws {
    let folder = try Folder()
    let page = folder.path + ".html"
    let diary = try Diary(days: [("added", 2, 0), ("completed", 1, 1)], label: "<b>&\"")
    _ = try diary.text(
      report {
        $0.html = page
        $0.by = .tag
      }
    )
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("<td>&lt;b&gt;&amp;&quot;</td>"))
    #expect(!html.contains("<b>&\""))
    for outside in ["http", "src=", "@import", "url(", "<script"] {
      #expect(!html.contains(outside))
    }
    let document = try XMLLike(html)
    #expect(document.isBalanced)
    #expect(html.contains("open, over time"))
  }

  @Test func `a page that can't be written says where`() throws {
    let diary = try Diary(days: [])
    let failure = diary.failure(report { $0.html = "/nowhere/report.html" })
    #expect(failure?.kind == .usage)
    #expect(failure?.message.hasPrefix("'/nowhere/report.html' can't be written: ") == true)
    #expect(
      diary.failure(report { $0.html = "" })
        == Failure(.usage, "--html needs a file.", field: "html")
    )
  }

  @Test func `a page takes the place of a page, behind a link, and of nothing but a file`() throws {
    let diary = try Diary(days: [])
    let folder = NSTemporaryDirectory() + "page-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder + "/inner",
      withIntermediateDirectories: true
    )
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (file, link, pipe) = (folder + "/inner/page", folder + "/link", folder + "/pipe")
    #expect(diary.failure(report { $0.html = file }) == nil)
    let page = try String(contentsOfFile: file, encoding: .utf8)
    try Data((page + "<!-- read -->").utf8).write(to: URL(filePath: file))
    try #require(chmod(file, 0o640) == 0)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "inner/page")
    #expect(diary.failure(report { $0.html = link }) == nil)
    let second = try String(contentsOfFile: file, encoding: .utf8)
    #expect(second.hasSuffix("</html>\n"))
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "inner/page")
    #expect(mkfifo(pipe, 0o600) == 0)
    let stray = folder + "/stray"
    try FileManager.default.createSymbolicLink(atPath: stray, withDestinationPath: "nowhere")
    for path in [pipe, folder, stray, "/dev/null"] {
      let message = "'\(path)' is no ordinary file: name another."
      #expect(
        diary.failure(report { $0.html = path }) == Failure(.usage, message, field: "html")
      )
    }
  }

  private func report(_ edit: (inout RequestReport) throws -> Void) rethrows -> RequestReport {
    var request = RequestReport()
    try edit(&request)
    return request
  }
}

@Suite(.hangLimit) struct StatisticsTests {
  @Test(
    arguments: [
      (UInt64(1_000_000), 1.0...1.126), (250, 0.00025...0.000282), (3_000_000_000, 3000...3376),
    ])
  func `a percentile is right to an eighth`(_ time: UInt64, _ range: ClosedRange<Double>) {
    var histogram = Histogram()
    for _ in 1...99 { histogram.add(nanoseconds: time) }
    histogram.add(nanoseconds: time * 100)
    #expect(range.contains(histogram.percentile(0.5)))
    #expect(range.contains(histogram.percentile(0.95)))
    #expect(histogram.percentile(1) > range.upperBound)
  }

  @Test func `figures and usage read back what they write`() throws {
    var figures = Statistics(zone: "UTC")
    figures.position = "7 x"
    let time = Instant(milliseconds: 1_763_632_800_000)
    figures.add(
      [
        Measure(.count("added"), 2, at: time, by: [.init("tag", "日本 \"x\"")]),
        Measure(.level("open"), -3, at: time, by: []),
      ],
      in: .utc
    )
    var json = JSONWriter()
    figures.write(to: &json)
    #expect(try Statistics(JSON(parsing: String(decoding: json.bytes, as: UTF8.self))) == figures)
    var usage = Usage()
    usage.events = ["A": 3]
    usage.commands = ["add": ["cli": 1]]
    usage.times["add", default: Histogram()].add(nanoseconds: 12_345)
    usage.failures = ["conflict": 1]
    json = JSONWriter()
    usage.write(to: &json)
    #expect(try Usage(JSON(parsing: String(decoding: json.bytes, as: UTF8.self))) == usage)
  }

  @Test func `a sparkline has the columns that it may have`() {
    #expect(Sparkline.text([0, 1, 2, 4, 8], columns: 10) == "▁▁▂▄█")
    #expect(Sparkline.text(Array(0..<100), columns: 10).count == 10)
    #expect(Sparkline.text([0, 0], columns: 4) == "▁▁")
    #expect(Sparkline.text([1], columns: 0) == "")
    #expect(Sparkline.bar(1, of: 8, columns: 1) == "▏")
    #expect(Sparkline.bar(-1, of: 8, columns: 4) == "")
  }
}

// MARK: - A domain that can be measured

/// A history of so many things, each on a day after 2025-11-20; today is the 23rd.
private final class Diary {
  private let test: TestContext
  private let plugin: Analytics
  private let port: ViewPort
  private let questions = Locked<[String]>([])

  var asked: [String] { questions.withLock { $0 } }

  init(
    days: [(kind: String, amount: Int, day: Int)],
    label: String = "all",
    named history: String = "diary",
    path: String? = nil,
    zone: ZoneRule = .utc,
    version: String = "1"
  ) throws {
    let start = Instant(milliseconds: 1_763_632_800_000)
    test = TestContext(now: start.adding(milliseconds: 3 * 86_400_000), zone: zone)
    let ticks = Locked<UInt64>(0)
    plugin = Analytics(
      path: path,
      ticks: {
        ticks.withLock {
          $0 += 1000
          return $0
        }
      }
    )
    port = test.app.port(named: "view")
    var environment = Environment()
    let session = ProcessSession("diary", version: version, Catalogue())
    _ = plugin.prepare(session, &environment)
    test.add(plugin)
    let measures = days.flatMap { kind, amount, day in
      let time = start.adding(milliseconds: Int64(day) * 86_400_000)
      let label = [Measure.Dimension("tag", label)]
      let level = kind == "added" ? amount : -amount
      return [
        Measure(.count(kind), amount, at: time, by: label),
        Measure(.level("open"), level, at: time, by: label),
      ]
    }
    test.stream.answer(RequestMeasures.self) { [questions] request, _ in
      questions.withLock { $0.append(request.position) }
      let parts = request.position.split(separator: " ")
      guard parts.isEmpty || parts[0] == history else { throw Failure(.notFound, "another one") }
      let begin = parts.last.flatMap { Int($0) } ?? 0
      let left = Array(measures.dropFirst(2 * begin))
      return MeasuredPart(left, upTo: days.isEmpty ? "" : "\(history) \(days.count)", isLast: true)
    }
    test.stream.answer(RequestGauges.self) { _, _ in [Gauge("open", 99), Gauge("overdue", 4)] }
    test.skip()
  }

  func leave() { test.app.leave() }

  /// Asks for a report as a frontend does that shows one all the time.
  func keepUpToDate() {
    port.request(RequestReport(), isHousekeeping: true) { _, _ in }
    test.skip()
  }

  private func reply(_ request: RequestReport) -> Result<Report, Failure>? {
    var answer: Result<Report, Failure>?
    port.request(request) { result, _ in
      answer = result.mapError(Failure.init).flatMap(\.result)
    }
    test.skip()
    return answer
  }

  func text(_ request: RequestReport, width: Int = 80) throws -> String {
    let value = try #require(reply(request)).get()
    var page = Page(width: width)
    value.show(on: &page)
    // How long a report takes is none of these tests' business.
    return page.text.components(separatedBy: "\ncommand")[0]
  }

  func json(_ request: RequestReport) throws -> JSON {
    let value = try #require(reply(request)).get()
    var json = JSONWriter()
    value.write(to: &json)
    return try JSON(parsing: String(decoding: json.bytes, as: UTF8.self))
  }

  func failure(_ request: RequestReport) -> Failure? {
    guard case .failure(let failure)? = reply(request) else { return nil }
    return failure
  }
}

/// A file in a folder of its own, gone with its test.
private final class Folder {
  let path: String
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/figures-" + UniqueID.random().text
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    path = folder + "/figures.json"
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}

/// Whether each element of a page that has an end has one.
private struct XMLLike {
  let isBalanced: Bool

  init(_ html: String) throws {
    var open: [Substring] = []
    var isBalanced = true
    for tag in html.matches(of: #/<(/?)([a-z0-9]+)[^>]*?(/?)>/#) {
      let name = tag.2
      if ["meta", "br"].contains(name) || !tag.3.isEmpty { continue }
      if tag.1.isEmpty {
        open.append(name)
      } else if open.popLast() != name {
        isBalanced = false
      }
    }
    self.isBalanced = isBalanced && open.isEmpty
  }
}
