import Platform
import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// Which files are used though no command names them.
@Suite(.hangLimit) final class TrustTests {
  private let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    .appending(path: "trust-\(UUID().uuidString)").path
  private let file: String

  init() throws {
    file = folder + "/inner/file"
    try FileManager.default.createDirectory(
      atPath: folder + "/inner",
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755]
    )
    try Data("x".utf8).write(to: URL(filePath: file))
    try #require(chmod(folder, 0o755) == 0 && chmod(file, 0o644) == 0)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `what belongs to the user, and nobody else can write to, is used`() {
    #expect(Trust.doubt(aboutFile: file) == nil)
    #expect(Trust.doubt(aboutFolder: folder) == nil)
  }

  @Test func `what is no file, or not there, is not`() {
    #expect(Trust.doubt(aboutFile: folder) == "it is no ordinary file.")
    #expect(Trust.doubt(aboutFile: "/dev/null") == "it is no ordinary file.")
    #expect(Trust.doubt(aboutFile: file + "x") == "No such file or directory.")
    #expect(Trust.doubt(aboutFolder: file + "x") == "No such file or directory.")
  }

  @Test func `a folder that is open to all keeps what is in it only with the sticky bit`() {
    chmod(folder, 0o777)
    #expect(
      Trust.doubt(aboutFile: file)
        == "other users can change '\(folder)', through which the way to it leads; "
        + "'chmod go-w' forbids that."
    )
    chmod(folder, 0o1777)
    #expect(Trust.doubt(aboutFile: file) == nil)
    #expect(
      Trust.doubt(aboutFolder: folder)
        == "other users can change that folder; 'chmod go-w' forbids that."
    )
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files to any group"))
  func `a group may write that is the user's own, and no other`() throws {
    chmod(file, 0o664)
    let own = try #require(getpwuid(geteuid())).pointee.pw_gid
    try #require(chown(file, uid_t.max, own) == 0)
    #expect(Trust.doubt(aboutFile: file) == nil)
    try #require(chown(file, uid_t.max, 65534) == 0)
    #expect(Trust.doubt(aboutFile: file) == "other users can change it; 'chmod go-w' forbids that.")
  }

  #if os(Linux)
    @Test(.enabled(if: geteuid() == 0, "not every user has a group of their own"))
    func `an access list that names another user is no group of the user's own`() throws {
      chmod(file, 0o664)
      try #require(Trust.doubt(aboutFile: file) == nil)
      // As `setfacl -m u:65534:rw` does it: a version, then a tag, rights and a number each
      // (acl(5)).
      let script = """
        import os, struct, sys
        entries = [(1, 6, -1), (2, 6, 65534), (4, 4, -1), (16, 6, -1), (32, 4, -1)]
        value = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
        os.setxattr(sys.argv[1], "system.posix_acl_access", value)
        """
      let place = try Workplace()
      let made = try place.start(#"exec python3 -c "$1" "$2""#, [script, file])
      #expect(try made.outcome() == .init())
      #expect(
        Trust.doubt(aboutFile: file) == "other users can change it; 'chmod go-w' forbids that."
      )
    }
  #endif

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func `a link of another user is not followed`() throws {
    let link = folder + "/link"
    try #require(symlink(folder + "/inner", link) == 0)
    #expect(Trust.doubt(aboutFile: link + "/file") == nil)
    try #require(lchown(link, 65534, gid_t.max) == 0)
    #expect(
      Trust.doubt(aboutFile: link + "/file")
        == "'\(link)', which the way to it follows, belongs to another user; "
        + "make a link of your own."
    )
  }
}
