// The seam between the program and the world, in debug builds alone.
//
// Whatever the world may do differently from one run to the next, it does at one of the points
// below: which thread comes first, how many bytes a call moves, when a change is noticed. Each is
// passed by `Seam.pass` or `Seam.part`, which a release build compiles to nothing.
// `$EVENTMVVM_SHAKE=SEED` has them wait, or move less than they could, by chance drawn from the
// seed: what is legal and rare becomes frequent. `make shake` runs all tests so.

#if DEBUG
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif
  import Synchronization
#endif

/// A point at which it depends on others what comes next.
@usableFromInline
package enum SeamPoint: Sendable {
  /// A thread hands an entry over to a stream.
  case send
  /// The home thread takes what was handed over, or has been woken.
  case inbox
  /// A lock is taken.
  case lock
  /// A thread of our own begins.
  case thread
  /// A process is started, or its end is noticed.
  case process
  /// Bytes are read from a pipe, a socket or a terminal.
  case read
  /// Bytes are written.
  case write
  /// A change of a file is noticed.
  case watch
  /// A file is opened, renamed or removed.
  case file
  /// A transaction begins or ends, or the lock of a store is taken or given up.
  case transaction
  /// The clock is read.
  case clock
}

/// What happens at the points; in a release build nothing does.
@usableFromInline
package enum Seam {
  /// Passes a point, late perhaps.
  @inlinable @inline(__always)
  package static func pass(_ point: SeamPoint) {
    #if DEBUG
      if seed != nil { disturb(point) }
    #endif
  }

  /// How many of so many bytes a call moves at most: all of them, or fewer perhaps, as POSIX
  /// allows.
  @inlinable @inline(__always)
  package static func part(of count: Int, at point: SeamPoint) -> Int {
    #if DEBUG
      return seed == nil ? count : drawPart(of: count, at: point)
    #else
      return count
    #endif
  }
}

#if DEBUG
  /// Chance at the points, by the seed in the environment.
  ///
  /// All threads draw from one sequence: which part of it a thread gets depends on which comes
  /// first. So a seed disturbs the schedule, and does not determine it.
  extension Seam {
    /// The process's seed; nil where nothing is disturbed.
    @usableFromInline
    package static let seed: UInt64? = {
      guard let text = getenv("EVENTMVVM_SHAKE"), let seed = UInt64(String(cString: text)) else {
        return nil
      }
      return seed &+ UInt64(getpid()) &* 0xD134_2543_DE82_EF95
    }()

    private static let draws = Atomic<UInt64>(0)

    /// A number that no other call gets (SplitMix64; Steele, Lea and Flood, 2014).
    private static func draw() -> UInt64 {
      let (number, _) = draws.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed)
      var mixed = (seed ?? 0) &+ number
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    /// Waits, seldom and mostly not for long.
    @usableFromInline
    package static func disturb(_ point: SeamPoint) {
      let chance = draw()
      guard chance % point.rarity == 0 else { return }
      switch (chance >> 32) % 100 {
      case 0: usleep(20_000)
      case 1..<10: usleep(UInt32(truncatingIfNeeded: (chance >> 40) % 4000) + 1000)
      case 10..<50: usleep(UInt32(truncatingIfNeeded: (chance >> 40) % 200) + 1)
      default: sched_yield()
      }
    }

    /// Fewer than so many, one time in eight, but never none.
    @usableFromInline
    package static func drawPart(of count: Int, at point: SeamPoint) -> Int {
      disturb(point)
      let chance = draw()
      guard chance % 8 == 0, count > 1 else { return count }
      return Int(truncatingIfNeeded: (chance >> 32) % UInt64(count - 1)) + 1
    }
  }

  extension SeamPoint {
    /// One time in how many it is disturbed: what is passed all the time is disturbed seldom.
    var rarity: UInt64 {
      switch self {
      case .lock, .clock: 256
      case .send, .inbox: 32
      case .read, .write, .file: 16
      case .thread, .process, .watch, .transaction: 4
      }
    }
  }
#endif
