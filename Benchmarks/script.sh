#!/usr/bin/env bash
# A script of 100 000 lines, each a full trip over the stream, beside the sqlite3 shell writing the
# same rows in one transaction with the same synchronisation. In turn, and the ratio run by run.
set -euo pipefail
todostream=${1:?the program}
lines=${2:-100000}
rounds=${3:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

awk -v n="$lines" 'BEGIN {
  for (i = 1; i <= n; i++)
    printf "add \"Buy milk number %d\" --due 2026-12-%02d --tag home --priority high --project errands\n", i, i % 28 + 1
}' > script.todo

"$todostream" --quiet --store first.sqlite run script.todo
sqlite3 first.sqlite .schema > schema.sql
{
  echo "PRAGMA synchronous = FULL;"
  echo "BEGIN IMMEDIATE;"
  for table in todo tag change; do
    sqlite3 first.sqlite ".mode insert $table" "SELECT * FROM $table"
  done
  echo "COMMIT;"
} > rows.sql

seconds() { local start=$EPOCHREALTIME; "$@" >/dev/null; awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'; }

printf '%-34s %10s %10s %8s\n' "script of $lines lines" "todostream" "sqlite3" "ratio"
for ((round = 1; round <= rounds; round++)); do
  rm -f ours.sqlite* theirs.sqlite*
  sqlite3 theirs.sqlite "PRAGMA journal_mode = WAL" ".read schema.sql" >/dev/null
  ours=$(seconds "$todostream" --quiet --store ours.sqlite run script.todo)
  theirs=$(seconds sqlite3 theirs.sqlite ".read rows.sql")
  printf '%-34s %9.2fs %9.2fs %8.2f\n' "  round $round" "$ours" "$theirs" "$(awk -v a="$ours" -v b="$theirs" 'BEGIN { print a / b }')"
done
cmp <(sqlite3 ours.sqlite "SELECT count(*), max(revision) FROM change") \
  <(sqlite3 theirs.sqlite "SELECT count(*), max(revision) FROM change")
