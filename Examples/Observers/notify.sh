#!/bin/sh
# Reports each added todo: on the desktop or, without a desktop, in ~/.todostream-added.log.
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize"}' \
  '{"jsonrpc":"2.0","id":2,"method":"events/subscribe","params":{"types":["ResponseChangedTodoViewModels"]}}'

while IFS= read -r line; do
  # Puts each change of this process on a line of its own, as far as sed can read JSON: a quote in a title is \" there,
  # and here. Other processes have observers of their own.
  printf '%s\n' "$line" | sed 's/{"by":/\
&/g' | sed -n '/^{"by":null/s/{"novelty":/\
&/gp' | sed -n 's/^{"novelty":"added".*"title":"\(\([^"\\]\|\\.\)*\)".*/\1/p' |
    while IFS= read -r title; do
      notify-send -- 'Added' "$title" 2>/dev/null ||
        printf 'Added: %s\n' "$title" >>"$HOME/.todostream-added.log"
    done
done
