// The view Figures: how many events over time, and how long requests take.

import {get} from "./api.js";
import {$, clock, day, duration, eventButton, h, muted, note, number, pause, plural, put} from "./dom.js";
import {set, state} from "./state.js";

const [width, height] = [1000, 160];

function svg(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Hears that the recording has grown. */
export let grown = () => {};

/** Shows what is counted so far; again as long as events come. */
export async function show(view, {signal, recording}) {
  for (;;) {
    const growth = new Promise(resolve => { grown = resolve; });
    const figures = await get("figures", {q: state.q.trim(), all: state.all}, signal);
    const {start, end, rate, requests, slowest, done} = figures;
    const total = rate.reduce((sum, bucket) => sum + bucket.count, 0);
    put(view, h("header.view-head", {}, h("h2", {}, "Figures"),
      muted(state.q.trim() ? `of the events that match ${state.q.trim()}` : "of all events"),
      !done && muted("still counting…")),
    h("h3", {}, "Events over time", muted(`${plural(total, "event")} in ${duration(end - start)}`),
      h("span#rate-read.muted")), total > 0 ? plot(figures) : note("No event matches."),
    h("div.columns", {},
      h("section", {}, h("h3", {}, "Latency by request"), latencies(requests)),
      h("section", {}, h("h3", {}, "Slowest"), slowestOf(slowest))));
    if (done && !recording.live) return;
    await (done ? growth : pause(300));
  }
}

function plot({start, end, rate}) {
  const peak = Math.max(...rate.map(bucket => bucket.count));
  const steps = rate.slice(1).map((bucket, at) => bucket.time - rate[at].time).filter(step => step > 0);
  const step = Math.min(Math.max(1, end - start), ...steps);
  const span = end - start + step;
  const label = `Events over time; the most are ${number(peak)} in ${duration(step)}`;
  const chart = svg("svg", {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", class: "rate",
    role: "img", "aria-label": label});
  for (const y of [4, height / 2 + 2]) chart.append(svg("path", {d: `M0 ${y}H${width}`, class: "grid"}));
  for (const {time, count} of rate.filter(bucket => bucket.count > 0)) {
    const tall = Math.max(1, count / peak * (height - 4));
    const bar = svg("rect", {x: (time - start) / span * width, width: Math.max(1, width * step / span - 0.8),
      y: height - tall, height: tall, class: "bar"});
    const read = () => { $("rate-read").textContent = `${clock(time)}: ${plural(count, "event")}`; };
    bar.addEventListener("pointerenter", read);
    chart.append(bar);
  }
  const texts = (name, ...parts) => h(`div.${name}`, {}, parts.map(part => h("span", {}, part)));
  return h("div.plot", {}, texts("scale", number(peak), number(Math.round(peak / 2)), "0"), chart,
    texts("times", `${day(start)}, ${clock(start)}`, `each bar ${duration(step)}`, clock(end)));
}

function bar(share, widest) {
  const mark = h("i.bar", {"aria-hidden": true});
  mark.style.width = `${share * widest}px`;
  return mark;
}

const columns = Object.entries(
  {count: "Count", p50: "Median", p90: "90 %", p99: "99 %", max: "Longest", failed: "Failed"});

function latencies(requests) {
  if (requests.length === 0) return note("There is no answered request.");
  const longest = Math.max(1, ...requests.map(row => row.p99));
  const cell = (row, name) => h(`td${name === "failed" && row.failed ? ".failed" : ""}`, {},
    name === "p99" && bar(row.p99 / longest, 60),
    name === "count" || name === "failed" ? number(row[name]) : duration(row[name]));
  const heads = [["", "Request"], ...columns].map(([, label]) => h("th", {scope: "col"}, label));
  return h("table#latencies.numbers", {}, h("thead", {}, h("tr", {}, heads)),
    h("tbody", {}, requests.map(row => h("tr", {"data-type": row.type}, h("th", {scope: "row"}, row.type),
      columns.map(([name]) => cell(row, name))))));
}

function slowestOf(rows) {
  const open = seq => set({view: "timeline", seq, open: true});
  return h("ol#slowest", {}, rows.map(row => h("li", {}, eventButton(row, open),
    h("span.amount", {}, bar(row.latency / Math.max(1, rows[0].latency), 80), duration(row.latency)))));
}
