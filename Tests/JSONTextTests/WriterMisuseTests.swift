import EventMVVMTesting
import JSONText
import Testing

#if DEBUG && (os(Linux) || os(macOS))
  @Suite(.hangLimit) struct WriterMisuseTests {
    @Test func `a debug build stops at a value without key in an object`() async {
      await #expect(processExitsWith: .failure) {
        var writer = JSONWriter()
        writer.object { $0.value(1) }
      }
    }

    @Test func `a debug build stops at a key without value`() async {
      await #expect(processExitsWith: .failure) {
        var writer = JSONWriter()
        writer.object { $0.key("a") }
      }
    }

    @Test func `a debug build stops at a key in an array`() async {
      await #expect(processExitsWith: .failure) {
        var writer = JSONWriter()
        writer.array { $0.key("a") }
      }
    }

    @Test func `a debug build stops at a second value in a document`() async {
      await #expect(processExitsWith: .failure) {
        var writer = JSONWriter()
        writer.value(1)
        writer.value(2)
      }
    }
  }
#endif
