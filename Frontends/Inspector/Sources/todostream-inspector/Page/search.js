// The search field, and the side bar whose boxes rewrite the filter.

import {$, debounce, h, kindMark, number, put} from "./dom.js";
import {isShown, only, toggled} from "./filter.js";
import {observe, set, state} from "./state.js";

let recording;

export function start() {
  const field = $("search");
  field.value = state.q;
  const search = (q, kind) => set({q, view: state.view === "compare" ? "timeline" : state.view}, kind);
  field.addEventListener("input", debounce(150, () => search(field.value, "typing")));
  field.addEventListener("keydown", event => {
    if (!["Enter", "Escape", "ArrowDown"].includes(event.key)) return;
    if (event.key !== "Escape" || !field.value) $("grid").focus();
    search(event.key === "Escape" ? "" : field.value);
    field.value = state.q;
    event.preventDefault();
  });
  observe(changed => {
    if (!changed("q", "all")) return;
    if (field.value.trim() !== state.q.trim()) field.value = state.q;
    showBoxes();
  });
}

/** Shows the types, origins and counts of a recording; asked again when it has grown. */
export function showRecording(value) {
  const names = [...value.types, ...value.origins].map(({name}) => name).join();
  const isNew = names !== recording?.names;
  recording = {...value, names};
  if (isNew) build();
  each((box, choice, key, value) => {
    const count = countOf(key, value);
    choice.querySelector(".number").textContent = number(count);
    choice.classList.toggle("none", count === 0);
  });
}

const layers = Object.entries({model: "Model", viewModel: "View model", none: "Neither"});
const kinds = Object.entries({request: "Requests", response: "Responses", fact: "Facts"});

function build() {
  const types = recording.types.toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const group = (key, title, ...boxes) => h(`fieldset#side-${key}`, {}, h("legend", {}, title), boxes);
  const all = h("input#all", {type: "checkbox", onchange: () => set({all: all.checked})});
  put($("side"),
    group("layer", "Layers", layers.map(([value, label]) => box("layer", value, label))),
    group("kind", "Kinds", kinds.map(([kind, label]) => box("kind", kind, [kindMark({kind}), label]))),
    group("origin", "Origins", recording.origins.map(({name}) => box("origin", name, name))),
    group("type", "Types", types.map(type =>
      box("type", type.name, [kindMark(type), type.name], type.housekeeping ? {all: true} : {}))),
    types.some(type => type.housekeeping) && h("label.choice", {}, all, "Housekeeping, too"));
  showBoxes();
}

/** A line of the side bar; `changes` are made besides the filter's when it is switched. */
function box(key, value, label, changes = {}) {
  const toggle = ({target}) => {
    const isFilter = target.checked !== isShown(state.q, key, value);
    set({q: isFilter ? toggled(state.q, key, value) : state.q, ...changes});
  };
  const onlyThis = () => set({q: only(state.q, key, value), ...changes});
  const data = {"data-filter": key, "data-value": value};
  return h(`div.choice${changes.all ? ".housekeeping" : ""}`, {},
    h("label", {title: value}, h("input", {type: "checkbox", ...data, onchange: toggle}),
      h("span.label", {}, label)),
    h("button.only", {...data, "aria-label": `Only ${value}`, onclick: onlyThis}, "only"), h("span.number"));
}

function each(work) {
  for (const box of $("side").querySelectorAll("input[data-filter]")) {
    work(box, box.closest(".choice"), box.dataset.filter, box.dataset.value);
  }
}

function countOf(key, value) {
  const {types, origins} = recording;
  const valueOf = {layer: type => type.layer ?? "none", kind: type => type.kind}[key] ?? (item => item.name);
  const counted = (key === "origin" ? origins : types).filter(item => valueOf(item) === value);
  return counted.reduce((total, {count}) => total + count, 0);
}

function showBoxes() {
  each((box, choice, key, value) => {
    box.checked = isShown(state.q, key, value) && (state.all || !choice.classList.contains("housekeeping"));
  });
  if ($("all")) $("all").checked = state.all;
}
