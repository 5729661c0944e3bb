// The tab Replay: the recording is carried out again, and the first event that differs is shown.

import {get, post} from "./api.js";
import {differences, marked} from "./changes.js";
import {choose} from "./details.js";
import {eventButton, h, muted, note, number, pause, plural, problem, put} from "./dom.js";

const result = h("div#replay-result", {"aria-live": "polite"});
let isRunning = false;

export function show(panel, item, {recording}) {
  const button = (id, label, until) => h(`button#${id}.replay`,
    {disabled: !recording.replayable || isRunning, onclick: () => start(until)}, label);
  put(panel, h("p.note", {}, recording.replayable
    ? "Carries the recorded inputs out again in a new program and compares each event with the recorded one."
    : "This recording can't be replayed."),
  h("p.buttons", {}, button("replay-until", `Run to event ${item.seq}`, item.seq),
    button("replay-whole", "Run the whole recording")), result);
}

function setRunning(value) {
  isRunning = value;
  for (const button of document.querySelectorAll(".replay")) button.disabled = value;
}

async function start(until) {
  setRunning(true);
  const bar = h("progress#replay-progress", {max: 1, value: 0, "aria-label": "Replayed"});
  const text = h("span#replay-count", {}, "Starting…");
  const cancel = h("button#replay-cancel", {onclick: () => post("replay", {cancel: true})}, "Cancel");
  put(result, bar, h("p.buttons", {}, text, cancel));
  try {
    let answer = await post("replay", {until});
    for (; answer.running; answer = await get("replay")) {
      bar.value = answer.replayed / (answer.events || 1);
      text.textContent = `${number(answer.replayed)} of ${plural(answer.events, "event")}`;
      await pause(200);
    }
    put(result, outcome(answer, until));
  } catch (error) {
    put(result, problem(error));
  }
  setRunning(false);
}

function outcome({replayed, divergence, cancelled, error}, until) {
  if (error) return problem({message: error});
  if (cancelled) return note(`Cancelled after ${plural(replayed, "event")}.`);
  const range = until === undefined ? "" : ` up to event ${until}`;
  if (!divergence) {
    return h("p#replay-same.success", {}, `${plural(replayed, "event")} replayed${range}: all as recorded.`);
  }
  const {event, place, expected, got, path = []} = divergence;
  return [
    h("p#replay-divergence.problem", {}, `Event ${event} differs from the recording. `, muted(place)),
    h("ul.differences", {}, divergence.differences?.map(difference)), h("div.sides", {}, sides(expected, got)),
    path.length > 0 && h("h3", {}, "Path to it"),
    h("ol.path", {}, path.toReversed().map(row =>
      h("li", {}, eventButton({seq: row.event, type: row.type}, choose), muted(row.origin)))),
  ];
}

/** `body.title: "Milk" | "Call"` with its two sides told apart. */
export function difference(text) {
  const [, name, before, after] = /^(.*?): (.*) \| (.*)$/s.exec(text) ?? [];
  const sides = [muted(name), " ", h("span.before", {}, before), " ", h("span.after", {}, after)];
  return h("li", {}, name === undefined ? text : sides);
}

function sides(expected, got) {
  const parsed = text => { try { return JSON.parse(text); } catch { return text; } };
  const fields = differences(parsed(expected), parsed(got));
  return [["Expected", "before"], ["Got", "after"]].map(([title, side], at) => h(`section.${side}`, {},
    h("h4", {}, title), fields.map(field => h("div", {}, muted(`${field.path.join(".")} `),
      field.isSame ? JSON.stringify(field[side]) : marked(field.before, field.after)[at]))));
}
