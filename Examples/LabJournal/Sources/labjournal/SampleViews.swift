import EventCommands
import EventMVVM
import EventRecords
import EventValues
import RecordCommands

/// Samples as what is done with them leaves them.
struct SampleView: RecordResult {
  let records: [RecordView<Sample>]
  let isList: Bool

  func show(on page: inout Page) {
    for sample in records { sample.showWhole(on: &page) }
  }
}

extension RecordView<Sample> {
  /// Writes what follows the batch in the line of a list.
  func showFields(on page: inout Page) {
    page.write("  \(value.status.rawValue)", value.status == .finished ? .positive : nil)
    if let due = value.due {
      let isOverdue = time.map(value.isOverdue) ?? false
      page.write("  due \(due.text)", isOverdue ? .urgent : .secondary)
    }
    for tag in value.tags {
      page.write("  ")
      page.write(user: tag, .label)
    }
  }
}
