import EventCommands
import EventMVVM
import EventRecords
import EventValues
import RecordCommands

/// Samples, a line each.
struct SamplesView: RecordResult {
  let records: [RecordView<Sample>]
  let isList: Bool

  func show(on page: inout Page) {
    for sample in records { sample.showLine(on: &page) }
  }
}

/// Samples with all of their fields.
struct SampleView: RecordResult {
  let records: [RecordView<Sample>]
  let isList: Bool

  func show(on page: inout Page) {
    for sample in records {
      sample.showLine(on: &page)
      for reading in sample.value.readings {
        page.write("  \(reading)")
        page.endLine()
      }
      for note in sample.value.notes {
        page.write("  ")
        page.write(user: note, .secondary)
        page.endLine()
      }
    }
  }
}

extension RecordView<Sample> {
  /// Writes the line of a sample in a list.
  fileprivate func showLine(on page: inout Page) {
    page.write("#\(number) ", .secondary)
    page.write(user: value.batch)
    page.write("  \(value.status.rawValue)", value.status == .finished ? .positive : nil)
    if let due = value.due {
      let isOverdue = time.map(value.isOverdue) ?? false
      page.write("  due \(due.text)", isOverdue ? .urgent : .secondary)
    }
    for tag in value.tags {
      page.write("  ")
      page.write(user: tag, .label)
    }
    page.endLine()
  }
}
