#!/bin/sh
# Tells of each todo that is added: on the desktop or, where there is none, in ~/.todostream-added.log.
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize"}' \
  '{"jsonrpc":"2.0","id":2,"method":"events/subscribe","params":{"types":["ResponseChangedTodoViewModels"]}}'

while IFS= read -r line; do
  # Changes of this process, each on a line of its own, as far as sed knows JSON: a quote in a title is \" there, and
  # stays that here. Other processes have observers of their own.
  printf '%s\n' "$line" | sed 's/{"by":/\
&/g' | sed -n '/^{"by":null/s/{"novelty":/\
&/gp' | sed -n 's/^{"novelty":"added".*"title":"\(\([^"\\]\|\\.\)*\)".*/\1/p' |
    while IFS= read -r title; do
      notify-send -- 'Added' "$title" 2>/dev/null ||
        printf 'Added: %s\n' "$title" >>"$HOME/.todostream-added.log"
    done
done
