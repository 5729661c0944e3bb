#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The packages for editors, in the editors that they are for.
  @Suite(.hangLimit) struct EditorTests {
    /// Carries out a scenario; what it prints is the failure.
    private func run(_ scenario: String, _ editor: Editor) throws {
      let outcome = try editor.run(editor.folder.appending(path: scenario), in: Workplace())
      let printed = (outcome.errors + (editor == .vim ? [] : outcome.output)).suffix(60)
      #expect(outcome.status == 0, "\(printed.joined(separator: "\n"))")
    }

    @Test(arguments: Editor.vim.scenarios)
    func `in Vim each scenario goes as it says`(_ scenario: String) throws {
      try run(scenario, .vim)
    }

    @Test(arguments: Editor.neovim.scenarios)
    func `in Neovim each scenario goes as it says`(_ scenario: String) throws {
      try run(scenario, .neovim)
    }

    @Test(arguments: Editor.emacs.scenarios)
    func `in Emacs each scenario goes as it says`(_ scenario: String) throws {
      try run(scenario, .emacs)
    }

    @Test func `what is installed for Vim is switched on by one line, and has its help`() throws {
      let place = try Workplace()
      let root = Editor.vim.package.appending(path: "../..").standardizedFileURL
      let command = #"""
        make -s -C "$1" install-editors PREFIX="$PWD/prefix" >&2 &&
        exec timeout -k 5 90 vim -N -u NORC -i NONE -n --not-a-term \
          --cmd "set packpath+=$PWD/prefix/share/vim/vimfiles encoding=utf-8" \
          -S "$2/support.vim" -S "$2/keys-open-close-refresh-help.vim" -c 'call FinishScenario()'
        """#
      let outcome = try place.start(command, [root.path, Editor.vim.folder.path]).outcome()
      #expect(outcome.status == 0, "\(outcome.errors.joined(separator: "\n"))")
    }

    @Test func `a relative prefix is one from where make is, blanks and all`() throws {
      let place = try Workplace()
      let root = Editor.vim.package.appending(path: "../..").standardizedFileURL
      let command = #"""
        mkdir house && cd house && cp -R "$1/Makefile" "$1/Editors" . &&
        make -s install-editors PREFIX='my prefix' >&2 && find . -name todostream.el -o -name todostream.txt
        """#
      let outcome = try place.start(command, [root.path]).outcome()
      #expect(
        outcome.output.sorted() == [
          "./Editors/emacs/todostream.el",
          "./Editors/neovim/doc/todostream.txt",
          "./Editors/vim/doc/todostream.txt",
          "./my prefix/share/emacs/site-lisp/todostream.el",
          "./my prefix/share/nvim/site/pack/todostream/start/todostream/doc/todostream.txt",
          "./my prefix/share/vim/vimfiles/pack/todostream/start/todostream/doc/todostream.txt",
        ]
      )
    }

    @Test(arguments: Editor.allCases)
    func `each editor has scenarios`(_ editor: Editor) {
      #expect(!editor.scenarios.isEmpty)
    }

    @Test(
      arguments: [
        (Editor.vim, "vim", "call assert_equal(1, 2)", 1),
        (.vim, "vim", "call NoSuchFunction()", 1),
        (.vim, "vim", "qall!", 1),
        (.neovim, "lua", "error('no')", 1),
        (.neovim, "lua", "vim.cmd('qall!')", 1),
        (.emacs, "el", "(ert-deftest no () (should (= 1 2)))", 1),
        (.emacs, "el", "(ert-deftest no () (kill-emacs 0))", 1),
        (.emacs, "el", "(ert-deftest no () (signal-process (emacs-pid) 'SIGKILL))", 137),
        (.emacs, "el", "(setq no t)", 1),
      ])
    func `a scenario that fails is a failure`(
      _ editor: Editor,
      _ ending: String,
      _ text: String,
      _ status: Int32
    ) throws {
      let place = try Workplace()
      let scenario = place.folder.appending(path: "scenario.\(ending)")
      try Data((text + "\n").utf8).write(to: scenario)
      let outcome = try editor.run(scenario, in: place)
      #expect(outcome.status == status)
      #expect(outcome.errors != [])
    }

    @Test(arguments: Editor.allCases)
    func `an editor that is not there is a failure`(_ editor: Editor) throws {
      let place = try Workplace()
      let scenario = editor.folder.appending(path: editor.scenarios.first ?? "none")
      _ = try place.start("mkdir bin && ln -s /bin/sh /usr/bin/timeout bin/").outcome()
      #expect(
        try editor.run(scenario, in: place, variables: ["PATH": place.folder.path + "/bin"])
          .status == 127
      )
    }
  }
#endif
