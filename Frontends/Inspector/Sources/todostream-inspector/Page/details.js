// The details of the chosen event: its head, the tabs, and which of them is shown.

import {get, isAborted} from "./api.js";
import {$, debounce, h, kindMark, muted, problem, put} from "./dom.js";
import * as cause from "./cause.js";
import * as changes from "./changes.js";
import * as event from "./event.js";
import * as replay from "./replay.js";
import * as snapshot from "./snapshot.js";
import {observe, set, state} from "./state.js";

const modules = {event, cause, changes, state: snapshot, replay};
export const tabs = Object.keys(modules);

let recording;
let item = null;
let abort = new AbortController();
let shownTab = null;

export const choose = seq => set({seq, open: true});
export const chosen = () => item?.seq === state.seq ? item : null;
const isOpen = () => state.seq !== null && state.open;

export function start(value) {
  recording = value;
  put($("tabs"), tabs.map((tab, at) => h(`button#tab-${tab}`, {
    role: "tab", "data-tab": tab, "aria-controls": "panel", title: `Key ${at + 1}`, onclick: () => set({tab}),
  }, tab[0].toUpperCase() + tab.slice(1))));
  $("tabs").addEventListener("keydown", pressed => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[pressed.key];
    if (!step) return;
    set({tab: tabs.at((tabs.indexOf(state.tab) + step) % tabs.length)});
    $(`tab-${state.tab}`).focus();
  });
  const loadSoon = debounce(60, load);
  observe(changed => {
    if (!changed("seq", "open", "tab", "field", "find", "page")) return;
    showFrame();
    if (isOpen()) (chosen() ? show : loadSoon)();
  });
  showFrame();
  if (isOpen()) load();
}

function showFrame() {
  $("details").hidden = $("splitter").hidden = !isOpen();
  for (const tab of tabs) {
    $(`tab-${tab}`).setAttribute("aria-selected", tab === state.tab);
    $(`tab-${tab}`).tabIndex = tab === state.tab ? 0 : -1;
  }
  $("panel").setAttribute("aria-labelledby", `tab-${state.tab}`);
}

async function load() {
  const hide = () => set({open: false});
  const close = h("button#details-close.quiet", {onclick: hide, title: "Close the details (Escape)"}, "✕");
  try {
    item = await get(`events/${state.seq}`, {}, restart());
    put($("details-head"), h("h2", {}, kindMark(item), h("span", {}, item.type)), muted(`event ${item.seq}`),
      item.failed && h("span.tag.failed", {}, "failed"), item.input && h("span.tag", {}, "input"), close);
    await show();
  } catch (error) {
    if (isAborted(error)) return;
    item = null;
    put($("details-head"), h("h2", {}, `Event ${state.seq}`), close);
    put($("panel"), problem(error));
  }
}

/** Cancels the questions of what was shown before. */
function restart() {
  abort.abort();
  return (abort = new AbortController()).signal;
}

async function show() {
  if (!chosen()) return;
  const panel = $("panel");
  const tab = tabs.includes(state.tab) ? state.tab : "event";
  if (shownTab !== tab) put(panel).scrollTop = 0;
  shownTab = tab;
  panel.className = `panel-${tab}`;
  try {
    await modules[tab].show(panel, item, {signal: restart(), recording});
  } catch (error) {
    if (!isAborted(error)) put(panel, problem(error));
  }
}
