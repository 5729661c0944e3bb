import Foundation
import FuzzChecks

/// Which one libFuzzer's `main` runs: `FUZZER=Rows`.
private let fuzzer: Fuzzer = {
  guard let name = ProcessInfo.processInfo.environment["FUZZER"],
    let fuzzer = Fuzzer(rawValue: name)
  else { fatalError("set FUZZER to one of \(Fuzzer.allCases)") }
  return fuzzer
}()

/// Checks one input of libFuzzer's.
@_cdecl("LLVMFuzzerTestOneInput")
public func checkOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzzer.check(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
