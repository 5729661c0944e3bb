import Foundation
import ProcessTesting

/// An editor that is driven without a person: with the shipped package, against the built server.
///
/// A scenario is a file in the editor's own language, in the folder of the editor's name beside
/// this one. It ends the editor with exit status 0, or prints what failed and ends it with another.
enum Editor: String, CaseIterable {
  case vim, neovim, emacs

  /// What carries out a scenario: `$1` is the shipped package, `$2` the folder of scenarios, `$3`
  /// the scenario.
  ///
  /// Nothing of the user's or the system's configuration is read. Vim has a screen, which goes to a
  /// file; its scenarios print to the standard error.
  private var command: String {
    switch self {
    case .vim:
      #"""
      timeout -k 5 $((90 * ${EVENTMVVM_PATIENCE:-1})) vim -N -u NORC -i NONE -n --not-a-term \
        --cmd "set runtimepath^=$1 encoding=utf-8" --cmd 'filetype plugin on' --cmd 'syntax on' \
        -S "$2/support.vim" -S "$3" -c 'call FinishScenario()'
      """#
    case .neovim:
      #"""
      timeout -k 5 $((90 * ${EVENTMVVM_PATIENCE:-1})) nvim --headless --clean -n --cmd "set runtimepath^=$1" \
        --cmd "lua package.path = [[$2/?.lua;]] .. package.path" \
        -c "luafile $3" -c "cquit"
      """#
    case .emacs:
      // Unlike one that shows something, an Emacs in a script dies by writing to a server that has
      // ended.
      #"""
      trap '' PIPE
      timeout -k 5 $((90 * ${EVENTMVVM_PATIENCE:-1})) emacs -Q --batch -L "$1" -L "$2" -l ert -l "$3" -l "$2/run.el"
      """#
    }
  }

  /// The shell's line.
  ///
  /// Each editor can end with 0 before its scenario has; that leaves a file at its end.
  private var line: String {
    command + #"""

      status=$?
      [ $status != 0 ] || [ -e "$HOME/finished" ] ||
        { echo 'The editor has ended before its scenario' >&2; status=1; }
      exit $status
      """#
  }

  /// What the names of files with scenarios end with.
  private var ending: String {
    switch self {
    case .vim: ".vim"
    case .neovim: ".lua"
    case .emacs: "-tests.el"
    }
  }

  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

  /// The names of its scenarios; `support…` is what they share.
  var scenarios: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(ending) && !$0.hasPrefix("support") }.sorted()
  }

  /// The folder of its scenarios.
  var folder: URL { Self.tests.appending(path: rawValue) }

  /// The package that is shipped for it.
  var package: URL {
    Self.tests.appending(path: "../../Editors/\(rawValue)").standardizedFileURL
  }

  /// Has it carry out a scenario, for at most a minute and a half.
  ///
  /// It finds an empty home and store, and the built program as `todostream`.
  func run(
    _ scenario: URL,
    in place: Workplace,
    variables: [String: String] = [:]
  ) throws -> Job.Outcome {
    let words = [package.path, folder.path, scenario.path]
    return try place.start(line, words, variables: variables).outcome()
  }
}
