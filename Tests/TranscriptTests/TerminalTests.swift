#if os(Linux)
  import EventMVVM
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The built binary on a real terminal.
  @Suite(.hangLimit) struct TerminalTests {
    /// A terminal of its own, and what has been written on it.
    private final class Terminal {
      private let master: Int32
      let path: String
      private(set) var text = ""

      init() throws {
        // As posix_openpt, unlockpt and ptsname do, which Swift doesn't see (pty(7), ioctl_tty(2)).
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (lock, number): (Int32, Int32) = (0, 0)
        let (unlocking, numbering): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        try #require(ioctl(master, unlocking, &lock) == 0 && ioctl(master, numbering, &number) == 0)
        path = "/dev/pts/\(number)"
      }

      deinit { close(master) }

      /// Reads on until a text has appeared; false if nothing more comes.
      func wait(for wanted: String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !text.contains(wanted) {
          var source = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
          guard poll(&source, 1, 60_000) > 0 else { return false }
          let count = read(master, &buffer, buffer.count)
          guard count > 0 else { return false }
          text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return true
      }
    }

    /// A script that no machine runs in half a second.
    private func longScript(in place: Workplace) throws {
      let lines = (1...60_000).map { "add Todo number \($0)\n" }.joined()
      try lines.write(
        to: place.folder.appending(path: "long.todo"),
        atomically: true,
        encoding: .utf8
      )
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a long script says how far it is, and takes all back when it is told to end`(
      _ signal: Int32
    ) throws {
      let place = try Workplace()
      try longScript(in: place)
      let terminal = try Terminal()
      let script = try place.start("exec todostream run long.todo 2> \(terminal.path)")
      #expect(terminal.wait(for: "% ("))
      #expect(terminal.text.contains(" of 60000)"))
      script.send(signal)
      #expect(terminal.wait(for: "Interrupted: nothing was changed."))
      #expect(try script.outcome() == Job.Outcome(status: 128 + signal))
      #expect(try place.start("todostream list").outcome() == Job.Outcome())
    }

    @Test func `a script that keeps going keeps what it has done when it is told to end`() throws {
      let place = try Workplace()
      try longScript(in: place)
      let terminal = try Terminal()
      let script = try place.start(
        "exec todostream run --keep-going long.todo 2> \(terminal.path)"
      )
      while try script.printed().isEmpty { try #require(script.isRunning) }
      script.send(SIGINT)
      #expect(terminal.wait(for: "are kept."))
      let outcome = try script.outcome()
      #expect(outcome.status == 130)
      let kept = try place.start("todostream list | wc -l").outcome().output
      #expect(kept == ["\(outcome.output.count)"])
      #expect(terminal.text.contains("the first \(outcome.output.count) commands are kept"))
    }

    @Test func `what is told to be ignored stays ignored`() throws {
      let place = try Workplace()
      let ready = try NamedPipe("ready", in: place)
      let script = try place.start(
        "trap '' INT; echo >ready; exec todostream run -",
        input: ["add Milk"]
      )
      try ready.waitUntilWritten()
      script.send(SIGINT)
      #expect(try script.outcome() == Job.Outcome(output: ["Added #1 Milk"]))
    }
  }
#endif
