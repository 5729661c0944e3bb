// A list of rows of one height, of which only the visible ones exist. They lie in a layer that sticks to the
// viewport, so a fast scroll never shows an empty area. Browsers limit an element's height (Firefox to 17.9
// million pixels): a longer list gets a lower one, where small steps move the rows by as many pixels, and a
// jump (the scroll bar) goes to the same fraction of the list.

import {h} from "./dom.js";

const greatestHeight = 8_000_000;
const between = (low, value, high) => Math.max(low, Math.min(high, value));

export class VirtualList {
  #count = 0; #top = 0; #scrollTop = 0; #frame = 0; #first = 0; #offset = 0;
  #pool = []; viewHeight = innerHeight;

  /** `create()` makes a row, `fill(row, index)` shows an item, `onRender(first, last)` hears what is seen. */
  constructor(scroller, {rowHeight, create, fill, onRender, onScroll}) {
    Object.assign(this, {scroller, rowHeight, create, fill, onRender, onScroll});
    this.layer = h("div.layer", {role: scroller.role === "grid" ? "rowgroup" : "presentation"});
    this.spacer = h("div", {role: "presentation"});
    scroller.append(this.layer, this.spacer);
    scroller.addEventListener("scroll", () => this.#scrolled(), {passive: true});
    new ResizeObserver(() => this.#resized()).observe(scroller);
    this.#resized();
  }

  get count() { return this.#count; }
  set count(count) {
    if (count === this.#count) return;
    this.#count = count;
    this.spacer.style.height = `${Math.min(count * this.rowHeight, greatestHeight)}px`;
    this.#moveTo(this.#top);
    this.refresh();
  }

  get #greatestTop() { return Math.max(0, this.#count * this.rowHeight - this.viewHeight); }
  get #greatestScroll() { return Math.min(this.#count * this.rowHeight, greatestHeight) - this.viewHeight; }
  get isAtEnd() { return this.#top >= this.#greatestTop - this.rowHeight; }
  get firstVisible() { return Math.floor(this.#top / this.rowHeight); }
  get lastVisible() {
    return Math.min(this.#count, Math.ceil((this.#top + this.viewHeight) / this.rowHeight)) - 1;
  }

  /** Moves as little as is needed to show the row, or so that it is in the middle. */
  show(index, isCentred = false) {
    const start = index * this.rowHeight;
    const end = start + this.rowHeight - this.viewHeight;
    if (start < this.#top) this.#moveTo(isCentred ? (start + end) / 2 : start);
    else if (end > this.#top) this.#moveTo(isCentred ? (start + end) / 2 : end);
  }

  /** Fills all visible rows again. */
  refresh() {
    for (const row of this.#pool) row.index = -1;
    this.#schedule();
  }

  #moveTo(top) {
    this.#top = between(0, top, this.#greatestTop);
    this.scroller.scrollTop = this.#top / (this.#greatestTop || 1) * this.#greatestScroll;
    this.#scrollTop = this.scroller.scrollTop;
    this.#schedule();
  }

  #scrolled() {
    const {scrollTop} = this.scroller;
    const step = scrollTop - this.#scrollTop;
    if (step === 0) return;
    this.#scrollTop = scrollTop;
    const isScaled = this.#greatestTop > this.#greatestScroll;
    const isAtEdge = scrollTop <= 0 || scrollTop >= this.#greatestScroll - 1;
    const isJump = isAtEdge || Math.abs(step) > 2 * this.viewHeight;
    if (!isScaled) this.#top = scrollTop;
    else if (isJump) this.#top = between(0, scrollTop / this.#greatestScroll, 1) * this.#greatestTop;
    else {
      this.#top = between(0, this.#top + step, this.#greatestTop);
      clearTimeout(this.placing);
      this.placing = setTimeout(() => this.#moveTo(this.#top), 150);
    }
    this.onScroll?.();
    this.#schedule();
  }

  #resized() {
    if (this.scroller.clientHeight === 0) return;
    const wasAtEnd = this.#count > 0 && this.isAtEnd;
    this.viewHeight = this.scroller.clientHeight;
    const bar = this.scroller.offsetWidth - this.scroller.clientWidth;
    this.scroller.parentElement.style.setProperty("--bar", `${bar}px`);
    while (this.#pool.length < this.viewHeight / this.rowHeight + 2) this.#pool.push(this.create());
    this.layer.append(...this.#pool);
    this.#moveTo(wasAtEnd ? this.#greatestTop : this.#top);
    this.refresh();
  }

  #schedule() {
    this.#frame ||= requestAnimationFrame(() => this.#render());
  }

  #render() {
    this.#frame = 0;
    const first = this.firstVisible;
    const {length} = this.#pool;
    // A jump changes what the rows show and moves none; a step moves some and changes only those.
    if (Math.abs(first - this.#first) >= length) this.#offset = first % length;
    this.#first = first;
    const base = first - (first - this.#offset + length) % length;
    this.layer.style.transform = `translateY(${Math.round(base * this.rowHeight - this.#top)}px)`;
    for (let index = first; index < first + length; index++) {
      const row = this.#pool[(index - base) % length];
      row.hidden = index >= this.#count;
      if (row.hidden) continue;
      const y = `translateY(${(index - base) * this.rowHeight}px)`;
      if (row.style.transform !== y) row.style.transform = y;
      if (row.index !== index) this.fill(row, row.index = index);
    }
    if (this.#count) this.onRender?.(first, this.lastVisible);
  }
}
