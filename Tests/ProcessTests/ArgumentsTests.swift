#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The words of a process where a library has moved its environment.
  @Suite(.hangLimit) struct ArgumentsTests {
    @Test func `a library that sets a variable before the program begins loses no argument`() throws
    {
      let place = try Workplace()
      try
        #"__attribute__((constructor)) static void begin(void) { extern int setenv(const char *, const char *, int); setenv("A_VARIABLE", "1", 1); }"#
        .write(to: place.folder.appending(path: "begin.c"), atomically: true, encoding: .utf8)
      let script = """
        PATH="$1:$PATH" clang -shared -fPIC -o begin.so begin.c || exit
        export LD_PRELOAD=$PWD/begin.so
        todostream add 'Water the plants' && todostream --json list no-such-word; todostream --json ad
        """
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      let outcome = try place.start(script, [path]).outcome()
      #expect(outcome.output == ["Added #1 Water the plants", "[]"])
      #expect(
        outcome.errors == [
          #"{"error":{"kind":"usage","message":"no command 'ad'; did you mean 'add'?"}}"#
        ]
      )
    }
  }
#endif
