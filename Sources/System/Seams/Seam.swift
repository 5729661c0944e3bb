// The seam between the program and the system, in debug builds alone.
//
// What the system may do differently from one run to the next passes one of the points below:
// which thread runs first, how many bytes a call moves, when a change is noticed. Each point calls
// `Seam.pass` or `Seam.part`, which a release build compiles to nothing. With
// `$EVENTMVVM_SHAKE=SEED` they wait, or move fewer bytes than possible, at random from the seed:
// what is legal and rare becomes frequent. `make shake` runs all tests this way.

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

/// A point at which the system decides what comes next.
@usableFromInline
package enum SeamPoint: Sendable {
  /// A thread hands an entry over to a stream.
  case send
  /// The home thread takes what was handed over, or has been woken.
  case inbox
  /// A lock is taken.
  case lock
  /// A thread of the program begins.
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
  /// A transaction begins or ends, or the write lock of a store is taken or released.
  case transaction
  /// The clock is read.
  case clock
}

/// The disturbances at the points; a release build has none.
@usableFromInline
package enum Seam {
  /// Passes a point, possibly after a delay.
  @inlinable @inline(__always)
  package static func pass(_ point: SeamPoint) {
    #if DEBUG
      if seed != nil { disturb(point) }
    #endif
  }

  /// Returns how many of `count` bytes a call moves at most: all of them, or fewer, as POSIX
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
  /// The random choices at the points, by the seed in the environment.
  ///
  /// All threads draw from one sequence, and which part of it a thread gets depends on which runs
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

    /// Returns a number that no other call gets (SplitMix64; Steele, Lea and Flood, 2014).
    private static func draw() -> UInt64 {
      let (number, _) = draws.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed)
      var mixed = (seed ?? 0) &+ number
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    /// Waits, rarely and mostly briefly.
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

    /// Returns a smaller number one time in eight, but never zero.
    @usableFromInline
    package static func drawPart(of count: Int, at point: SeamPoint) -> Int {
      disturb(point)
      let chance = draw()
      guard chance % 8 == 0, count > 1 else { return count }
      return Int(truncatingIfNeeded: (chance >> 32) % UInt64(count - 1)) + 1
    }
  }

  extension SeamPoint {
    /// A point is disturbed one time in this many; frequent points are disturbed rarely.
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
