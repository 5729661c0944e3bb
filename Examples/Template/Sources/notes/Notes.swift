import EventApp
import EventRecords
import EventValues
import RecordCommands
import StandardParts

/// A program that keeps notes: its name, its records and its parts.
@main
struct Notes: Domain {
  let program = Program("notes", version: "0.1.0", summary: "Keeps notes.")
  let kinds: [any CommandRecord.Type] = [Note.self]
  let parts = Parts.standard()
}

/// A note; its commands and its screens follow from its fields.
struct Note: CommandRecord {
  var title = ""
  var body = ""
  var tags: [String] = []
  var due: CivilTime?
  static let fields = Fields<Self>("note", several: "notes")
    .field("title", \.title, .searched, "What it says")
    .field("body", \.body, .searched, "The rest of it, of any number of lines")
    .set("tags", \.tags, "A label (repeatable)", one: "tag")
    .field("due", \.due, .indexed, "When it matters")
  static let commands = RecordCommands<Self>().ordered { $0.sorted(by: \.due) }
}
