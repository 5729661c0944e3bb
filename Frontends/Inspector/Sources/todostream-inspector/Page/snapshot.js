// The tab State: all states and records as they were after the chosen event.

import {get} from "./api.js";
import {choose} from "./details.js";
import {debounce, h, muted, note, number, put} from "./dom.js";
import {set, state} from "./state.js";
import {brief, jsonTree} from "./tree.js";

const limit = 100;
let field;
let content;

export async function show(panel, item, {signal}) {
  if (!panel.contains(content)) {
    const label = "Search in states and records";
    const search = debounce(200, () => set({find: field.value, page: 0}, "typing"));
    field = h("input#state-search", {type: "search", placeholder: label, title: label, oninput: search});
    put(panel, field, content = h("div#state-content"));
  }
  if (document.activeElement !== field) field.value = state.find;
  const asked = {from: state.page * limit, limit, text: state.find};
  const {states, records: {total, from, rows}, seq} = await get(`state/${item.seq}`, asked, signal);
  if (total > 0 && rows.length === 0 && state.page > 0) { set({page: 0}, "replace"); return; }
  const to = (label, page, isPossible) => h(`button#state-${label.toLowerCase()}.quiet`,
    {disabled: !isPossible, onclick: () => set({page})}, label);
  const pager = total > rows.length && h("span.pager", {}, to("Previous", state.page - 1, state.page > 0),
    muted(`${number(from + 1)}–${number(from + rows.length)}`),
    to("Next", state.page + 1, from + rows.length < total));
  put(content, note(`As it was after event ${seq}.`),
    h("h3", {}, "States", muted(number(states.length))), states.map(value => entry(value.name, value)),
    h("h3", {}, "Records", muted(number(total)), pager),
    rows.map(record => entry(`${record.kind} ${record.number}`, record)),
    states.length + total === 0 && note(state.find ? "Nothing has this text." : "There was nothing yet."));
}

function entry(title, {value, seq, revision}) {
  const open = event => { event.preventDefault(); choose(seq); };
  const words = `Event ${seq} wrote it last${revision ? `, revision ${revision}` : ""}`;
  const details = h("details.entry", {"data-entry": title}, h("summary", {}, h("span.name", {}, title),
    h("span.brief", {}, brief(value, 120)),
    h("button.link.seq", {"data-seq": seq, title: words, onclick: open}, String(seq))));
  details.addEventListener("toggle", () => details.append(jsonTree(value)), {once: true});
  return details;
}
