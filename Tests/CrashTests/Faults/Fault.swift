import Foundation

/// How an operation fails.
struct Fault: CustomStringConvertible {
  let code: Int32
  let manner: Shim.Manner
  /// Whether it is reading that fails.
  var isRead = false

  var description: String {
    "\(code == EIO ? "EIO" : "ENOSPC") \(manner)\(isRead ? " at reading" : "")"
  }

  static let all: [Fault] =
    [EIO, ENOSPC]
    .flatMap { code in
      [.once, .forever, .short, .partial].map { Fault(code: code, manner: $0) }
    } + [reading, Fault(code: EIO, manner: .forever, isRead: true)]

  /// Briefly, each command meets one of those that disks have most.
  static let brief = [
    Fault(code: EIO, manner: .once), Fault(code: ENOSPC, manner: .short), reading,
  ]

  private static let reading = Fault(code: EIO, manner: .once, isRead: true)
}
