// The tab Event: what the event says, where it comes from, what answered it.

import {choose} from "./details.js";
import {clock, day, duration, eventButton, eventName, h, muted, note, number, plural, put, rootColour}
  from "./dom.js";
import {withField} from "./filter.js";
import {set, state} from "./state.js";
import {jsonTree} from "./tree.js";

export function show(panel, item, {recording}) {
  const fact = (name, ...value) => [h("dt", {}, name), h("dd", {}, value)];
  const link = (id, text, onclick, seq) => h(`button#${id}.link`, {onclick, "data-seq": seq}, text);
  const root = h("span.root-name", {}, item.root);
  root.style.setProperty("--root", rootColour(item.root));
  const onlyRoot = () => set({q: `root:${item.root}`, view: "timeline"});
  const layer = {model: "model", viewModel: "view model"}[item.layer] ?? "no layer";
  const {kind, reply, answers, latency, consequences, source, ids = []} = item;
  put(panel, h("dl.facts", {},
    fact("Time", clock(item.time),
      muted(`${day(item.time)} · ${duration(Math.max(0, item.time - recording.start))} after the start`)),
    fact("Kind", kind ?? "none", muted(layer)),
    fact("Origin", item.origin),
    fact("Root", root, h("button#only-root.quiet", {onclick: onlyRoot}, "Only this root")),
    kind === "request" && fact("Reply",
      reply === null ? muted("none") : link("reply", `event ${reply}`, () => choose(reply), reply),
      latency !== null && muted(`after ${duration(latency)}`)),
    answers && fact("Answers", link("answers", `event ${answers}`, () => choose(answers), answers)),
    fact("Caused", consequences === 0 ? muted("nothing")
      : link("to-cause", plural(consequences, "event"), () => set({tab: "cause"}))),
    source && fact("Source", h("code#source", {}, source),
      h("button#from-source.quiet", {onclick: () => set({q: withField("", "source", source), view: "timeline"})}, "All from here")),
    fact("Size", plural(item.size, "byte"), item.line && muted(`line ${number(item.line)} of the recording`)),
    ids.length > 0 && fact("Drawn", ids.map(id => h("code", {}, String(id))))), pathOf(item), bodyOf(item));
}

const pathOf = item => item.path.length === 0 ? note("No event caused this one: it is a root.")
  : [h("h3", {}, "Path from its root"), h("ol#path.path", {},
    item.path.toReversed().map(row => h("li", {}, eventButton(row, choose))),
    h("li.here", {"aria-current": true}, eventName(item)))];

function bodyOf(item) {
  if (item.preview === null) return [h("h3", {}, "Body"), note("No body was recorded.")];
  const write = () => navigator.clipboard.writeText(JSON.stringify(item.body, null, 2)).then(
    () => { copy.textContent = "Copied"; }, () => { copy.textContent = "The browser does not allow it"; });
  const copy = h("button#copy.quiet", {onclick: write}, "Copy JSON");
  const find = (name, value) => set({q: withField(state.q, name, value), view: "timeline"});
  return [h("h3", {}, "Body", copy), jsonTree(item.body, find)];
}
