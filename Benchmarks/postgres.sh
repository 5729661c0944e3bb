#!/usr/bin/env bash
# The program on a list in PostgreSQL, beside psql doing the same on a list of its own.
#
#   Benchmarks/postgres.sh PROGRAM [ROUNDS]
#
# Both use one server, in a folder of its own and with the settings that PostgreSQL comes with, through a socket: what psql
# lacks is the work that is no SQL. Fails where a limit of bytes is missed; a time is printed, and judged by the reader,
# since a busy machine must not fail a build.
set -euo pipefail
export LC_ALL=C
todostream=$(realpath "${1:?the program}")
rounds=${2:-20}
sizes=(10 100000)
source "$(dirname "$0")/measuring.sh"
need /usr/bin/time python3
binaries=$(find /usr/lib/postgresql -path '*/bin/initdb' -printf '%h\n' 2>/dev/null | sort -V | tail -n 1)
# Not what the distribution has in the path, which chooses a version first and takes longer than the rest.
[ -n "$binaries" ] || { echo "initdb is missing; install the package postgresql" >&2; exit 1; }

# MARK: The server

# PostgreSQL refuses to run as root.
as=()
folder=$(mktemp -d)
if [ "$(id -u)" = 0 ]; then
  as=(runuser -u postgres --)
  chown postgres "$folder"
fi
cd "$folder"
stop() {
  "${as[@]}" "$binaries/pg_ctl" -D "$folder/data" -s -m immediate stop || true
  cd /
  rm -rf "$folder"
}
trap stop EXIT
"${as[@]}" "$binaries/initdb" -D "$folder/data" -A trust -U test -E UTF8 --locale=C.UTF-8 >/dev/null
"${as[@]}" "$binaries/pg_ctl" -D "$folder/data" -s -w -l "$folder/log" \
  -o "-c listen_addresses='' -k $folder" start </dev/null
export HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_DATA_HOME=$folder/data-home XDG_STATE_HOME=$folder/state
address="postgresql://test@/postgres?host=$folder"

# MARK: What is done

# To a list, by its name: `on ours_10 list`.
on() {
  local list=$1
  shift
  "${under[@]}" "$todostream" --store "$address#$list" "$@"
}
# Statements about a list, whose tables they name without its schema.
say() {
  local list=$1
  shift
  PGOPTIONS="-c search_path=$list" "${under[@]}" "$binaries/psql" -X -q -A -t -v ON_ERROR_STOP=1 "$@" "$address"
}

now="(extract(epoch from now()) * 1000)::bigint"
instant="to_char(to_timestamp(\"createdAt\" / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"

ours_add() { on "ours_$size" add Buy milk --tag home; }
# One message to the server, and so one round trip.
theirs_add() {
  say "theirs_$size" -c "
    BEGIN;
    UPDATE counter SET revision = revision + 1, number = number + 1, session = 1, root = revision + 1;
    INSERT INTO record_todo (_number, _revision, _text, uuid, \"createdAt\", title, subtitle, priority, deleted, tags)
      SELECT number, revision, 'buy milk' || chr(10), gen_random_uuid()::text, $now, 'Buy milk', '', 0, 0, '[\"home\"]'
      FROM counter;
    INSERT INTO change (revision, record, kind, before, after, session, root, origin, at)
      SELECT revision, number, 'todo', NULL, '{\"title\":\"Buy milk\",\"tags\":[\"home\"]}', 1, root, 'cli', $now FROM counter;
    INSERT INTO step (number, session, root, origin, at, kind, undoes, \"isTakenBack\")
      SELECT revision, 1, root, 'cli', $now, 0, NULL, 0 FROM counter;
    NOTIFY theirs_$size;
    COMMIT;"
}

# One todo more in each round: what is done already would not be written.
ours_done() { on "ours_$size" "done" "$1"; }

ours_list() { on "ours_$size" --json list --all; }
# The members and the order of ours, as one JSON value.
theirs_list() {
  say "ours_$size" -c "
    SELECT json_agg(todo) FROM (
      SELECT _number AS id, uuid, title, subtitle, CASE priority WHEN 1 THEN 'high' ELSE 'normal' END AS priority,
        \"completedAt\" IS NOT NULL AS complete, \"completedAt\", $instant AS \"createdAt\", deleted <> 0 AS deleted, due,
        tags::json AS tags, project, _revision AS revision
      FROM record_todo WHERE deleted = 0 ORDER BY record_todo.\"createdAt\" DESC, _number DESC
    ) todo;"
}

# Each round has a list of its own, which was made before.
ours_script() { on "script_$1" --quiet run "script.todo"; }
theirs_script() { insert_rows "rows_$1"; }
insert_rows() { say "$1" --single-transaction -f rows.sql; }

# MARK: What it is done to

write_script() {
  awk -v n="$1" 'BEGIN {
    for (i = 1; i <= n; i++)
      printf "add \"Buy milk number %d\" --due 2026-12-%02d --tag home --priority high --project errands\n", i, i % 28 + 1
  }' >script.todo
}
make_list() { "$todostream" --quiet store init "$address#$1"; }

# The rows that the program has stored, an INSERT each, without those that the triggers add.
prepare_rows() {
  "${as[@]}" "$binaries/pg_dump" -h "$folder" -U test -n "$1" --data-only --inserts -T "$1.counter" -T "$1.declaration" \
    -T "$1.\"record_todo.tags\"" postgres |
    sed -e '/^SET /d' -e '/^SELECT pg_catalog/d' -e '/^--/d' -e "s/^INSERT INTO $1\./INSERT INTO /" >rows.sql
  echo "UPDATE counter SET (revision, number, session, root) = (SELECT revision, revision, session, root FROM change
    ORDER BY revision DESC LIMIT 1);" >>rows.sql
}

# The same rows in the end, or the two did not do the same work.
compare_lists() {
  local what="SELECT count(*), sum(length(title)), count(due), count(project), (SELECT max(revision) FROM change),
    (SELECT count(*) FROM step), (SELECT count(*) FROM \"record_todo.tags\"),
    (SELECT (revision, number) FROM counter) FROM record_todo"
  cmp <(say "$1" -c "$what") <(say "$2" -c "$what")
}

# The same JSON.
compare_answers() { cmp <(ours_list | python3 -m json.tool) <(theirs_list | python3 -m json.tool); }

# MARK: The table

row() {
  printf '%-40s %9s %9s %9s %9s %7s\n' "$1" "$(minimum "$2")" "$(median "$2")" "$(minimum "$3")" "$(median "$3")" \
    "$(ratio "$2" "$3")"
}

echo "todostream beside $("$binaries/psql" --version)."
echo "In turn, $rounds rounds; a ratio is the median of the rounds' ratios."
printf '\n%-40s %19s %19s %7s\n' milliseconds todostream psql ratio
printf '%-40s %9s %9s %9s %9s\n' "" min median min median
for size in "${sizes[@]}"; do
  write_script "$size"
  make_list "ours_$size"
  make_list "theirs_$size"
  on "ours_$size" --quiet run script.todo
  prepare_rows "ours_$size"
  insert_rows "theirs_$size"
done
say postgres -c "VACUUM ANALYZE"
for size in "${sizes[@]}"; do
  in_turn "$rounds" "ours_add_$size"=ours_add "theirs_add_$size"=theirs_add
  row "add, of $size" "ours_add_$size" "theirs_add_$size"
  compare_lists "ours_$size" "theirs_$size"
done
compare_answers
in_turn $((rounds / 4 + 1)) ours_list=ours_list theirs_list=theirs_list
row "list --json, all of $size" ours_list theirs_list
for round in 1 2; do for list in "script_$round" "rows_$round"; do make_list "$list"; done; done
in_turn 2 ours_script=ours_script theirs_script=theirs_script
row "script of $size additions" ours_script theirs_script
for round in 1 2; do compare_lists "script_$round" "rows_$round"; done

# MARK: The limits

at_ten() { local size=10; "$@"; }
add_to_ten() { at_ten ours_add; }
add_to_most() { ours_add; }
done_of_ten() { at_ten ours_done "$1"; }
done_of_most() { ours_done "$1"; }

printf '\n%-66s %9s %9s\n' "limits, with $size todos unless said" is "at most"
for size in "${sizes[@]}"; do
  limit "add to $size: times psql" "$(ratio "ours_add_$size" "theirs_add_$size")" 1.5 tells
done
limit "list --json: times psql's JSON" "$(ratio ours_list theirs_list)" 1.5 tells
limit "list --json: megabytes at the peak" "$(peak_memory ours_list)" 50 fails
limit "a script of $size additions: times psql, an INSERT a row" "$(ratio ours_script theirs_script)" 3 tells
in_turn "$rounds" small=add_to_ten large=add_to_most
limit "add: times the same on ten" "$(ratio large small)" 1.5 tells
in_turn "$rounds" small=done_of_ten large=done_of_most
limit "done: times the same on ten" "$(ratio large small)" 1.5 tells
exit "$failed"
