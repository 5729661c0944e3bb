import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import RecordCommands

/// Answers the command on samples that does not answer itself.
final class SampleServer: Plugin {
  let name = "samples"

  func join(_ stream: EventStream) {
    stream.answer(RequestAgain.self) { request, turn in
      let samples = try await turn.request(RequestRecords<Sample>(request.id))
      var sample = Sample()
      sample.batch = samples[0].value.batch
      sample.tags = samples[0].value.tags
      let written = try await turn.request(RequestWriteRecords([.add(sample)]))
      return SampleView(records: [RecordView(try written[0].stored, turn)], isList: false)
    }
  }
}
