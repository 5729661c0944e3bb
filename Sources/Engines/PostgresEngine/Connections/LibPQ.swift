import EventRecords
import Foundation

/// The functions of libpq, which is opened when a store in PostgreSQL is first used: other programs
/// need it neither linked nor installed.
struct LibPQ: Sendable {
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<Text?>
  typealias Handle = OpaquePointer

  let connect: @convention(c) (Texts, Texts, Int32) -> Handle?
  let finish: @convention(c) (Handle?) -> Void
  let status: @convention(c) (Handle?) -> Int32
  let message: @convention(c) (Handle?) -> Text?
  let socket: @convention(c) (Handle?) -> Int32
  let backend: @convention(c) (Handle?) -> Int32
  let parameter: @convention(c) (Handle?, Text) -> Text?
  let parse: @convention(c) (Text, UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let setNoticeReceiver:
    @convention(c) (
      Handle?, @convention(c) (UnsafeMutableRawPointer?, Handle?) -> Void, UnsafeMutableRawPointer?
    ) -> UnsafeRawPointer?

  let enterPipeline: @convention(c) (Handle?) -> Int32
  let sync: @convention(c) (Handle?) -> Int32
  let send:
    @convention(c) (
      Handle?, Text, Int32, UnsafeRawPointer?, Texts?, UnsafeRawPointer?, UnsafeRawPointer?, Int32
    ) -> Int32
  let result: @convention(c) (Handle?) -> Handle?
  let isBusy: @convention(c) (Handle?) -> Int32
  let consumeInput: @convention(c) (Handle?) -> Int32
  let notification: @convention(c) (Handle?) -> UnsafeMutableRawPointer?
  let freeMemory: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let makeCancel: @convention(c) (Handle?) -> Handle?
  let cancel: @convention(c) (Handle?, UnsafeMutablePointer<CChar>, Int32) -> Int32
  let freeCancel: @convention(c) (Handle?) -> Void

  let resultStatus: @convention(c) (Handle?) -> Int32
  let errorField: @convention(c) (Handle?, Int32) -> Text?
  let rowCount: @convention(c) (Handle?) -> Int32
  let isNull: @convention(c) (Handle?, Int32, Int32) -> Int32
  let value: @convention(c) (Handle?, Int32, Int32) -> Text?
  let length: @convention(c) (Handle?, Int32, Int32) -> Int32
  let clear: @convention(c) (Handle?) -> Void

  /// `PQconninfoOption`.
  struct Option {
    let keyword: Text?
    let environment: Text?
    let compiled: Text?
    let value: Text?
    let label: Text?
    let display: Text?
    let size: Int32
  }

  /// Returns the parts of an address by libpq's keywords; nil if libpq can't read it.
  func options(of address: String) -> [String: String]? {
    guard let options = parse(address, nil) else { return nil }
    defer { free(options) }
    var said: [String: String] = [:]
    // The list ends with an option without a keyword.
    var option = options.assumingMemoryBound(to: Option.self)
    while let keyword = option.pointee.keyword {
      said[String(cString: keyword)] = option.pointee.value.map { String(cString: $0) }
      option += 1
    }
    return said
  }

  /// The library, or the reason why it can't be opened.
  static let shared = Result { try LibPQ() }

  #if canImport(Darwin)
    private static let files = [
      "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
      "/usr/local/opt/libpq/lib/libpq.5.dylib",
    ]
    private static let advice = "install it, for example by 'brew install libpq'"
  #else
    private static let files = ["libpq.so.5"]
    private static let advice =
      "install it: the package is libpq5 in Debian and Ubuntu, libpq in Fedora, postgresql-libs in Arch"
  #endif

  private init() throws {
    // The library is never closed: its functions are used as long as the process runs.
    guard let library = Self.files.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first
    else {
      throw StoreError(
        path: "",
        "PostgreSQL needs \(Self.files[0]), which is missing; \(Self.advice)."
      )
    }
    /// The casts are right as long as the types above are those of `libpq-fe.h`.
    func function<F>(_ name: String) throws -> F {
      guard let symbol = dlsym(library, name) else {
        throw StoreError(
          path: "",
          "PostgreSQL needs a libpq of version 14 or later: '\(name)' is missing."
        )
      }
      return unsafeBitCast(symbol, to: F.self)
    }
    connect = try function("PQconnectdbParams")
    finish = try function("PQfinish")
    status = try function("PQstatus")
    message = try function("PQerrorMessage")
    socket = try function("PQsocket")
    backend = try function("PQbackendPID")
    parameter = try function("PQparameterStatus")
    parse = try function("PQconninfoParse")
    free = try function("PQconninfoFree")
    setNoticeReceiver = try function("PQsetNoticeReceiver")
    enterPipeline = try function("PQenterPipelineMode")
    sync = try function("PQpipelineSync")
    send = try function("PQsendQueryParams")
    result = try function("PQgetResult")
    isBusy = try function("PQisBusy")
    consumeInput = try function("PQconsumeInput")
    notification = try function("PQnotifies")
    freeMemory = try function("PQfreemem")
    makeCancel = try function("PQgetCancel")
    cancel = try function("PQcancel")
    freeCancel = try function("PQfreeCancel")
    resultStatus = try function("PQresultStatus")
    errorField = try function("PQresultErrorField")
    rowCount = try function("PQntuples")
    isNull = try function("PQgetisnull")
    value = try function("PQgetvalue")
    length = try function("PQgetlength")
    clear = try function("PQclear")
  }
}
