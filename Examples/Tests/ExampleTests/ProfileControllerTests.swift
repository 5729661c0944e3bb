import EventMVVM
import EventMVVMTesting
import Foundation
import Testing

@testable import todostream_profile

/// The controllers, over a web of a test's.
@Suite(.hangLimit) struct ProfileControllerTests {
  private static let gif: [UInt8] = Array("GIF89a".utf8) + [3, 0, 2, 0, 0, 0, 0]
  private static let other: [UInt8] = Array("GIF89a".utf8) + [5, 1, 2, 0, 0, 0, 0]

  private let folder: TestFolder
  private var folderURL: URL { URL(filePath: folder.path) }

  init() throws { folder = try TestFolder() }

  private func images(_ web: [String: [UInt8]], _ cache: DiskCache) -> WebImageController {
    WebImageController(web: ScriptedWeb(pages: web), cache: cache)
  }

  private func found(_ controller: WebImageController, at address: String?) async -> [String] {
    let seen = Locked<[String]>([])
    do {
      try await controller.images(at: address) { picture in
        seen.withLock { $0.append("\(picture.width)×\(picture.height)") }
      }
      return seen.withLock { $0 } + ["complete"]
    } catch {
      return seen.withLock { $0 } + [Failure(error).message]
    }
  }

  @Test func `S94 images come from the network, and then from the cache before`() async {
    let cache = DiskCache(folderURL)
    #expect(await found(images(["a": Self.gif], cache), at: "a") == ["3×2", "complete"])
    #expect(await found(images(["a": Self.other], cache), at: "a") == ["3×2", "261×2", "complete"])
  }

  @Test func `S94 a failing network is an error, behind what the cache has`() async {
    let cache = DiskCache(folderURL)
    _ = await found(images(["a": Self.gif], cache), at: "a")
    #expect(await found(images([:], cache), at: "a") == ["3×2", "There is nothing."])
    #expect(await found(images([:], cache), at: "b") == ["There is nothing."])
  }

  @Test func `S94 no address is ignored`() async {
    #expect(await found(images([:], DiskCache(folderURL)), at: nil) == ["complete"])
  }

  @Test func `S94 what is no image is not kept`() async {
    let cache = DiskCache(folderURL)
    let words = ["What is there is no image."]
    #expect(await found(images(["a": [1, 2, 3]], cache), at: "a") == words)
    #expect(cache.image(at: "a") == nil)
  }

  @Test func `S107 images are on disk by their addresses, for any cache in that folder`() throws {
    DiskCache(folderURL).keep([1, 1], at: "a")
    DiskCache(folderURL).keep([2], at: "b")
    DiskCache(folderURL).keep([3], at: "b")
    let next = DiskCache(folderURL)
    #expect(next.image(at: "a") == [1, 1])
    #expect(next.image(at: "b") == [3])
    #expect(next.image(at: "c") == nil)
    // A file that is of another address is none of this one.
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    try #require(files.count == 2)
    let (first, second) = (folder.path + "/" + files[0], folder.path + "/" + files[1])
    try FileManager.default.removeItem(atPath: first)
    try FileManager.default.moveItem(atPath: second, toPath: first)
    #expect(next.image(at: "a") == nil && next.image(at: "b") == nil)
  }

  @Test func `S107 the oldest images make room for others`() throws {
    let cache = DiskCache(folderURL, mostBytes: 10)
    cache.keep([1, 1, 1], at: "a")
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)],
      ofItemAtPath: folder.path + "/" + file
    )
    cache.keep([2, 2, 2], at: "b")
    #expect(cache.image(at: "a") == [1, 1, 1])
    cache.keep([3, 3], at: "c")
    #expect(cache.image(at: "a") == nil)
    #expect(cache.image(at: "b") == [2, 2, 2])
    #expect(cache.image(at: "c") == [3, 3])
  }

  @Test func `S94 the network controller sends the user, and completes`() async throws {
    let page = #"{"full_name":"Ann","friends_count":2,"avatar_url":null}"#
    let controller = WebNetworkController(web: ScriptedWeb(pages: ["s": Array(page.utf8)]))
    #expect(try await controller.user(at: "s") == User(name: "Ann", friends: 2, source: "s"))
  }

  @Test(
    arguments: [
      ("<html>", "The service does not answer with a user."),
      (#"{"full_name":"Ann"}"#, "The service does not answer with a user."),
      (
        #"{"full_name":"","friends_count":2}"#, "The service answers with a user that can't be."
      ),
      (
        #"{"full_name":"Ann","friends_count":-1}"#,
        "The service answers with a user that can't be."
      ),
    ])
  func `S94 what is no user is an error`(_ page: String, _ words: String) async {
    let controller = WebNetworkController(web: ScriptedWeb(pages: ["s": Array(page.utf8)]))
    await #expect(throws: Failure(.service, words)) { try await controller.user(at: "s") }
  }

  @Test(
    arguments: [
      ([], nil), ([0x89, 0x50], nil), (Array(gif.prefix(9)), nil), (gif, "3×2"),
      (
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
          + [0, 0, 1, 0, 0, 0, 0, 7], "256×7"
      ),
      (
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
          + [0, 0, 0xFF, 0xFF, 0, 0, 0, 7], "65535×7"
      ),
      (
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
          + [0, 1, 0, 0, 0, 0, 0, 7], nil
      ),
      (
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
          + [0, 0, 0, 7, 0xFF, 0xFF, 0xFF, 0xFF], nil
      ),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8, 0, 9, 0, 8, 3], "8×9"),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0xFF, 0xC4, 0, 0, 0, 0], nil),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0], nil),
    ] as [([UInt8], String?)]
  )
  func `S59 the size of an image is read off its first bytes`(_ bytes: [UInt8], _ size: String?) {
    #expect((try? Picture(bytes)).map { "\($0.width)×\($0.height)" } == size)
  }
}

/// A web that is known.
private struct ScriptedWeb: Web {
  let pages: [String: [UInt8]]

  func bytes(at address: String, atMost limit: Int) async throws -> [UInt8] {
    guard let page = pages[address] else { throw Failure(.service, "There is nothing.") }
    return page
  }
}
