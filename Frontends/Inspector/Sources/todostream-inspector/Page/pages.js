// The matches of one filter, as far as they are seen: pages of rows from the server, the nearest ones kept.

import {get, isAborted} from "./api.js";

const pageSize = 200;
const keptPages = 60;
const requestsAtOnce = 2;
const pageOf = index => Math.floor(index / pageSize);

export class Pages {
  total = 0; scanned = 0; events = 0;
  isDone = false; error = null;
  #pages = new Map();
  #wanted = [0, 0];
  #running = new Set();
  #abort = new AbortController();

  /** `onChange(pages)` hears of each answer. */
  constructor(q, all, onChange) {
    Object.assign(this, {q, all, onChange});
    this.refresh();
  }

  close() {
    this.#abort.abort();
    for (const timer of [this.polling, this.resting]) clearTimeout(timer);
  }

  row(index) { return this.#pages.get(pageOf(index ?? NaN))?.[index % pageSize]; }

  /** Asks for what is missing between two rows; in a fast scroll, once it comes to rest. */
  want(first, last) {
    const isFast = Math.abs(first - this.#wanted[0]) > pageSize;
    this.#wanted = [first, Math.min(last, this.total - 1)];
    clearTimeout(this.resting);
    if (isFast) this.resting = setTimeout(() => this.want(first, last), 60);
    else for (let index = first; index <= this.#wanted[1] && this.#running.size < requestsAtOnce; index++) {
      if (!this.row(index) && !this.#running.has(pageOf(index))) this.#fetch(pageOf(index));
    }
  }

  /** Asks how many matches there are, with the last ones if `isAtEnd`; again until all is searched. */
  async refresh(isAtEnd = false) {
    clearTimeout(this.polling);
    const isFirst = this.#pages.size === 0;
    const answer = await this.#ask(isAtEnd ? -1 : 0, isAtEnd || isFirst ? pageSize : 1);
    if (answer && !this.isDone) this.polling = setTimeout(() => this.refresh(isAtEnd), 200);
  }

  /** Finds the place of the first match from `seq` on, by interpolation; null if there is none (yet). */
  async locate(seq) {
    let [low, high] = [{position: -1, seq: 0}, {position: this.total, seq: Math.max(this.events, seq) + 1}];
    for (let step = 1; high.position - low.position > 1; step++) {
      const share = step % 3 === 0 ? 0.5 : (seq - low.seq) / (high.seq - low.seq);
      const guess = Math.round(low.position + share * (high.position - low.position));
      const index = Math.max(low.position + 1, Math.min(high.position - 1, guess));
      if (!this.row(index)) await this.#fetch(pageOf(index));
      if (!this.row(index)) return null;
      const rows = Object.values(this.#pages.get(pageOf(index)));
      low = rows.findLast(row => row.seq < seq) ?? low;
      high = rows.find(row => row.seq >= seq) ?? high;
    }
    return high.position < this.total ? high.position : null;
  }

  async #fetch(page) {
    this.#running.add(page);
    const answer = await this.#ask(page * pageSize, pageSize);
    this.#running.delete(page);
    if (answer) this.want(...this.#wanted);
    return answer;
  }

  async #ask(from, limit) {
    let answer = null;
    try {
      answer = await get("events", {q: this.q, all: this.all, from, limit}, this.#abort.signal);
      const {total, scanned, events, done, rows} = answer;
      Object.assign(this, {error: null, total: Math.max(this.total, total), scanned, events, isDone: done});
      for (const row of rows) this.#keep(row);
      this.#release();
    } catch (error) {
      if (isAborted(error)) return null;
      Object.assign(this, {error, isDone: true});
    }
    this.onChange(this);
    return answer;
  }

  #keep(row) {
    const page = pageOf(row.position);
    if (!this.#pages.has(page)) this.#pages.set(page, []);
    this.#pages.get(page)[row.position % pageSize] = row;
  }

  #release() {
    const distance = page => Math.abs(page - pageOf(this.#wanted[0]));
    const farthest = [...this.#pages.keys()].sort((a, b) => distance(b) - distance(a));
    for (const page of farthest.slice(0, -keptPages)) this.#pages.delete(page);
  }
}
