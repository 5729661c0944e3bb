// A value of JSON as a foldable tree. Branches are built when they are opened, long ones in parts.

import {h, plural} from "./dom.js";

const partSize = 100;
const longText = 600;

export const isBranch = value => typeof value === "object" && value !== null && Object.keys(value).length > 0;

/** A short form of a value on one line. */
export function brief(value, length = 80) {
  const text = JSON.stringify(value);
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Shows a value; `onField(name, value)`, if given, makes the names of plain members buttons. */
export const jsonTree = (value, onField) =>
  h("div.json", {}, isBranch(value) ? members(value, 0, onField) : leaf(null, value));

function members(value, depth, onField, from = 0) {
  const entries = Object.entries(value);
  const nodes = entries.slice(from, from + partSize).map(([name, item]) => isBranch(item)
    ? branch(name, item, depth, onField) : leaf(name, item, Array.isArray(value) ? null : onField));
  const rest = entries.length - from - partSize;
  const more = event => event.target.replaceWith(...members(value, depth, onField, from + partSize));
  return rest > 0 ? [...nodes, h("button.link.more", {onclick: more}, plural(rest, "more item"))] : nodes;
}

function branch(name, value, depth, onField) {
  const size = Object.keys(value).length;
  const text = Array.isArray(value) ? plural(size, "item") : brief(value, 60);
  const node = h("details.node", {}, h("summary", {}, h("span.key", {}, name), h("span.brief", {}, text)));
  const build = () => node.append(h("div.children", {}, members(value, depth + 1, onField)));
  node.open = depth < 3 && size <= 30;
  if (node.open) build();
  else node.addEventListener("toggle", build, {once: true});
  return node;
}

function leaf(name, value, onField) {
  const text = JSON.stringify(value);
  const rest = text.length - longText;
  const shown = h(`span.value.${value === null ? "null" : typeof value}`, {}, text.slice(0, longText));
  const whole = () => shown.replaceChildren(text);
  if (rest > 0) shown.append(h("button.link.more", {onclick: whole}, `… ${plural(rest, "more character")}`));
  const isAsked = onField && typeof value !== "object" && rest <= 0;
  return h("div.node.leaf", {}, isAsked
    ? h("button.key", {title: `Find events with ${name}=${value}`, onclick: () => onField(name, value)}, name)
    : name !== null && h("span.key", {}, name), shown);
}
