// The tab Cause: the tree of the event's root, each event under its cause, beside a lane for time.

import {get} from "./api.js";
import {choose} from "./details.js";
import {$, clock, duration, h, kindMark, muted, note, number, plural, put} from "./dom.js";
import {VirtualList} from "./list.js";
import {set, state} from "./state.js";

const limit = 500;
/** The tree of a larger root ends here, and says so. */
const greatestTree = 20_000;

let tree = null;
let list;

export async function show(panel, item, {signal, recording}) {
  if (!panel.contains(list?.scroller)) build(panel);
  if (tree?.root !== item.root || recording.live) await load(item.root, signal);
  const {nodes} = tree;
  const causeOf = node => nodes.get(node?.cause);
  for (let node = causeOf(nodes.get(item.seq)); node; node = causeOf(node)) tree.folded.delete(node.seq);
  unfold();
  const at = tree.shown.findIndex(node => node.seq === item.seq);
  if (at >= 0) list.show(at, true);
}

function build(panel) {
  const scroller = h("div#cause-tree.list", {role: "tree", tabindex: 0, "aria-label": "Events of the root"});
  put(panel, h("p#cause-head.buttons"), h("div#lane-axis", {"aria-hidden": true}), scroller);
  list = new VirtualList(scroller, {rowHeight: 22, create, fill});
  scroller.addEventListener("click", clicked);
  scroller.addEventListener("keydown", walk);
  tree = null;
}

async function load(root, signal) {
  const rows = [];
  let answer;
  do {
    answer = await get("tree", {root, from: rows.length, limit}, signal);
    rows.push(...answer.rows);
  } while (rows.length < Math.min(answer.total, greatestTree) && answer.rows.length > 0);
  const folded = tree?.root === root ? tree.folded : new Set();
  tree = {...answer, root, rows, folded, ...arrange(rows), scale: scaleOf(rows)};
  showHead();
}

/** Puts each event under its cause, and finds when its last consequence was. */
function arrange(rows) {
  const nodes = new Map(rows.map(row => [row.seq, {...row, children: [], end: row.time}]));
  const roots = [];
  for (const node of nodes.values()) (nodes.get(node.cause)?.children ?? roots).push(node);
  for (const node of [...nodes.values()].reverse()) {
    const cause = nodes.get(node.cause);
    if (cause) cause.end = Math.max(cause.end, node.end);
  }
  return {nodes, roots};
}

/** Lists the events that no folded one hides. */
function unfold() {
  tree.shown = [];
  const rest = tree.roots.toReversed();
  while (rest.length) {
    const node = rest.pop();
    tree.shown.push(node);
    if (!tree.folded.has(node.seq)) rest.push(...node.children.toReversed());
  }
  list.count = tree.shown.length;
  list.refresh();
}

/** Times to percents of the lane, in which long gaps without any event are compressed. */
function scaleOf(rows) {
  const times = [...new Set(rows.map(row => row.time))].sort((a, b) => a - b);
  const gaps = times.slice(1).map((time, at) => time - times[at]);
  const short = gaps.toSorted((a, b) => a - b).slice(0, Math.ceil(gaps.length * 0.9));
  const ordinary = Math.max(4 * short.at(-1), short.reduce((sum, gap) => sum + gap, 0) / 20, 2);
  const longest = gaps.length < 3 ? Infinity : ordinary;
  const places = [0];
  for (const gap of gaps) places.push(places.at(-1) + Math.min(gap, longest));
  const percent = place => 100 * place / (places.at(-1) || 1);
  const breaks = gaps.map((gap, at) => ({left: percent(places[at]), width: percent(longest), gap}));
  return {place: new Map(times.map((time, at) => [time, percent(places[at])])),
    breaks: breaks.filter(({gap}) => gap > longest).slice(0, 200)};
}

function showHead() {
  const {root, rows, total, start, end, scale} = tree;
  const only = () => set({q: `root:${root}`, view: "timeline"});
  const compare = () => set({view: "compare", compare: "", a: root, b: state.a === root ? state.b : state.a});
  const href = `api/export/otlp?root=${encodeURIComponent(root)}`;
  put($("cause-head"), h("strong", {}, `Root ${root}`),
    muted(`${plural(total, "event")} · ${duration(end - start)}`),
    h("button#cause-only.quiet", {onclick: only}, "Only this root"),
    h("button#cause-compare.quiet", {onclick: compare}, "Compare"),
    h("a#cause-export.quiet", {href, download: true}, "OTLP"),
    rows.length < total && note(`The first ${number(rows.length)} events are shown.`));
  const breaks = scale.breaks.map(({left, width, gap}) => {
    const mark = h("i.break", {title: `${duration(gap)} without an event`});
    Object.assign(mark.style, {left: `${left}%`, width: `${width}%`});
    return mark;
  });
  put($("lane-axis"), h("div", {}, clock(start)),
    h("div.lane", {}, breaks, h("span", {}, "0"), h("span", {}, duration(end - start))));
}

function create() {
  const row = h("div.node-row", {role: "treeitem"});
  row.fold = h("button.fold", {tabindex: -1, "aria-hidden": true});
  [row.type, row.span, row.point, row.late] = [h("span.type"), h("i"), h("i"), h("span")];
  row.append(h("div.name", {}, row.fold, row.type), h("div.lane", {}, row.span, row.point, row.late));
  return row;
}

function fill(row, index) {
  const node = tree.shown[index];
  const hasChildren = node.children.length > 0;
  const isFolded = tree.folded.has(node.seq);
  row.dataset.seq = node.seq;
  row.setAttribute("aria-level", node.depth + 1);
  row.setAttribute("aria-selected", node.seq === state.seq);
  row.ariaExpanded = hasChildren ? !isFolded : null;
  row.classList.toggle("failed", Boolean(node.failed));
  row.title = `${node.type}, event ${node.seq}, ${clock(node.time)}`;
  row.fold.style.marginLeft = `${Math.min(node.depth, 12) * 12}px`;
  row.fold.textContent = hasChildren ? (isFolded ? "▸" : "▾") : "";
  put(row.type, kindMark(node), node.type);
  const [start, end] = [tree.scale.place.get(node.time), tree.scale.place.get(node.end)];
  [row.span.className, row.point.className] = [`span ${node.kind}`, `point ${node.kind}`];
  row.span.style.left = row.point.style.left = `${start}%`;
  row.span.style.width = `${end - start}%`;
  row.late.textContent = node.end > node.time ? duration(node.end - node.time) : "";
  row.late.className = end >= 75 && start <= 25 ? "late inside" : "late";
  row.late.style.left = end < 75 ? `${end}%` : "";
  row.late.style.right = end >= 75 && start > 25 ? `${100 - start}%` : "";
}

function fold(seq) {
  if (!tree.folded.delete(seq)) tree.folded.add(seq);
  unfold();
}

function clicked(event) {
  const seq = Number(event.target.closest(".node-row")?.dataset.seq);
  if (event.target.matches(".fold:not(:empty)")) fold(seq);
  else if (seq) choose(seq);
}

function walk(event) {
  const at = tree.shown.findIndex(node => node.seq === state.seq);
  const node = tree.shown[at];
  const isFolded = tree.folded.has(node?.seq);
  const isOpen = node?.children.length > 0 && !isFolded;
  const next = tree.shown[at + ({ArrowDown: 1, ArrowUp: -1, j: 1, k: -1}[event.key] ?? NaN)];
  if (next) set({seq: next.seq}, "walk");
  else if ((event.key === "ArrowLeft" && isOpen) || (event.key === "ArrowRight" && isFolded)) fold(node.seq);
  else if (event.key === "ArrowLeft" && tree.nodes.has(node?.cause)) choose(node.cause);
  else return;
  event.preventDefault();
}
