/// The script by which a shell completes words.
///
/// It contains no words itself: it calls the program, so that it fits the plugins that are on, and
/// need not be generated again for the next version.
struct ShellScript {
  /// The script.
  let text: String

  /// Creates a script.
  ///
  /// - Parameters:
  ///   - shell: The shell.
  ///   - program: The name of the program.
  init(_ shell: Shell, program: String) {
    let template =
      switch shell {
      case .bash: Self.bash
      case .zsh: Self.zsh
      case .fish: Self.fish
      }
    text = template.replacing("PROGRAM", with: program)
  }

  /// Descriptions are listed and never inserted: the common part of several candidates ends before
  /// them, and where bash inserts one after the other (`COMP_TYPE` 37, 42) there are none.
  private static let bash = #"""
    # Completion of PROGRAM in bash. Made by: PROGRAM completions bash
    _PROGRAM() {
      local program=$1 answer kind= word summary
      local words=() described=()
      COMPREPLY=()
      case $program in "~/"*) program=$HOME/${program:2} ;; esac
      answer=$("$program" completions bash -- \
        "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null) || return 0
      while IFS=$'\t' read -r word summary; do
        if [[ -z $kind ]]; then
          kind=$word
        elif [[ -n $word ]]; then
          words+=("$word")
          described+=("$word${summary:+  ($summary)}")
        fi
      done <<<"$answer"
      if [[ $kind == files ]]; then compopt -o default 2>/dev/null; fi
      if ((${#words[@]} > 1)) && [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 ]]; then
        COMPREPLY=("${described[@]}")
      elif ((${#words[@]} > 0)); then
        COMPREPLY=("${words[@]}")
      fi
      if [[ ${#words[@]} == 1 && ${words[0]} == *: ]]; then compopt -o nospace 2>/dev/null; fi
    }
    complete -o nosort -F _PROGRAM PROGRAM 2>/dev/null || complete -F _PROGRAM PROGRAM

    """#

  private static let zsh = #"""
    #compdef PROGRAM
    # Completion of PROGRAM in zsh. Made by: PROGRAM completions zsh
    _PROGRAM() {
      local program=${(Q)words[1]/#\~\//$HOME/} begun=$PREFIX line word
      local -a before answer found shown suffix
      local -i width=0
      before=("${(@Q)words[2,CURRENT-1]}")
      if [[ $compstate[quote] != "'" ]]; then begun=${(Q)begun}; fi
      answer=("${(@f)$("$program" completions zsh -- "$before[@]" "$begun" 2>/dev/null)}")
      for line in "${(@)answer[2,-1]}"; do
        word=${line%%$'\t'*}
        found+=("$word")
        if ((${(m)#word} > width)); then width=${(m)#word}; fi
      done
      for line in "${(@)answer[2,-1]}"; do
        word=${line%%$'\t'*}
        if [[ $line == *$'\t'* ]]; then word="${(mr:width:)word}  -- ${line#*$'\t'}"; fi
        shown+=("$word")
      done
      if [[ $answer[1] == files ]]; then _files; fi
      if [[ $#found == 1 && $found[1] == *: ]]; then suffix=(-S ''); fi
      if (($#found)); then
        if [[ $answer[2] == *$'\t'* ]]; then
          compadd "$suffix[@]" -V PROGRAM -l -d shown -a found
        else
          compadd "$suffix[@]" -V PROGRAM -a found
        fi
      fi
    }
    if [[ $funcstack[1] == _PROGRAM ]]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi

    """#

  private static let fish = #"""
    # Completion of PROGRAM in fish. Made by: PROGRAM completions fish
    function __PROGRAM_candidates
        set -l words (commandline -opc)
        set -l token (commandline -ct)
        set -l begun (string unescape -- $token)
        or set begun (string replace -ra '[\'"]' '' -- $token)
        set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
        set -l answer ($program completions fish -- $words[2..] "$begun" 2>/dev/null)
        if test "$answer[1]" = files
            __fish_complete_path "$begun"
        end
        if set -q answer[2]
            # A word that begins with ~ would be inserted bare, and be a home folder then.
            string match -v -- '~*' $answer[2..]
        end
    end
    complete -c PROGRAM -k -f -a '(__PROGRAM_candidates)'

    """#
}
