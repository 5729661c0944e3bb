public import EventCommands
import EventMVVM
public import EventRecords
public import JSONText

/// The commands of a store, independent of its records.
package enum StoreCommands {
  /// The prefix of their JSON-RPC methods.
  package static let group = "store"
  /// The commands.
  package static let all: [any Command.Type] = [RequestDoctor.self, RequestBackup.self]
}

extension RequestDoctor: Command {
  /// Its name, options and help.
  public static let command = CommandSpec<Self>(
    "doctor",
    "Looks for what is lost or damaged in the store."
  )
  .topic(.rare)

  /// It reads the whole store.
  public var cost: CommandCost { .time }
}

extension StoreReportViewModel: CommandResult {
  /// The status of a failed store, if data is lost or damaged.
  public var exitStatus: ExitStatus { report.isSound ? .success : .store }

  /// Writes a line for each finding.
  public func show(on page: inout Page) {
    page.write(user: report.path)
    page.endLine()
    for finding in report.findings {
      page.write("  ")
      page.write(finding.level.rawValue, finding.level.style)
      page.write(": ")
      page.write(user: finding.text)
      page.endLine()
    }
  }

  /// Writes the findings, and whether all is sound.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("path", report.path)
      json.member("sound", report.isSound)
      json.key("findings")
      json.array { json in
        for finding in report.findings {
          json.object {
            $0.member("level", finding.level.rawValue)
            $0.member("text", finding.text)
          }
        }
      }
    }
  }
}

extension StoreReport.Finding.Level {
  fileprivate var style: Page.Style {
    switch self {
    case .ok: .green
    case .warning: .yellow
    case .error: .red
    }
  }
}

extension RequestBackup: Command {
  /// Its name, options and help.
  public static let command = CommandSpec<Self>(
    "backup",
    "Copies the store into a new file, while it is in use."
  )
  .topic(.rare)
  .word(\.file, "The new file", placeholder: "FILE")

  /// It reads the whole store.
  public var cost: CommandCost { .time }
}

extension StoreCopyViewModel: CommandResult {
  /// Writes a confirmation.
  public func show(on page: inout Page) {
    page.confirm { page in
      page.write("Copied \(things) to ")
      page.write(user: copy.path)
      page.endLine()
    }
  }

  /// Writes its file, and the count.
  public func write(to json: inout JSONWriter) {
    json.object {
      $0.member("path", copy.path)
      $0.member("count", copy.count)
      $0.member("revision", copy.revision)
    }
  }
}
