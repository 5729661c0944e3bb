#!/usr/bin/env bash
# Domains of somebody else's beside the flagship, all built alike, and their records: the template's notes, of one field,
# the samples of the lab journal, of six, and todos, of eleven.
#
#   Benchmarks/records.sh NOTES LABJOURNAL TODOSTREAM [ROUNDS]
#
# Fails where a limit of instructions or bytes is missed; a time is printed, and judged by the reader.
set -euo pipefail
export LC_ALL=C
notes=$(realpath "${1:?the program of the template}")
labjournal=$(realpath "${2:?the program of the lab journal}")
todostream=$(realpath "${3:?the program}")
rounds=${4:-5}
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
adding() { if [ "$1" = labjournal ]; then of labjournal receive A7; else of "$1" add Buy milk; fi; }
listing() { of "$1" list --limit 10; }
showing() { of "$1" show 5; }
# Each round gives it another text; a sample is started as a todo is done.
changing() {
  case $1 in
  notes) of notes edit 5 "$(instant)" ;;
  labjournal) of labjournal start 7 ;;
  todostream) if [ "$beside" = notes ]; then of todostream edit 5 --title "$(instant)"; else of todostream "done" 7; fi ;;
  esac
}
instant() { echo "${EPOCHREALTIME/./}"; }
completing() { of "$1" completions zsh -- show 99; }
undoing() { of "$1" undo; }
starting() { of "$1" --version; }
# Lines that add so many records.
additions() {
  if [ "$1" = labjournal ]; then seq "$2" | sed 's/^/receive A/'; else seq "$2" | sed 's/^/add Note /'; fi
}
script() {
  rm -f "$1"-script.sqlite*
  "${!1}" --store "$1-script.sqlite" <"$1-script"
}
script_of_notes() { script notes; }
script_of_samples() { script labjournal; }
script_of_todos() { script todostream; }

limit() {
  local verdict
  verdict=$(awk -v is="$2" -v most="$3" 'BEGIN { print is == "-" ? "unknown" : is + 0 <= most ? "kept" : "MISSED" }')
  if [ "$verdict" = MISSED ]; then failed=1; fi
  printf '%-42s %9s %9s   %s\n' "$1" "$2" "$3" "$verdict"
}

for size in 10 100000; do
  for program in notes labjournal todostream; do
    additions "$program" "$size" >fill
    "${!program}" --store "$program-$size.sqlite" <fill >output
  done
  for beside in notes labjournal; do
    printf '\n%-22s %9s %9s %9s %9s\n' "million instructions" "$beside" "todos" "times" "at most"
    for what in starting adding listing showing changing completing undoing; do
      ours=$(instructions "$what" "$beside")
      theirs=$(instructions "$what" todostream)
      times=$(awk -v a="$ours" -v b="$theirs" 'BEGIN { if (b == "-") print "-"; else printf "%.2f", a / b }')
      verdict=$(awk -v is="$times" 'BEGIN { print is == "-" ? "unknown" : is <= 1.5 ? "kept" : "MISSED" }')
      [ "$verdict" != MISSED ] || failed=1
      printf '%-22s %9s %9s %9s %9s   %s\n' "$what, of $size" "$ours" "$theirs" "$times" 1.5 "$verdict"
    done
  done
done

echo
beside=notes
for program in notes labjournal; do
  limit "$program, a change of $size: megabytes at the peak" "$(peak_memory changing "$program")" 30
  limit "$program, ten of $size: megabytes at the peak" "$(peak_memory listing "$program")" 30
done
for program in notes labjournal todostream; do additions "$program" 10000 >"$program-script"; done
in_turn "$rounds" notes=script_of_notes samples=script_of_samples theirs=script_of_todos
for series in notes samples; do
  echo "a script of 10 000 $series: $(median "$series") ms, of todos $(median theirs) ms," \
    "times $(ratio "$series" theirs) in turn (2 at the most, told)"
done
exit "$failed"
