import Foundation

/// Files as the standard streams of a process: what it printed is there however it ended.
final class Streams {
  let descriptors: [Int32]
  private let paths: [String]

  init(in folder: Folder, input: String) throws {
    let name = UUID().uuidString.prefix(8)
    paths = ["in", "out", "err"].map { folder / "stream-\(name).\($0)" }
    try writeBytes(Array(input.utf8), to: paths[0])
    descriptors = try paths.enumerated()
      .map { number, path in
        let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(path) }
        return descriptor
      }
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
    for path in paths { unlink(path) }
  }

  var output: String { text(1) }
  var errors: String { text(2) }

  private func text(_ number: Int) -> String {
    String(decoding: (try? readBytes(paths[number])) ?? [], as: UTF8.self)
  }
}
