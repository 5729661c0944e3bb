#!/usr/bin/env python3
"""Counts the commands of a process and adds the figures to ~/.todostream-figures.json at its end."""
import collections, json, os, sys

def say(method, id=None, **params):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    print(json.dumps(message if id is None else message | {"id": id}), flush=True)

path = os.path.expanduser("~/.todostream-figures.json")
figures = collections.Counter(json.load(open(path)) if os.path.exists(path) else {})
say("initialize", id=1)
say("events/subscribe", id=2)
for message in map(json.loads, sys.stdin):  # ends with the process that is observed
    params = message.get("params", {})
    if message.get("method") == "events/overflow":  # too slow: go on behind what was missed
        say("events/subscribe", id=3, **{"from": params["next"]})
    for event in params.get("events", []):
        figures[event["body"].get("method") or "failures"] += "method" in event["body"] or "error" in event["body"]
json.dump(+figures, open(path, "w"), indent=2, sort_keys=True)
