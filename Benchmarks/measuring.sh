# Measuring whole processes; sourced by the scripts beside it.
#
# What is measured is a function that is given the number of the round. Times are microseconds, one a
# line in a file of the series' name; a file lives in the folder that the caller has changed to.

# Runs several series in turn, A B A B …, so that what else the machine does meets all of them alike.
#
#   in_turn ROUNDS SERIES=FUNCTION …
in_turn() {
  local rounds=$1 round pair
  shift
  for pair in "$@"; do rm -f "${pair%%=*}"; done
  for ((round = 1; round <= rounds; round++)); do
    for pair in "$@"; do microseconds "${pair#*=}" "$round" >>"${pair%%=*}"; done
  done
}

microseconds() {
  local start=${EPOCHREALTIME/./}
  "$@" </dev/null >output
  local end=${EPOCHREALTIME/./}
  echo $((end - start))
}

minimum() { sort -n "$1" | head -n 1 | in_milliseconds; }
median() { middle <"$1" | in_milliseconds; }
in_milliseconds() { awk '{ printf "%.2f", $1 / 1000 }'; }
middle() { sort -g | awk '{ a[NR] = $1 } END { print (a[int((NR + 1) / 2)] + a[int(NR / 2) + 1]) / 2 }'; }

# The median of what each round says of two series: ratio FIRST SECOND
ratio() { paste "$1" "$2" | awk '{ print $1 / $2 }' | middle | awk '{ printf "%.2f", $1 }'; }

# Millions of instructions that a function's process takes, which no other load disturbs.
#
# A dash on macOS, for which there is no valgrind.
instructions() {
  [ "$(uname -s)" = Linux ] || { echo -; return; }
  under=(valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file=valgrind.log)
  "$@" </dev/null >output || { cat valgrind.log >&2; exit 1; }
  under=()
  awk '/Collected/ { printf "%.2f", $NF / 1e6 }' valgrind.log
}

# Megabytes (of 10^6) that a function's process had in memory at the most.
peak_memory() {
  case "$(uname -s)" in
  Linux) under=(/usr/bin/time -f '%M 1024' -o memory.log) ;;
  Darwin) under=(/usr/bin/time -l -o memory.log) ;;
  esac
  "$@" </dev/null >output
  under=()
  awk '/maximum resident/ { print $1, 1 } NF == 2 && $2 == 1024' memory.log |
    awk '{ printf "%.1f", $1 * $2 / 1e6 }'
}

# Whether a limit was missed that fails.
failed=0

# Prints whether a value is within a limit: limit NAME VALUE MOST fails|tells
limit() {
  local verdict
  verdict=$(awk -v is="$2" -v most="$3" 'BEGIN { print is == "-" ? "unknown" : is + 0 <= most ? "kept" : "MISSED" }')
  if [ "$verdict" = MISSED ] && [ "$4" = fails ]; then failed=1; fi
  printf '%-66s %9s %9s   %s\n' "$1" "$2" "$3" "$verdict"
}

# Nothing is left out because a tool is missing.
need() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { echo "$tool is missing; install the package ${tool##*/}" >&2; exit 1; }
  done
}

# What measured functions put before their program: nothing, valgrind or time.
under=()
