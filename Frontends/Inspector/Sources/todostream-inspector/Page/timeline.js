// The list of the events that match the filter: choosing, walking, following the newest.

import {$, clock, day, duration, h, kindMark, number, plural, put, rootColour} from "./dom.js";
import {textsOf} from "./filter.js";
import {VirtualList} from "./list.js";
import {Pages} from "./pages.js";
import {observe, set, state} from "./state.js";

let pages;
let list;
let isLive = false;
/** What is marked in the rows. */
let found = null;
/** The place of the chosen event, and where the keys go from. */
let cursor = null;
/** A place whose event is to be chosen as soon as its row has come. */
let pending = null;
let isLocated = false;
let seenTotal = 0;

const isFollowing = () => isLive && (state.follow ?? state.seq === null);

export function start(live) {
  isLive = live;
  $("follow").hidden = !live;
  put($("heads"), columns.map(([name, label]) => h(`span.${name}`, {}, label)));
  list = new VirtualList($("grid"), {
    rowHeight: 24, create, fill,
    onRender: (first, last) => {
      pages.want(first, last);
      showFollow();
    },
    onScroll: () => { if (isFollowing() && !list.isAtEnd) set({follow: false}, "replace"); }});
  $("grid").addEventListener("click", event => {
    const row = event.target.closest(".event");
    if (pages.row(row?.index)) choose(row.index, {open: true});
  });
  $("follow").addEventListener("click", toggleFollow);
  $("newer").addEventListener("click", () => go(list.count - 1));
  observe(changed => {
    if (changed("q", "all")) search();
    else if (changed("seq") && pages.row(cursor)?.seq !== state.seq) locate();
    if (changed("seq")) list.refresh();
    if (changed("follow")) showFollow();
  });
  search();
}

/** Hears that the recording has grown. */
export const grown = () => pages.refresh(isFollowing());

export const toggleFollow = () => { if (isLive) set({follow: !isFollowing()}); };

function search() {
  pages?.close();
  found = textsOf(state.q);
  pages = new Pages(state.q.trim(), state.all, changed);
  cursor = pending = null;
  isLocated = state.seq === null;
  if (isLocated) list.show(0);
  seenTotal = 0;
}

function changed(from) {
  if (from !== pages) return;
  const {total, isDone, scanned, events, error} = pages;
  $("search").setAttribute("aria-invalid", Boolean(error));
  const words = (error?.column ? `Column ${error.column}: ` : "") + (error?.message ?? "");
  Object.assign($("search-error"), {hidden: !error, textContent: words});
  $("grid").setAttribute("aria-rowcount", total);
  $("count").textContent = error ? "" : total === events ? plural(total, "event")
    : `${number(total)} of ${number(events)}`;
  Object.assign($("progress"), {hidden: isDone, value: events ? scanned / events : 0});
  $("empty").hidden = total > 0 || Boolean(error);
  $("empty").textContent = !isDone ? "Searching…" : events === 0 ? "There are no events yet."
    : "No event matches. Escape in the search field clears the filter.";
  list.count = error ? 0 : total;
  list.refresh();
  if (!isFollowing() && !isLocated && total > 0) locate();
  if (pending !== null && pages.row(pending)) choose(pending);
  showFollow();
}

function showFollow() {
  if (!isLive) return;
  const follows = isFollowing();
  if (follows) list.show(list.count - 1);
  if (follows || list.isAtEnd) seenTotal = list.count;
  const title = follows ? "Hold the list where it is (f)" : "Keep the newest event in view (f)";
  Object.assign($("follow"), {title, textContent: follows ? "Hold" : "Follow"});
  const newer = list.count - seenTotal;
  Object.assign($("newer"), {hidden: newer <= 0, textContent: `${plural(newer, "newer event")} ↓`});
}

/** Brings the chosen event into view, or the first match after it. */
async function locate() {
  const [{seq}, asked] = [state, pages];
  if (seq === null || isFollowing()) return;
  isLocated = true;
  const index = await asked.locate(seq);
  if (seq !== state.seq || asked !== pages) return;
  isLocated = index !== null;
  if (index === null) return;
  cursor = index;
  list.show(index, true);
  list.refresh();
}

/** Goes to a place in the list and chooses its event, when it has come. */
function go(index) {
  if (list.count === 0) return;
  pending = cursor = Math.max(0, Math.min(list.count - 1, index));
  if (isFollowing()) set({follow: false}, "replace");
  list.show(pending);
  if (pages.row(pending)) choose(pending);
}

function choose(index, changes = {}) {
  cursor = index;
  pending = null;
  const kind = changes.open ? "" : "walk";
  set({seq: pages.row(index).seq, ...changes, ...(isFollowing() ? {follow: false} : {})}, kind);
}

/** Moves by rows; by infinitely many to the first or last one. */
export function walk(step) {
  const isBehind = step > 0 && pages.row(cursor)?.seq > state.seq;
  go((cursor ?? (step > 0 ? list.firstVisible - 1 : list.lastVisible + 1)) + step - (isBehind ? 1 : 0));
}

export const walkPage = direction => walk(direction * (list.lastVisible - list.firstVisible - 1));

const columns = Object.entries(
  {seq: "#", time: "Time", delta: "Since last", type: "Type", origin: "Origin", preview: "Body"});

function create() {
  const cells = columns.map(([name]) => [name, h(`span.${name}`, {role: "gridcell"})]);
  const row = h("div.event", {role: "row"}, cells.map(([, cell]) => cell));
  row.cells = Object.fromEntries(cells);
  return row;
}

function fill(row, index) {
  const item = pages.row(index);
  const isChosen = item?.seq === state.seq;
  if (!item && row.classList.contains("absent")) return;
  row.classList.toggle("absent", !item);
  row.setAttribute("aria-rowindex", index + 1);
  row.setAttribute("aria-selected", isChosen);
  row.id = item ? `event-${item.seq}` : "";
  row.dataset.seq = item?.seq ?? "";
  if (!item) {
    for (const cell of Object.values(row.cells)) put(cell);
    return;
  }
  if (isChosen) $("grid").setAttribute("aria-activedescendant", row.id);
  row.classList.toggle("failed", Boolean(item.failed));
  row.classList.toggle("root", item.cause === null);
  row.style.setProperty("--root", rootColour(item.root));
  row.title = `${day(item.time)}, ${item.cause === null ? "a root" : `caused by ${item.cause}`}`;
  const {seq, time, delta, type, origin, preview} = row.cells;
  const since = item.time - (pages.row(index - 1)?.time ?? item.time);
  seq.textContent = item.seq;
  time.textContent = clock(item.time);
  delta.textContent = since > 0 ? `+${duration(since)}` : "";
  type.style.paddingLeft = `${Math.min(item.depth, 8) * 12}px`;
  put(type, kindMark(item), item.type);
  origin.textContent = item.origin;
  const parts = found && item.preview ? item.preview.split(found) : [item.preview];
  put(preview, parts.map((part, at) => at % 2 ? h("mark", {}, part) : part));
}
