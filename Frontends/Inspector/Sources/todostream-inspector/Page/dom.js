// Elements, texts and times. Data reaches the page as text nodes only, never as markup.

export const $ = id => document.getElementById(id);

/** Builds an element: `h("button#id.class", {onclick}, "text", child)`; absent children are left out. */
export function h(selector, attributes = {}, ...children) {
  const [, tag, id, classes] = /^(\w+)(?:#([\w-]+))?((?:\.[\w-]+)*)$/.exec(selector);
  const element = document.createElement(tag);
  if (id) element.id = id;
  if (classes) element.className = classes.slice(1).replaceAll(".", " ");
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("aria-")) element.setAttribute(name, value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  return put(element, children);
}

/** Puts children in the place of an element's own; absent ones and lists of them are allowed. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(9).filter(child => ![null, undefined, false, ""].includes(child)));
  return element;
}

/** Calls `work` once, when no further call has come for `delay` milliseconds. */
export function debounce(delay, work) {
  let timer;
  return () => { clearTimeout(timer); timer = setTimeout(work, delay); };
}

export const pause = ms => new Promise(resolve => setTimeout(resolve, ms));
export const muted = (...children) => h("span.muted", {}, children);
export const note = (...children) => h("p.muted.note", {}, children);
/** A content that an error prevents is replaced by the error. */
export const problem = error => h("p.problem", {role: "alert"}, error.message);

const digits = new Intl.NumberFormat("en");
export const number = value => digits.format(value);
export const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;

/** A span of time in its natural unit: 12 ms, 3.20 s, 5 min 20 s, 2 h 5 min. */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const [unit, size, part, partSize] = ms < 36e5 ? ["min", 6e4, "s", 1e3]
    : ms < 864e5 ? ["h", 36e5, "min", 6e4] : ["d", 864e5, "h", 36e5];
  return `${Math.floor(ms / size)} ${unit} ${Math.floor(ms % size / partSize)} ${part}`;
}

const formats = (timeZone, style) => new Intl.DateTimeFormat("en-GB", {timeZone, ...style});
let [times, days] = [];
let last = {second: NaN, text: ""};

/** Shows times in the recording's zone; in the browser's own, if the browser does not know it. */
export function useZone(zone) {
  try { times = formats(zone, {timeStyle: "medium"}); } catch { return useZone(undefined); }
  days = formats(zone, {dateStyle: "medium"});
}

/** 21:32:27.089 in the recording's zone. */
export function clock(ms) {
  const second = Math.floor(ms / 1000);
  if (second !== last.second) last = {second, text: times.format(second * 1000)};
  return `${last.text}.${String(ms - second * 1000).padStart(3, "0")}`;
}

export const day = ms => days.format(ms);

/** The colour of a root: the same wherever its events are shown. */
export function rootColour(root) {
  let hash = 7;
  for (const character of root) hash = (hash * 31 + character.charCodeAt(0)) | 0;
  return `hsl(${(Math.imul(hash, 0x9E3779B1) >>> 0) % 360} 58% 55%)`;
}

const marks = {request: "→", response: "←", fact: "◆"};

/** The sign of an event's kind; its title says it in words. */
export function kindMark({kind, layer, input, failed}) {
  const title = [failed && "failed", input && "input", kind ?? "no kind", layer].filter(Boolean).join(", ");
  const text = failed ? "✕" : marks[kind] ?? "○";
  return h(`span.mark.${kind ?? "other"}${input ? ".input" : ""}`, {title}, text);
}

/** An event's number, sign and type. */
export const eventName = row => [h("span.seq", {}, String(row.seq)), row.kind !== undefined && kindMark(row),
  h("span.type", {}, row.type)];

/** A button that chooses an event. */
export const eventButton = (row, choose, attributes = {}) => h(
  `button.link.to-event${row.failed ? ".failed" : ""}`,
  {"data-seq": row.seq, onclick: () => choose(row.seq), ...attributes}, eventName(row));
