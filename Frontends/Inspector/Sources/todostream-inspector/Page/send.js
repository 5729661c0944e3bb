// Sending a command, with the completion of the program's catalogue.

import {get, post} from "./api.js";
import {choose} from "./details.js";
import {$, debounce, h, muted, put} from "./dom.js";
import {observe, set, state} from "./state.js";

let [candidates, chosen, asked] = [[], -1, 0];

export function start() {
  Object.assign($("send-toggle"), {hidden: false, onclick: () => set({send: !state.send})});
  Object.assign($("send-line"), {oninput: debounce(80, complete), onkeydown: keyed, onblur: () => offer([])});
  $("send-form").onsubmit = send;
  observe(changed => { if (changed("send")) showFrame(); });
  showFrame();
}

function showFrame() {
  $("send").hidden = !state.send;
  $("send-toggle").setAttribute("aria-expanded", state.send);
  if (state.send) $("send-line").focus();
}

async function complete() {
  const line = $("send-button").disabled ? "" : $("send-line").value;
  const question = ++asked;
  const answer = line ? await get("complete", {line}).catch(() => null) : null;
  if (question === asked) offer(answer?.candidates ?? []);
}

function offer(list, at = -1) {
  if (list.length === 0) asked++;
  [candidates, chosen] = [list, at];
  $("send-candidates").hidden = list.length === 0;
  $("send-line").setAttribute("aria-expanded", list.length > 0);
  $("send-line").setAttribute("aria-activedescendant", at < 0 ? "" : `candidate-${at}`);
  put($("send-candidates"), list.map(({word, summary}, index) => h(`li#candidate-${index}`, {
    role: "option", "aria-selected": index === at, "data-word": word,
    onpointerdown: event => { event.preventDefault(); accept(word); },
  }, h("strong", {}, word), muted(summary))));
  $(`candidate-${at}`)?.scrollIntoView({block: "nearest"});
}

/** Puts a candidate in the place of the last word. */
function accept(word) {
  $("send-line").value = `${$("send-line").value.replace(/\S*$/, "")}${word} `;
  complete();
}

function keyed(event) {
  const count = candidates.length;
  if (event.key === "ArrowDown" && count) offer(candidates, (chosen + 1) % count);
  else if (event.key === "ArrowUp" && count) offer(candidates, (Math.max(0, chosen) + count - 1) % count);
  else if (event.key === "Tab" && count && !event.shiftKey) accept(candidates[Math.max(0, chosen)].word);
  else if (event.key === "Enter" && chosen >= 0) accept(candidates[chosen].word);
  else if (event.key === "Escape" && count) offer([]);
  else if (event.key === "Escape") set({send: false});
  else return;
  event.preventDefault();
}

async function send(event) {
  event.preventDefault();
  const line = $("send-line").value.trim();
  if (!line) return;
  offer([]);
  $("send-button").disabled = true;
  const {output, failed, seq} = await post("send", {line})
    .catch(error => ({output: error.message, failed: true, seq: null}));
  $("send-button").disabled = false;
  if (!failed) $("send-line").value = "";
  const link = seq && h("button.link", {"data-seq": seq, onclick: () => choose(seq)}, `event ${seq}`);
  $("send-log").append(h(`div.sent${failed ? ".failed" : ""}`, {}, h("p", {}, `› ${line}`, link),
    h("pre", {}, output)));
  $("send-log").scrollTop = $("send-log").scrollHeight;
}
