import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import RecordCommands

/// Answers the commands on samples.
final class SampleServer: Plugin {
  let name = "samples"

  func join(_ stream: EventStream) {
    stream.add(RequestReceive.self, owner: self) { _, request, turn in
      var sample = try Sample(request.sample, turn)
      sample.batch = request.batch.name
      return sample
    } reply: { _, request, sample, turn in
      turn.name(sample, as: request.alias)
      return SampleView(sample, turn)
    }
    stream.answer(RequestAgain.self) { request, turn in
      let samples = try await turn.request(RequestRecords<Sample>(request.id))
      var sample = Sample()
      sample.batch = samples[0].value.batch
      sample.tags = samples[0].value.tags
      let written = try await turn.request(RequestWriteRecords([.add(sample)]))
      return try SampleView(written[0].stored, turn)
    }
    stream.edit(RequestStart.self, \.id, among: Sample.waiting, owner: self) { _, _, sample, _ in
      try sample.start()
    } reply: { _, _, samples, turn in
      SamplesView(samples, turn)
    }
    stream.edit(RequestReading.self, \.id, owner: self) { _, request, sample, _ in
      try sample.add(request.value, isLast: request.last)
    } reply: { _, _, samples, turn in
      SampleView(samples[0], turn)
    }
    stream.edit(RequestNote.self, \.id, owner: self) { _, request, sample, _ in
      sample.notes.append(request.text)
    } reply: { _, _, samples, turn in
      SampleView(samples[0], turn)
    }
    stream.bridge(RequestSamples.self, owner: self) { _, request, turn in
      RequestRecords(try request.query(turn))
    } reply: { _, _, samples, turn in
      SamplesView(samples, turn)
    }
    stream.bridge(RequestSample.self, owner: self) { _, request, _ in
      RequestRecords<Sample>(request.id)
    } reply: { _, _, samples, turn in
      SampleView(samples[0], turn)
    }
  }
}
