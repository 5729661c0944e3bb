import EventCommands
import EventMVVM
import EventRecords
import EventValues

/// A list of samples, for people and programs.
struct SamplesView: EncodedResult {
  let samples: [RecordView<Sample>]

  init(_ samples: [Kept<Sample>], _ turn: borrowing Turn) {
    self.samples = samples.map { RecordView($0, turn) }
  }

  func show(on page: inout Page) {
    for sample in samples { sample.showLine(on: &page) }
  }
}

/// A sample with all of its fields.
struct SampleView: EncodedResult {
  let sample: RecordView<Sample>

  init(_ sample: Kept<Sample>, _ turn: borrowing Turn) {
    self.sample = RecordView(sample, turn)
  }

  init(_ sample: Kept<Sample>, _ turn: AsyncTurn) {
    self.sample = RecordView(sample, turn)
  }

  func show(on page: inout Page) {
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
