import EventMVVM
import Foundation
import JSONText

/// A service to which batches of statistics are posted.
protocol StatisticsService: Sendable {
  /// Posts a batch, and returns when it has arrived.
  ///
  /// - Parameter batch: A JSON object on one line.
  /// - Throws: Why it has not arrived, and whether another attempt makes sense.
  func post(_ batch: [UInt8]) async throws(PostProblem)
}

/// Why a batch has not arrived.
struct PostProblem: Error, Equatable {
  /// What another attempt is good for.
  enum Prospect: Equatable {
    /// It may succeed soon, but not before that time is over, if one is given.
    case soon(after: Duration? = nil)
    /// It may succeed once a person has corrected something; until then the batch waits.
    case corrected
    /// The batch itself is refused, and so would be every copy of it.
    case never
  }

  let message: String
  var prospect = Prospect.soon()
}

/// The target of statistics, as a person has given it.
struct PostTarget: Sendable, Equatable {
  private let text: String
  /// Whether a file of another program is continued as well.
  private let isForced: Bool

  init(_ text: String, isForced: Bool = false) throws(Failure) {
    guard !text.isEmpty else {
      throw Failure(.usage, "--post needs a file or a URL.", field: "post")
    }
    guard !text.utf8.contains(where: { $0 < 0x20 }) else {
      throw Failure(.usage, "--post: a control character is in the name.", field: "post")
    }
    self.text = text
    self.isForced = isForced
    guard let scheme, !isWeb else { return }
    throw Failure(
      .usage,
      "Statistics can't be posted by '\(scheme)'; name a file, or a URL that begins with http or https.",
      field: "post"
    )
  }

  /// The address, the same for every process in any folder.
  var address: String {
    isWeb || text.starts(withText: "/")
      ? text : FileManager.default.currentDirectoryPath + "/" + text
  }

  /// Whether it is an endpoint on a network.
  var isWeb: Bool { scheme == "http" || scheme == "https" }

  /// The part before `://`, in lower case; nil for a file.
  private var scheme: String? {
    guard let end = text.range(of: "://")?.lowerBound else { return nil }
    let scheme = text[..<end]
    let isName = scheme.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
    return isName && !scheme.isEmpty ? scheme.lowercased() : nil
  }

  /// The form for display: without the name and password of a URL.
  var shown: String { Self.shown(text) }

  /// Returns the form for display of any text that was given as a target, even an invalid one.
  static func shown(_ text: String) -> String {
    guard let start = text.range(of: "://")?.upperBound else { return text }
    let rest = text[start...]
    let authority = rest.prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return String(text[..<start] + rest[rest.index(after: at)...])
  }

  /// Why nothing can ever be posted there; nil if that can't be determined yet.
  var refusal: Failure? { isWeb ? nil : file.refusal }

  /// The service for the target.
  var service: any StatisticsService {
    isWeb ? WebService(url: text) : file
  }

  private var file: FileService { FileService(path: address, named: text, isForced: isForced) }
}
