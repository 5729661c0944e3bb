import EventMVVM
import EventMVVMTesting
import Foundation
import Testing

@testable import EventRPC

@Suite(.hangLimit) struct InFlightLimitTests {
  @Test func `while calls are dealt with, the next waits until half of those before it are`() {
    let inFlight = InFlightLimit(patience: 60)
    for _ in 0..<64 { inFlight.add(1) }
    let left = Locked(64)
    var hasBegun = false
    inFlight.waitForRoom {
      // Nobody asks before all 64 have been counted.
      if !hasBegun {
        hasBegun = true
        Thread.detachNewThread {
          for _ in 0..<32 {
            left.withLock { $0 -= 1 }
            inFlight.remove(1)
          }
        }
      }
      return false
    }
    #expect(hasBegun)
    #expect(left.withLock { $0 } == 32)
  }

  @Test
  func `if none of those before it is dealt with, the next is handed on: they may wait for it`() {
    let inFlight = InFlightLimit()
    for _ in 0..<1000 {
      inFlight.add(1)
      inFlight.waitForRoom { false }
    }
    for _ in 0..<1000 { inFlight.remove(1) }
    var looks = 0
    inFlight.waitForRoom {
      looks += 1
      return true
    }
    #expect(looks == 0)
  }

  @Test func `whoever waits until nothing is under way does so whatever else is waited for`() throws
  {
    let inFlight = InFlightLimit(patience: 60)
    for _ in 0..<64 { inFlight.add(1) }
    let isIdle = Gate()
    Thread.detachNewThread {
      inFlight.waitUntilIdle(within: 60)
      isIdle.open()
    }
    Thread.detachNewThread { for _ in 0..<64 { inFlight.remove(1) } }
    inFlight.waitForRoom { false }
    try isIdle.wait("whoever waited for the end is woken")
  }

  @Test func `whoever waits until nothing is under way gives up in time, or as soon as he is told`()
  {
    let inFlight = InFlightLimit()
    inFlight.add(1)
    inFlight.waitUntilIdle(within: 0.01, isPatient: true)
    #expect(!inFlight.isIdle)
    var looks = 0
    inFlight.waitUntilIdle(within: 60, isPatient: true) {
      looks += 1
      // Its waking waits for the lock, which is let go of by waiting.
      if looks == 2 { Thread.detachNewThread { inFlight.wake() } }
      return looks <= 2
    }
    #expect(looks >= 3)
    #expect(!inFlight.isIdle)
  }

  @Test func `a request is followed while one behind it waits for its answer`() {
    let inFlight = InFlightLimit()
    let first = inFlight.expectAnswer()
    #expect(!inFlight.isFollowed(first))
    let second = inFlight.expectAnswer()
    #expect(inFlight.isFollowed(first))
    #expect(!inFlight.isFollowed(second))
    #expect(!inFlight.hasAnswered())
    #expect(!inFlight.isFollowed(first))
    #expect(inFlight.hasAnswered())
  }

  @Test func `who has no room waits until another thread has made some`() {
    var limits = RPCLimits()
    limits.calls = 10
    let inFlight = InFlightLimit(limits)
    for _ in 0..<10 { inFlight.add(1) }
    var looks = 0
    inFlight.waitForRoom {
      looks += 1
      // Its waking waits for the lock, which is let go of by waiting.
      Thread.detachNewThread { inFlight.remove(1) }
      return false
    }
    #expect(looks == 1)
  }

  @Test func `who has no room waits no longer than it is wanted`() {
    var limits = RPCLimits()
    limits.calls = 10
    let inFlight = InFlightLimit(limits)
    for _ in 0..<10 { inFlight.add(1) }
    var looks = 0
    inFlight.waitForRoom {
      looks += 1
      if looks == 1 { Thread.detachNewThread { inFlight.wake() } }
      return looks == 2
    }
    #expect(looks == 2)
  }
}
