import Foundation

/// The files of the page, which are part of the program; they hold nothing of a recording, and need no secret.
enum PageFile {
  /// Returns a file; nil if there is none with that path.
  static func named(_ path: String) -> Answer? {
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    guard let bytes = files[name] else { return nil }
    return Answer(type: type(of: name), body: .bytes(bytes))
  }

  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "text/javascript; charset=utf-8"
    }
  }

  /// Each file by its name; the build makes bytes of the files in `Page`.
  private static let files: [String: [UInt8]] = [
    "api.js": PackageResources.api_js,
    "cause.js": PackageResources.cause_js,
    "changes.js": PackageResources.changes_js,
    "compare.js": PackageResources.compare_js,
    "details.js": PackageResources.details_js,
    "dom.js": PackageResources.dom_js,
    "event.js": PackageResources.event_js,
    "figures.js": PackageResources.figures_js,
    "filter.js": PackageResources.filter_js,
    "icon.svg": PackageResources.icon_svg,
    "index.html": PackageResources.index_html,
    "list.js": PackageResources.list_js,
    "main.js": PackageResources.main_js,
    "pages.js": PackageResources.pages_js,
    "replay.js": PackageResources.replay_js,
    "search.js": PackageResources.search_js,
    "secret.js": PackageResources.secret_js,
    "send.js": PackageResources.send_js,
    "snapshot.js": PackageResources.snapshot_js,
    "state.js": PackageResources.state_js,
    "style.css": PackageResources.style_css,
    "timeline.js": PackageResources.timeline_js,
    "tree.js": PackageResources.tree_js,
    "updates.js": PackageResources.updates_js,
  ]
}
