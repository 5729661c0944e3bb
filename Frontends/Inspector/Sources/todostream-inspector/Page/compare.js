// The view Compare: two roots, or this recording and another one, side by side.

import {get} from "./api.js";
import {duration, eventButton, eventName, h, muted, note, number, plural, put} from "./dom.js";
import {difference} from "./replay.js";
import {set, state} from "./state.js";

const limit = 200;
let isFiltered = false;

export async function show(view, {signal, recording}) {
  const isWhole = state.compare === "whole" && Boolean(recording.compares);
  const result = h("div#compare-result", {}, note("Comparing…"));
  put(view, head(recording, isWhole), result);
  if (!isWhole && !(state.a && state.b)) {
    put(result, note("Name two roots; the button Compare in the tab Cause puts an event's root here."));
    return;
  }
  const answer = await get("compare", isWhole ? {from: state.from, limit}
    : {a: state.a, b: state.b, file: state.other && "other"}, signal);
  const names = isWhole ? [recording.name, recording.compares]
    : [`Root ${answer.a.root}`, `Root ${answer.b.root}${state.other ? ` of ${recording.compares}` : ""}`];
  draw(result, answer, isWhole, names);
}

function head(recording, isWhole) {
  const root = (id, label) => h(`input#compare-${id}`, {title: label, placeholder: label, value: state[id]});
  const [a, b] = [root("a", "First root"), root("b", "Second root")];
  const other = h("input#compare-other", {type: "checkbox", checked: state.other});
  const mode = (compare, label, isOn) => h(`button#compare-${compare || "roots"}`,
    {"aria-pressed": isOn, onclick: () => set({compare, from: 0})}, label);
  const submit = event => {
    event.preventDefault();
    set({a: a.value.trim(), b: b.value.trim(), other: other.checked, from: 0});
  };
  return h("header.view-head", {}, h("h2", {}, "Compare"), recording.compares
    && [mode("", "Two roots", !isWhole), mode("whole", `All with ${recording.compares}`, isWhole)],
  !isWhole && h("form#compare-form.buttons", {onsubmit: submit, autocomplete: "off"}, a, "with", b,
    recording.compares && h("label", {}, other, ` of ${recording.compares}`),
    h("button#compare-run", {}, "Compare")));
}

function draw(result, answer, isWhole, names) {
  const {rows, total, firstDifference} = answer;
  const filter = () => { isFiltered = !isFiltered; draw(result, answer, isWhole, names); };
  const only = h("input#compare-different", {type: "checkbox", checked: isFiltered, onchange: filter});
  const to = (id, label, from, isPossible) => h(`button#compare-${id}.quiet`,
    {disabled: !isPossible, onclick: () => set({from: Math.max(0, from)})}, label);
  const different = rows.filter(row => !row.isSame);
  const isSame = isWhole ? firstDifference === null : different.length === 0;
  const listed = isFiltered ? different : rows;
  const shown = isWhole ? listed : listed.slice(state.from, state.from + limit);
  const count = isWhole ? total : listed.length;
  const end = Math.min(state.from + limit, count);
  put(result,
    h("p.buttons", {}, isSame ? "The events are the same."
      : isWhole ? `The first difference is at place ${number(firstDifference)}.`
        : `${plural(different.length, "difference")} in ${plural(rows.length, "event")}.`,
    h("label", {}, only, " Only differences"), count > limit && h("span.pager", {},
      to("first", "First difference", firstDifference - 5, isWhole && !isSame),
      to("previous", "Previous", state.from - limit, state.from > 0),
      muted(`${number(state.from + 1)}–${number(end)} of ${number(count)}`),
      to("next", "Next", state.from + limit, end < count))),
    h("div.pairs", {role: "table", "aria-label": "Events side by side"},
      h("div.pair.heads", {role: "row"}, h("span"), names.map(name => h("b", {role: "columnheader"}, name))),
      shown.map(row => pair(row, answer, isWhole))));
}

function pair({a, b, isSame, differences = []}, answer, isWhole) {
  const sign = isSame ? "=" : a && b ? "≠" : a ? "−" : "+";
  return h(`div.pair${isSame ? "" : ".different"}`, {role: "row"},
    h("span.sign", {role: "cell", title: isSame ? "The same" : "Different"}, sign),
    side(a, answer.a.start, true), side(b, answer.b.start, !isWhole && !state.other),
    differences.length > 0 && h("ul.differences", {}, differences.map(difference)));
}

/** An event of this recording leads to the timeline; one of the other recording is only shown. */
function side(row, start, isHere) {
  if (!row) return h("div.side.muted", {role: "cell"}, "no such event");
  const open = seq => set({view: "timeline", seq, open: true});
  return h(`div.side${row.failed ? ".failed" : ""}`, {role: "cell"},
    isHere ? eventButton(row, open) : h("span.to-event", {}, eventName(row)),
    muted(`+${duration(row.time - start)}`), h("span.preview", {}, row.preview));
}
