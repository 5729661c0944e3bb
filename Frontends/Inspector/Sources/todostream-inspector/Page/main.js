// The start of the page: the recording, the views, the keys, and the updates from the server.

import {get, isAborted, save} from "./api.js";
import * as compare from "./compare.js";
import * as details from "./details.js";
import {$, clock, day, h, note, number, pause, problem, put, useZone} from "./dom.js";
import * as figures from "./figures.js";
import * as search from "./search.js";
import * as send from "./send.js";
import {observe, set, state} from "./state.js";
import * as timeline from "./timeline.js";
import {follow} from "./updates.js";

const views = {figures, compare};
let recording;
let abort = new AbortController();

async function start() {
  recording = await get("recording");
  useZone(recording.zone);
  showRecording();
  search.start();
  timeline.start(recording.live);
  details.start(recording);
  if (recording.writable) send.start();
  if (recording.live || !recording.isWhole) listen();
  for (const button of $("views").children) button.onclick = () => set({view: button.dataset.view});
  $("help-open").addEventListener("click", showHelp);
  startExport();
  startSplitter();
  document.addEventListener("keydown", keyed);
  observe(changed => {
    const isOfFigures = state.view === "figures" && changed("q", "all");
    if (isOfFigures || changed("view", "a", "b", "other", "compare", "from")) showView();
  });
  showView();
  if (!state.send) $("grid").focus();
}

const showProblem = text => { Object.assign($("problem"), {hidden: !text, textContent: text}); };

function showRecording() {
  const {name, program, live, session, start, zone, plugins, dropped = 0, problems = []} = recording;
  document.title = `${name} – Inspector`;
  $("name").textContent = name;
  $("program").textContent = live ? `${program} · running` : program;
  $("identity").title = `Session ${session}\nStarted on ${day(start)} at ${clock(start)}, ${zone}\n`
    + `Plugins: ${plugins.join(", ") || "none"}`;
  showProblem([...problems, ...(dropped > 0 ? [`${number(dropped)} events were dropped.`] : [])].join(" "));
  search.showRecording(recording);
}

/** Hears how far the recording has come, and shows what is new at most four times a second. */
function listen() {
  let isWaiting = false;
  const show = async () => {
    if (isWaiting) return;
    isWaiting = true;
    await pause(250);
    isWaiting = false;
    timeline.grown();
    Object.assign(recording, await get("recording").catch(() => null));
    showRecording();
    figures.grown();
  };
  const changed = ({isWhole}) => {
    show();
    return isWhole && !recording.live;
  };
  const lost = error => showProblem(error?.message ?? "The program does not answer; the page tries again.");
  follow(changed, lost);
}

async function showView() {
  const module = views[state.view];
  document.body.dataset.view = module ? state.view : "timeline";
  for (const button of $("views").children) {
    button.setAttribute("aria-current", button.dataset.view === document.body.dataset.view);
  }
  $("view").hidden = !module;
  abort.abort();
  abort = new AbortController();
  try {
    await module?.show($("view"), {signal: abort.signal, recording});
  } catch (error) {
    if (!isAborted(error)) put($("compare-result") ?? $("view"), problem(error));
  }
}

const saveOrSay = path => save(path).catch(error => showProblem(error.message));

function startExport() {
  const menu = $("export");
  $("export-recording").addEventListener("click", () => saveOrSay("export"));
  menu.addEventListener("toggle", () => {
    const roots = /(?:^|\s)root:(\S+)/.exec(state.q)?.[1] ?? details.chosen()?.root;
    if (menu.open && roots) $("export-roots").value = roots;
  });
  $("export-form").addEventListener("submit", event => {
    event.preventDefault();
    const roots = $("export-roots").value.replaceAll(" ", "");
    if (roots) saveOrSay(`export/otlp?root=${encodeURIComponent(roots)}`);
  });
  document.addEventListener("pointerdown", ({target}) => { if (!menu.contains(target)) menu.open = false; });
}

/** The line between the timeline and the details: dragged, or moved by the arrow keys. */
function startSplitter() {
  const splitter = $("splitter");
  const move = width => {
    const kept = Math.round(Math.max(280, Math.min(innerWidth - 420, width)));
    document.body.style.setProperty("--details", `${kept}px`);
    localStorage.setItem("inspector.details", kept);
  };
  move(Number(localStorage.getItem("inspector.details")) || innerWidth * 0.36);
  splitter.addEventListener("pointerdown", event => splitter.setPointerCapture(event.pointerId));
  splitter.addEventListener("pointermove", event => {
    if (splitter.hasPointerCapture(event.pointerId)) move(innerWidth - event.clientX);
  });
  splitter.addEventListener("keydown", ({key}) => {
    if (/Left|Right/.test(key)) move($("details").offsetWidth + (key === "ArrowLeft" ? 24 : -24));
  });
}

/** Goes to the previous or next event of the chosen event's root. */
async function walkRoot(step) {
  const item = details.chosen();
  if (!item) return;
  const range = step < 0 ? `0-${item.seq - 1}` : `${item.seq + 1}-${Number.MAX_SAFE_INTEGER}`;
  const asked = {q: `root:${item.root} seq:${range}`, all: state.all, from: step < 0 ? -1 : 0, limit: 1};
  for (let answer = {}; !answer.done && state.seq === item.seq; await pause(100)) {
    answer = await get("events", asked);
    if (answer.rows.length > 0 && (answer.done || step > 0)) set({seq: answer.rows[0].seq}, "walk");
  }
}

const keys = [
  ["/", "Search"], ["j k ↓ ↑", "Next and previous event"], ["g G", "First and last event"],
  ["PgUp PgDn", "A page up and down"], ["[ ]", "Previous and next event of the same root"],
  ["Enter", "Open the details"], ["Escape", "Close; in the search field: clear"],
  ["1 2 3 4 5", "Event, Cause, Changes, State, Replay"], ["← →", "Fold and unfold in trees"],
  ["f", "Follow the newest events, or hold"], ["?", "These keys"]];
const filters = [
  ["milk", "A text anywhere; \"two words\" in quotes"], ["/mi[lk]+/i", "A regular expression, in bodies"],
  ["title=Milk", "A member with that value, at any depth"], ["type:Request*", "Types; * for anything"],
  ["layer:model", "model, viewModel or none"], ["kind:request", "request, response or fact"],
  ["origin:batch", "Who sent it"], ["root:12", "The events of one root"], ["seq:5-90", "A range of numbers"],
  ["is:input", "Inputs; is:failed failures"], ["-milk", "Not; before any of these"]];

function showHelp() {
  const table = (title, tag, rows) => h("section", {}, h("h3", {}, title),
    h("dl", {}, rows.map(([names, words]) =>
      [h("dt", {}, names.split(" ").map(name => h(tag, {}, name))), h("dd", {}, words)])));
  put($("help"), h("form", {method: "dialog"}, h("h2#help-title", {}, "Keys and filters"),
    h("button#help-close.quiet", {"aria-label": "Close"}, "✕")),
  h("div.columns", {}, table("Keys", "kbd", keys), table("Filters", "code", filters)),
  note("Words of a filter are separated by blanks; an event must match all of them."));
  $("help").showModal();
}

/** Keys of the timeline. */
const commands = {
  j: () => timeline.walk(1), k: () => timeline.walk(-1),
  g: () => timeline.walk(-Infinity), G: () => timeline.walk(Infinity),
  PageDown: () => timeline.walkPage(1), PageUp: () => timeline.walkPage(-1),
  Enter: () => state.seq === null ? timeline.walk(1) : set({open: true})};
Object.assign(commands, {ArrowDown: commands.j, ArrowUp: commands.k, Home: commands.g, End: commands.G});

/** Keys of every view. */
const generalCommands = {
  "/": () => $("search").select(), "?": showHelp, f: timeline.toggleFollow,
  "[": () => walkRoot(-1), "]": () => walkRoot(1),
  Escape: () => {
    if ($("export").open) $("export").open = false;
    else if (state.view !== "timeline") set({view: "timeline"});
    else if (state.seq !== null) set(state.field ? {field: ""} : {open: false});
  },
};
const showTab = tab => set({tab, open: true, view: "timeline"});
details.tabs.forEach((tab, at) => { generalCommands[at + 1] = () => showTab(tab); });

function keyed(event) {
  const {target, key} = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || $("help").open) return;
  const isField = target.matches("input:not([type=checkbox])");
  if (isField && key !== "Escape") return;
  if (isField) target.blur();
  if (target.matches("summary") && /Left|Right/.test(key)) target.parentElement.open = key === "ArrowRight";
  const isOfElement = key.length > 1 && target.matches("button, summary, a, input, #panel, #view, #splitter");
  const command = generalCommands[key] ?? (state.view === "timeline" && !isOfElement && commands[key]);
  if (!command) return;
  event.preventDefault();
  command();
}

start().catch(error => showProblem(error.message));
