import EventMVVM
import EventMVVMTesting
import Foundation
import Testing

@testable import EventRPC

@Suite(.hangLimit) struct LoadTests {
  @Test func `while calls are dealt with, the next waits until half of those before it are`() {
    let load = Load(patience: 60)
    for _ in 0..<64 { load.add(1) }
    let left = Locked(64)
    var hasBegun = false
    load.waitForRoom {
      // Nobody asks before all 64 have been counted.
      if !hasBegun {
        hasBegun = true
        Thread.detachNewThread {
          for _ in 0..<32 {
            left.withLock { $0 -= 1 }
            load.remove(1)
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
    let load = Load()
    for _ in 0..<1000 {
      load.add(1)
      load.waitForRoom { false }
    }
    for _ in 0..<1000 { load.remove(1) }
    var looks = 0
    load.waitForRoom {
      looks += 1
      return true
    }
    #expect(looks == 0)
  }

  @Test func `whoever waits until nothing is under way does so whatever else is waited for`() throws
  {
    let load = Load(patience: 60)
    for _ in 0..<64 { load.add(1) }
    let isIdle = Gate()
    Thread.detachNewThread {
      load.waitUntilIdle(within: 60)
      isIdle.open()
    }
    Thread.detachNewThread { for _ in 0..<64 { load.remove(1) } }
    load.waitForRoom { false }
    try isIdle.wait("whoever waited for the end is woken")
  }

  @Test func `whoever waits until nothing is under way gives up in time, or as soon as he is told`()
  {
    let load = Load()
    load.add(1)
    load.waitUntilIdle(within: 0.01, isPatient: true)
    #expect(!load.isIdle)
    var looks = 0
    load.waitUntilIdle(within: 60, isPatient: true) {
      looks += 1
      // Its waking waits for the lock, which is let go of by waiting.
      if looks == 2 { Thread.detachNewThread { load.wake() } }
      return looks <= 2
    }
    #expect(looks >= 3)
    #expect(!load.isIdle)
  }

  @Test func `a request is followed while one behind it waits for its answer`() {
    let load = Load()
    let first = load.expectAnswer()
    #expect(!load.isFollowed(first))
    let second = load.expectAnswer()
    #expect(load.isFollowed(first))
    #expect(!load.isFollowed(second))
    #expect(!load.hasAnswered())
    #expect(!load.isFollowed(first))
    #expect(load.hasAnswered())
  }

  @Test func `who has no room waits until another thread has made some`() {
    var limits = RPCLimits()
    limits.calls = 10
    let load = Load(limits)
    for _ in 0..<10 { load.add(1) }
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
    var limits = RPCLimits()
    limits.calls = 10
    let load = Load(limits)
    for _ in 0..<10 { load.add(1) }
    var looks = 0
    load.waitForRoom {
      looks += 1
      if looks == 1 { Thread.detachNewThread { load.wake() } }
      return looks == 2
    }
    #expect(looks == 2)
  }
}
