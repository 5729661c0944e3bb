#!/usr/bin/env bash
# The program beside the sqlite3 shell doing the same and, where it is installed, Taskwarrior 2.
#
#   Benchmarks/application.sh PROGRAM [ROUNDS]
#
# The peer works on a copy of our own store, so on the same schema and journal mode, with the same
# synchronisation: what it lacks is the work that is no SQL. Fails where one of the limits at the end
# is missed that counts instructions or bytes; a time is printed and judged by the reader, since a busy
# machine must not fail a build.
set -euo pipefail
export LC_ALL=C
todostream=$(realpath "${1:?the program}")
rounds=${2:-20}
sizes=(10 10000 100000)
source "$(dirname "$0")/measuring.sh"
need sqlite3 /usr/bin/time
[ "$(uname -s)" != Linux ] || need valgrind

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# MARK: What is done

ours() { "${under[@]}" "$todostream" --store "ours-$size.sqlite" "$@"; }
theirs() { "${under[@]}" sqlite3 "$@"; }
taskwarrior() { task rc:taskwarrior-"$size"/rc "$@"; }

columns="_number, uuid, createdAt, title, subtitle, priority, completedAt, deleted, due, tags, project, _revision"
newest="SELECT $columns FROM record_todo WHERE deleted = 0 ORDER BY createdAt DESC, _number DESC"
now="CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
# As long as a UUID, and as unlikely to come twice.
uuid="lower(hex(randomblob(18)))"

ours_start() { ours --version; }
theirs_start() { theirs --version; }
taskwarrior_start() { task --version; }

ours_ten() { ours list --sort created --limit 10 --all; }
theirs_ten() { theirs "theirs-$size.sqlite" "$newest LIMIT 10"; }
taskwarrior_ten() { taskwarrior limit:10 list; }

ours_all() { ours --json list --all; }
theirs_all() { theirs -json "theirs-$size.sqlite" "$newest"; }
taskwarrior_all() { taskwarrior export; }

ours_add() { ours add Buy milk --tag home; }
theirs_add() {
  theirs "theirs-$size.sqlite" "
    PRAGMA synchronous = FULL;
    BEGIN IMMEDIATE;
    INSERT INTO record_todo ($columns, _text)
      SELECT NULL, $uuid, $now, 'Buy milk', '', 0, NULL, 0, NULL, '[\"home\"]', NULL,
        max(revision) + 1, 'buy milk' || char(10) FROM change;
    INSERT INTO change (revision, record, kind, before, after, session, root, origin, at)
      SELECT max(revision) + 1, last_insert_rowid(), 'todo', NULL,
        '{\"title\":\"Buy milk\",\"tags\":[\"home\"]}', 1, 1, 'cli', $now FROM change;
    COMMIT;"
}
taskwarrior_add() { taskwarrior add Buy milk +home; }

# One todo more in each round: what is done already would not be written.
ours_done() { ours "done" "$1"; }
theirs_done() {
  theirs "theirs-$size.sqlite" "
    PRAGMA synchronous = FULL;
    BEGIN IMMEDIATE;
    SELECT $columns FROM record_todo WHERE _number = $1;
    UPDATE record_todo SET completedAt = $now, _revision = (SELECT max(revision) + 1 FROM change)
      WHERE _number = $1;
    INSERT INTO change (revision, record, kind, before, after, session, root, origin, at)
      SELECT max(revision) + 1, $1, 'todo', '{\"completedAt\":null}', '{\"completedAt\":' || $now || '}',
        1, 1, 'cli', $now FROM change;
    COMMIT;"
}
taskwarrior_done() { taskwarrior "$1" "done"; }

ours_script() {
  rm -f script.sqlite*
  "$todostream" --quiet --store script.sqlite run "script-$size.todo"
}
theirs_script() {
  cp empty.sqlite script-theirs.sqlite
  sqlite3 script-theirs.sqlite ".read rows.sql"
}
taskwarrior_script() {
  rm -f "taskwarrior-$size"/*.data
  taskwarrior import "script-$size.json" 2>/dev/null
}

# MARK: What it is done to

write_scripts() {
  awk -v n="$size" 'BEGIN {
    for (i = 1; i <= n; i++)
      printf "add \"Buy milk number %d\" --due 2026-12-%02d --tag home --priority high --project errands\n", i, i % 28 + 1
  }' >"script-$size.todo"
  awk -v n="$size" 'BEGIN {
    for (i = 1; i <= n; i++) {
      printf "%s{\"uuid\":\"%08x-0000-4000-8000-%012x\",\"status\":\"pending\",", i == 1 ? "[" : ",\n", i, i
      printf "\"entry\":\"20261120T100000Z\",\"description\":\"Buy milk number %d\",", i
      printf "\"due\":\"202612%02dT000000Z\",\"tags\":[\"home\"],\"priority\":\"H\",\"project\":\"errands\"}", i % 28 + 1
    }
    print "]"
  }' >"script-$size.json"
}

make_stores() {
  ours --quiet run "script-$size.todo"
  cp "ours-$size.sqlite" "theirs-$size.sqlite"
  $has_taskwarrior || return 0
  mkdir "taskwarrior-$size"
  printf '%s\n' "data.location=$folder/taskwarrior-$size" confirmation=off verbose=nothing hooks=off \
    recurrence=off report.list.sort=entry- >"taskwarrior-$size/rc"
  taskwarrior_script >/dev/null
}

# An empty store of ours, and the rows of our script as statements.
prepare_rows() {
  ours_script
  sqlite3 script.sqlite ".schema --nosys" >schema.sql
  sqlite3 empty.sqlite "PRAGMA journal_mode = WAL" ".read schema.sql" >/dev/null
  {
    echo "PRAGMA synchronous = FULL;"
    echo "BEGIN IMMEDIATE;"
    # The labels follow by the triggers of the schema.
    for table in record_todo change step; do
      sqlite3 script.sqlite ".mode insert $table" "SELECT * FROM $table"
    done
    echo "COMMIT;"
  } >rows.sql
}

# MARK: The tables

has_taskwarrior=false
taskwarrior_is="not installed"
if command -v task >/dev/null; then
  version=$(task --version)
  taskwarrior_is=$version
  # Version 3 needs hours to import 100 000.
  case $version in 2.*) has_taskwarrior=true ;; *) taskwarrior_is="$version, left out" ;; esac
fi

head_of_table() {
  printf '\n%-32s %17s %17s %7s %17s %9s %9s\n' "$size todos, milliseconds" \
    "todostream" "sqlite3" "ratio" "Taskwarrior" "todostr." "sqlite3"
  printf '%-32s %17s %17s %7s %17s %9s %9s\n' "" \
    "min    median" "min    median" "" "min    median" "M instr." "M instr."
}

# row NAME ROUNDS KIND, with the functions ours_KIND, theirs_KIND, taskwarrior_KIND
row() {
  local name=$1 rounds=$2 kind=$3 peer="-" counted="- -"
  in_turn "$rounds" ours="ours_$kind" theirs="theirs_$kind"
  if $has_taskwarrior; then
    # Seconds each at 100 000, so few.
    in_turn 3 taskwarrior="taskwarrior_$kind"
    peer=$(times taskwarrior)
  fi
  # A script's instructions would take minutes, and its time is long enough to be trusted.
  [ "$kind" = script ] ||
    counted="$(instructions "ours_$kind" $((rounds + 1))) $(instructions "theirs_$kind" $((rounds + 1)))"
  printf '%-32s %17s %17s %7s %17s %9s %9s\n' "$name" "$(times ours)" "$(times theirs)" \
    "$(ratio ours theirs)" "$peer" $counted
  cp ours "ours_$kind-$size"
  cp theirs "theirs_$kind-$size"
  echo "${counted% *}" >"instructions_$kind-$size"
}

times() { printf '%8s %8s' "$(minimum "$1")" "$(median "$1")"; }

table() {
  write_scripts
  make_stores
  head_of_table
  row "start (--version)" "$rounds" start
  row "list --limit 10" "$rounds" ten
  row "list --json, everything" $((rounds / 4 + 1)) all
  row "add" "$rounds" add
  row "done" "$rounds" "done"
}

# The same bytes in the end, or the two did not do the same work.
compare_stores() {
  local what="SELECT count(*), sum(length(title)), count(completedAt), (SELECT max(revision) FROM change),
    (SELECT count(*) FROM \"record_todo.tags\") FROM record_todo"
  cmp <(sqlite3 "$1" "$what") <(sqlite3 "$2" "$what")
}

# MARK: The limits

at_ten() { local size=10; "$@"; }
at_most() { local size=100000; "$@"; }
add_to_ten() { at_ten ours_add; }
add_to_most() { at_most ours_add; }
done_of_ten() { at_ten ours_done $(($1 + rounds + 1)); }
done_of_most() { at_most ours_done $(($1 + rounds + 1)); }

# Each takes back the addition before it.
undo_of_most() { at_most ours undo; }
script_of_most() { at_most ours_script; }
undo_script() { "${under[@]}" "$todostream" --quiet --store script.sqlite undo; }
history_of_one_step() { "${under[@]}" "$todostream" --store script.sqlite history; }
history_of_many_steps() { "${under[@]}" "$todostream" --store steps.sqlite history; }

complete_reference() { at_most ours completions zsh -- show ""; }
complete_tag() { at_most ours completions zsh -- list --tag ""; }

# Of the store that a script has made, one with a step for each of its lines.
make_steps() {
  at_most ours_script
  cp script.sqlite steps.sqlite
  sqlite3 steps.sqlite "
    UPDATE change SET root = revision;
    DELETE FROM step;
    INSERT INTO step SELECT revision, session, revision, origin, at, 0, NULL, 0 FROM change;"
}

limits_of_undo() {
  local most=${sizes[-1]}
  in_turn "$rounds" adding=add_to_most undoing=undo_of_most
  limit "undo: times an add" "$(ratio undoing adding)" 2 tells
  add_to_most >/dev/null
  limit "undo: million instructions" "$(instructions undo_of_most)" 20 fails
  in_turn 3 adding=script_of_most undoing=undo_script
  limit "undo of a script of $most lines: times the script" "$(ratio undoing adding)" 1 tells
  make_steps
  in_turn "$rounds" one=history_of_one_step many=history_of_many_steps
  limit "history, $most steps: milliseconds" "$(median many)" 20 tells
  limit "history, $most steps: million instructions" "$(instructions history_of_many_steps)" 25 fails
  limit "history, a step of $most changes: milliseconds" "$(median one)" 60 tells
  limit "history, a step of $most changes: million instructions" \
    "$(instructions history_of_one_step)" 120 fails
}

limits() {
  local most=${sizes[-1]}
  in_turn "$rounds" small=add_to_ten large=add_to_most
  local adding completing
  adding=$(ratio large small)
  in_turn "$rounds" small=done_of_ten large=done_of_most
  completing=$(ratio large small)
  printf '\n%-66s %9s %9s\n' "limits, with $most todos unless said" "is" "at most"
  limit "add: times the same on ten" "$adding" 1.5 tells
  limit "done: times the same on ten" "$completing" 1.5 tells
  limit "list --limit 10: million instructions" "$(cat "instructions_ten-$most")" 15 fails
  limit "list --limit 10: times sqlite3" "$(ratio "ours_ten-$most" "theirs_ten-$most")" 2.5 tells
  limit "list --json, everything: times sqlite3 -json" "$(ratio "ours_all-$most" "theirs_all-$most")" 3 tells
  limit "list --json, everything: megabytes at the peak" "$(at_most peak_memory ours_all)" 60 fails
  limit "completing a todo in a shell: million instructions" "$(instructions complete_reference)" 60 fails
  limit "completing a tag in a shell: million instructions" "$(instructions complete_tag)" 30 fails
  limits_of_undo
}

echo "todostream beside sqlite3 $(sqlite3 --version | cut -d ' ' -f 1); Taskwarrior: $taskwarrior_is."
echo "In turn, $rounds rounds; a ratio is the median of the rounds' ratios."
for size in "${sizes[@]}"; do
  table
  compare_stores "ours-$size.sqlite" "theirs-$size.sqlite"
done
prepare_rows
row "script of $size lines" 3 script
compare_stores script.sqlite script-theirs.sqlite
limits
exit "$failed"
