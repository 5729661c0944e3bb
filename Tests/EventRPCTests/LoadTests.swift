import Foundation
import Testing

@testable import EventRPC

@Suite struct LoadTests {
  @Test func `who has no room waits until another thread has made some`() {
    let load = Load()
    for _ in 0..<RPCLimits().calls { load.add(1) }
    var looks = 0
    load.waitForRoom {
      looks += 1
      // Its waking waits for the lock, which is let go of by waiting.
      Thread.detachNewThread { load.remove(1) }
      return false
    }
    #expect(looks == 1)
  }

  @Test func `who has no room waits no longer than it is wanted`() {
    let load = Load()
    for _ in 0..<RPCLimits().calls { load.add(1) }
    var looks = 0
    load.waitForRoom {
      looks += 1
      if looks == 1 { Thread.detachNewThread { load.wake() } }
      return looks == 2
    }
    #expect(looks == 2)
  }
}
