import EventCommands
import EventMVVM
import EventRecords
import EventValues
import Foundation
import JSONText

/// The place of a store.
struct StoreAddress {
  /// The path of a file, or the address of a database.
  let path: String
  /// The name for messages and recordings, without a password.
  let name: String
  /// Whether it is the default, so that its folders are created.
  var isDefault = false
}

extension Application {
  /// Returns `--store`, else the variable, such as `$TODOSTREAM_STORE`, else the store of the
  /// configuration file, else a file in the one folder, or in the user's data folder.
  ///
  /// - Parameters:
  ///   - option: The value of `--store`.
  ///   - configured: The address in the configuration file.
  /// - Returns: The place of the store.
  /// - Throws: A failure for an address that no engine recognizes or accepts.
  func store(
    _ option: String?,
    _ configured: ConfigurationFile.Address? = nil
  ) throws(Failure) -> StoreAddress {
    if option?.isEmpty == true { throw Failure(.usage, "--store needs the name of a file.") }
    if let option {
      do {
        try engines.provider(of: option)?.check(option, from: .argument)
      } catch let error as StoreError {
        throw Failure(.usage, error.message)
      } catch {
        throw Failure(error)
      }
      return try place(option)
    }
    if let path = try UserPaths.path(in: program.storeVariable) { return try place(path) }
    if let configured { return try store(configured) }
    // Help needs no store; the engine says what is wrong with this address when it is used.
    guard engines.haveFiles || engines.isEmpty else {
      return StoreAddress(path: "", name: program.name)
    }
    let path = try paths.defaultStore()
    return StoreAddress(path: path, name: path, isDefault: true)
  }

  /// Returns the store of the configuration file.
  ///
  /// A path is absolute, or begins with `~/`: where a process works does not decide which store it
  /// uses.
  private func store(_ address: ConfigurationFile.Address) throws(Failure) -> StoreAddress {
    do {
      if let provider = engines.provider(of: address.text), provider.addressForm != nil {
        try provider.check(address.text, from: .configuration)
        return try place(address.text)
      }
      var path = try place(address.text).path
      if path.starts(withText: "~/"), let home = try UserPaths.home {
        path = home + path.dropFirst()
      }
      guard path.starts(withText: "/") else {
        throw Failure(
          .usage,
          "'\(path.quotable)' is no store: it has to be "
            + "\(engines.forms("a path that begins with '/' or '~/'"))."
        )
      }
      return StoreAddress(path: path, name: path)
    } catch {
      let problem = (error as? StoreError)?.message ?? (error as? Failure ?? Failure(error)).message
      throw Failure(.usage, "\(address.place): \(problem)")
    }
  }

  /// Returns a file, or the address of a database with an engine.
  ///
  /// Any other address is a mistake, and not the name of a new file.
  private func place(_ text: String) throws(Failure) -> StoreAddress {
    let provider = engines.provider(of: text)
    if let provider, provider.addressForm != nil {
      return StoreAddress(path: text, name: provider.name(of: text, program: program.name))
    }
    guard provider != nil || engines.isEmpty else {
      throw Failure(
        .usage,
        "'\(text.quotable)' is no store: name \(engines.forms("a file"))."
      )
    }
    guard let scheme = text.scheme, access(text, F_OK) != 0 else {
      return StoreAddress(path: text, name: text)
    }
    throw Failure(
      .usage,
      "There are no stores of the kind '\(scheme)': name \(engines.forms("a file"))."
    )
  }

  /// Checks that records can be stored.
  ///
  /// - Parameter files: Whether they are stored in a file.
  /// - Throws: An error if the domain has records, and no engine is listed for them.
  func checkEngines(files: Bool) throws(ConfigurationError) {
    guard keepsRecords, files ? !engines.haveFiles : engines.isEmpty else { return }
    throw ConfigurationError(
      problems: [
        "The parts of '\(program.name)' have no engine for \(files ? "the file of a replay" : "its records")."
      ]
    )
  }

  /// Creates the engine of a store, whose address was recognized; an address that none has recognized
  /// is refused by the engine.
  func engine(of store: StoreConfiguration) -> any RecordEngine {
    guard let provider = engines.provider(of: store.path) ?? engines.first else {
      preconditionFailure("A domain that stores records lists an engine among its parts.")
    }
    var file: (@Sendable (_ path: String) -> any RecordEngine)?
    if let files = engines.files {
      file = { path in
        var copy = StoreConfiguration(of: store.program, path: path)
        copy.earlier = store.earlier
        return files.engine(copy, file: nil)
      }
    }
    return provider.engine(store, file: file)
  }
}

extension [any EngineProvider] {
  /// The provider of files, if the program has one.
  var files: (any EngineProvider)? { first { $0.addressForm == nil } }
  /// Whether some stores are files.
  var haveFiles: Bool { files != nil }

  /// Returns the provider of a store: the first one that recognizes its address, files last, since
  /// any text can be a path.
  func provider(of address: String) -> (any EngineProvider)? {
    first { $0.addressForm != nil && $0.recognizes(address) }
      ?? files.flatMap { $0.recognizes(address) ? $0 : nil }
  }

  /// Returns the forms of addresses for a sentence.
  ///
  /// - Parameter file: The words for a file: `a file`.
  /// - Returns: Them all: `a file, postgresql://… or service=NAME`.
  func forms(_ file: String) -> String {
    ((haveFiles || isEmpty ? [file] : []) + compactMap(\.addressForm)).joined(separator: ", ")
  }
}

extension String {
  /// The text before `://`, if it can be the name of a scheme.
  fileprivate var scheme: String? {
    let name = utf8.prefix { $0 != UInt8(ascii: ":") }
    let isName = name.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isName, !name.isEmpty, utf8.dropFirst(name.count).starts(with: "://".utf8) else {
      return nil
    }
    return String(Substring(name))
  }
}
