import Foundation

/// Stores images on disk by their addresses, so that the next process has them at its start (S107).
///
/// Each is a file named by a hash of its address, which is its first line: of two addresses with
/// one hash the latest image is stored. A file that can't be read or written is treated as missing,
/// without a failure: the network has the image.
struct DiskCache: ImageCache {
  private let folder: URL?
  private let mostBytes: Int

  /// - Parameters:
  ///   - folder: The folder of the files; by default one in the user's cache folder.
  ///   - mostBytes: The most bytes of all files together; the oldest are removed.
  init(_ folder: URL? = nil, mostBytes: Int = 32 << 20) {
    self.folder = folder
    self.mostBytes = mostBytes
  }

  func image(at address: String) -> [UInt8]? {
    guard let file = file(of: address), let data = try? Data(contentsOf: file) else { return nil }
    let head = Self.head(of: address)
    return data.starts(with: head) ? Array(data.dropFirst(head.count)) : nil
  }

  func keep(_ image: [UInt8], at address: String) {
    guard let file = file(of: address) else { return }
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try? Data(Self.head(of: address) + image).write(to: file, options: .atomic)
    makeRoom(in: file.deletingLastPathComponent())
  }

  private func makeRoom(in folder: URL) {
    let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
    let files = try? FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))
      .compactMap { file in (try? file.resourceValues(forKeys: keys)).map { (file, $0) } }
      .sorted { first, second in
        let never = Date.distantPast
        return first.1.contentModificationDate ?? never > second.1.contentModificationDate ?? never
      }
    var bytes = 0
    for (file, values) in files ?? [] {
      bytes += values.fileSize ?? 0
      if bytes > mostBytes { try? FileManager.default.removeItem(at: file) }
    }
  }

  private func file(of address: String) -> URL? {
    let folder =
      folder
      ?? FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
      .appending(path: "todostream-profile/images")
    // FNV-1a: equal in each process, unlike a `Hasher`.
    let hash = address.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return folder?.appending(path: String(hash, radix: 16))
  }

  private static func head(of address: String) -> [UInt8] { Array((address + "\n").utf8) }
}
