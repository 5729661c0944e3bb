#!/usr/bin/env bash
# A user's domain beside the flagship, both built alike, and both records: the template's notes, of one field, and todos,
# of eleven.
#
#   Benchmarks/records.sh NOTES TODOSTREAM [ROUNDS]
#
# Fails where a limit of instructions or bytes is missed; a time is printed, and judged by the reader.
set -euo pipefail
export LC_ALL=C
notes=$(realpath "${1:?the program of the template}")
todostream=$(realpath "${2:?the program}")
rounds=${3:-5}
source "$(dirname "$0")/measuring.sh"
need /usr/bin/time
[ "$(uname -s)" != Linux ] || need valgrind

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_DATA_HOME=$folder/data XDG_STATE_HOME=$folder/state
under=()
failed=0

# What is done, to either program: `of notes add Buy milk`.
of() {
  local program=$1
  shift
  "${under[@]}" "${!program}" --store "$program-$size.sqlite" "$@"
}
adding() { of "$1" add Buy milk; }
listing() { of "$1" list --limit 10; }
showing() { of "$1" show 5; }
# Each round gives it another text.
editing() { if [ "$1" = notes ]; then of notes edit 5 "$(instant)"; else of todostream edit 5 --title "$(instant)"; fi; }
instant() { echo "${EPOCHREALTIME/./}"; }
completing() { of "$1" completions zsh -- show 99; }
undoing() { of "$1" undo; }
starting() { of "$1" --version; }
script_of_notes() { rm -f notes-script.sqlite*; "$notes" --store notes-script.sqlite <script; }
script_of_todos() { rm -f todos-script.sqlite*; "$todostream" --store todos-script.sqlite <script; }

limit() {
  local verdict
  verdict=$(awk -v is="$2" -v most="$3" 'BEGIN { print is == "-" ? "unknown" : is + 0 <= most ? "kept" : "MISSED" }')
  if [ "$verdict" = MISSED ]; then failed=1; fi
  printf '%-42s %9s %9s   %s\n' "$1" "$2" "$3" "$verdict"
}

for size in 10 100000; do
  seq "$size" | sed 's/^/add Note /' >fill
  for program in notes todostream; do "${!program}" --store "$program-$size.sqlite" <fill >output; done
  printf '\n%-22s %9s %9s %9s %9s\n' "million instructions" "notes" "todos" "times" "at most"
  for what in starting adding listing showing editing completing undoing; do
    ours=$(instructions "$what" notes)
    theirs=$(instructions "$what" todostream)
    times=$(awk -v a="$ours" -v b="$theirs" 'BEGIN { if (b == "-") print "-"; else printf "%.2f", a / b }')
    verdict=$(awk -v is="$times" 'BEGIN { print is == "-" ? "unknown" : is <= 1.5 ? "kept" : "MISSED" }')
    [ "$verdict" != MISSED ] || failed=1
    printf '%-22s %9s %9s %9s %9s   %s\n' "$what, of $size" "$ours" "$theirs" "$times" 1.5 "$verdict"
  done
done

echo
limit "an edit of $size: megabytes at the peak" "$(peak_memory editing notes)" 30
limit "ten of $size: megabytes at the peak" "$(peak_memory listing notes)" 30
seq 10000 | sed 's/^/add Note /' >script
in_turn "$rounds" ours=script_of_notes theirs=script_of_todos
echo "a script of 10 000 additions: $(median ours) ms, of todos $(median theirs) ms," \
  "times $(ratio ours theirs) in turn (2 at the most, told)"
exit "$failed"
