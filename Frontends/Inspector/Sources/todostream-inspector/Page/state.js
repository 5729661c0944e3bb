// What the page shows, kept in the URL's fragment: a link and the browser's history lead back to it. A
// fragment is never sent to the server.

import "./secret.js";

const defaults = {
  q: "", all: false, seq: null, open: true, tab: "event", view: "timeline", follow: null, send: false,
  field: "", find: "", page: 0, a: "", b: "", other: false, compare: "", from: 0};

function read() {
  const state = {...defaults};
  for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
    if (!(name in defaults)) continue;
    if (["seq", "page", "from"].includes(name)) state[name] = Number.parseInt(text, 10) || 0;
    else state[name] = typeof defaults[name] === "string" ? text : text === "1";
  }
  return state;
}

function write(state) {
  const changed = Object.entries(state).filter(([name, value]) => value !== defaults[name]);
  const texts = changed.map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : value]);
  return `${location.pathname}#${new URLSearchParams(texts)}`;
}

export let state = read();
const observers = [];
let last = {kind: "", time: 0};

/** Calls `observer(changed)` after each change; `changed(name, …)` says whether one of the names has. */
export const observe = observer => { observers.push(observer); };

function apply(next) {
  const before = state;
  state = next;
  for (const observer of observers) observer((...names) => names.some(name => before[name] !== next[name]));
}

/**
 * Changes what is shown. Each change is a step of the browser's history; those of the same `kind` (typing,
 * walking through rows) within a second are one step, and those of the kind "replace" are none.
 */
export function set(changes, kind = "") {
  const next = {...state, ...changes};
  if (Object.keys(next).every(name => next[name] === state[name])) return;
  const isSame = kind && kind === last.kind && performance.now() - last.time < 1000;
  history[isSame || kind === "replace" ? "replaceState" : "pushState"](null, "", write(next));
  last = {kind, time: performance.now()};
  apply(next);
}

addEventListener("popstate", () => apply(read()));
