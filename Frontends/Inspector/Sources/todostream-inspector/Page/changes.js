// The tab Changes: each state and record before and after the event, and all changes of one field.

import {get, isAborted} from "./api.js";
import {choose} from "./details.js";
import {clock, eventButton, h, muted, note, plural, problem, put} from "./dom.js";
import {set, state} from "./state.js";
import {isBranch} from "./tree.js";

const mostChanges = 200;

export async function show(panel, item, {signal}) {
  const {states, records, more} = await get(`changes/${item.seq}`, {}, signal);
  const history = h("section#field");
  const isEmpty = states.length + records.length === 0;
  put(panel, history, isEmpty && note("This event and what it caused changed no state and no record."),
    records.map(record => card(`${record.kind} ${record.number}`, `revision ${record.revision ?? "none"}`,
      record, ["record", record.kind, record.number])),
    states.map(value => card(value.name, "state", value, ["state", value.name])),
    more && note("There are further changes, by its consequences."));
  if (state.field) await showField(history, item, signal);
}

/** The leaves of a value as [path, value], a path being a list of names. */
const leaves = (value, path = []) => isBranch(value)
  ? Object.entries(value).flatMap(([name, part]) => leaves(part, [...path, name])) : [[path, value]];

/** Before and after of every leaf: [{path, before, after, isSame}]. */
export function differences(before, after) {
  const fields = new Map();
  for (const [side, value] of Object.entries({before, after})) {
    for (const [path, leaf] of (value ?? null) === null ? [] : leaves(value)) {
      const key = JSON.stringify(path);
      fields.set(key, {path, ...fields.get(key), [side]: leaf});
    }
  }
  const isSame = field => JSON.stringify(field.before) === JSON.stringify(field.after);
  return [...fields.values()].map(field => ({...field, isSame: isSame(field)}));
}

function card(title, kind, {before, after, seq = state.seq, reverted}, address) {
  const all = differences(before, after);
  const [changed, same] = [all.filter(field => !field.isSame), all.filter(field => field.isSame)];
  const sort = (before ?? null) === null ? "added" : (after ?? null) === null ? "removed" : "changed";
  const by = seq !== state.seq && h("button.link", {onclick: () => choose(seq)}, `event ${seq}`);
  return h("section.card", {"data-change": address.join("/")},
    h("h3", {}, title, h(`span.tag.${sort}`, {}, reverted ? "rolled back" : sort), muted(kind), by),
    changed.length > 0 ? table(changed, address) : note("All fields are as before."),
    same.length > 0 && h("details.same", {}, h("summary", {}, plural(same.length, "unchanged field")),
      table(same, address)));
}

function table(fields, address) {
  const row = ({path, before, after, isSame}) => {
    const field = [...address, path[0] ?? ""].map(encodeURIComponent).join("/");
    const [old, fresh] = isSame ? [text(before), text(after)] : marked(before, after);
    const button = h("button.link.field", {
      "data-field": field, "aria-pressed": field === state.field, title: "All events that changed it",
      onclick: () => set({field: field === state.field ? "" : field})}, path.join(".") || "value");
    return h("tr", {}, h("th", {scope: "row"}, button), h("td.before", {}, old), h("td.after", {}, fresh));
  };
  const heads = ["Field", "Before", "After"].map(name => h("th", {scope: "col"}, name));
  return h("table.fields", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, fields.map(row)));
}

const text = value => typeof value === "string" && value !== "" ? value : JSON.stringify(value);

/** Both values as text, with the part marked that differs. */
export function marked(before, after) {
  if (![before, after].every(value => typeof value === "string" && value !== "")) {
    return [before, after].map(value => value === undefined ? muted("–") : h("mark", {}, text(value)));
  }
  const most = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < most && before[start] === after[start]) start++;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [before, after].map(value => h("span", {}, value.slice(0, start),
    h("mark", {}, value.slice(start, value.length - end)), value.slice(value.length - end)));
}

async function showField(section, item, signal) {
  const [sort, owner, ...names] = state.field.split("/").map(decodeURIComponent);
  const name = names.at(-1);
  const [title, address] = sort === "state" ? [owner, {state: owner}]
    : [`${owner} ${names[0]}`, {kind: owner, number: names[0]}];
  const close = h("button#field-close.quiet", {onclick: () => set({field: ""}), "aria-label": "Close"}, "✕");
  put(section, h("h3", {}, `${title} · ${name || "value"}`, close));
  try {
    const {rows} = await get("field", {...address, name, limit: mostChanges}, signal);
    section.append(h("ol.history", {}, rows.map(row => {
      const [old, fresh] = marked(row.before ?? undefined, row.after ?? undefined);
      return h("li", {}, eventButton(row, choose, {"aria-current": row.seq === item.seq}),
        muted(`${clock(row.time)} ${row.origin}`),
        h("span.step", {}, h("span.before", {}, old), " → ", h("span.after", {}, fresh)));
    })));
    if (rows.length === 0) section.append(note("No event changed it."));
    if (rows.length === mostChanges) section.append(note(`The first ${mostChanges} changes are shown.`));
  } catch (error) {
    if (isAborted(error)) throw error;
    section.append(problem(error));
  }
}
