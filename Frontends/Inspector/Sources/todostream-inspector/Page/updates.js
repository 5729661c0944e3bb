// What the server reports as it happens: a line of JSON for each change, an empty one now and then. It is read as
// an answer without an end, as an EventSource can't send the secret.

import {open} from "./api.js";
import {pause} from "./dom.js";

/** How long it waits before it asks again, in milliseconds. */
const patience = 3000;

/**
 * Calls `changed(value)` at each change until that returns true. A connection that is lost is made again, after
 * `lost()`, unless the server refuses it: then `lost(error)` is the last call.
 */
export async function follow(changed, lost) {
  const abort = new AbortController();
  // A page that is left is none that the server waits for, also where the browser keeps it to come back to.
  addEventListener("pagehide", () => abort.abort());
  addEventListener("pageshow", ({persisted}) => { if (persisted) location.reload(); });
  for (;; await pause(patience)) {
    try {
      const {body} = await open("updates", {signal: abort.signal});
      if (await read(body, changed)) return abort.abort();
    } catch (error) {
      if (abort.signal.aborted) return;
      if (error.status) return lost(error);
    }
    lost();
  }
}

/** Reads the lines of a stream to its end; returns true once `changed` has. */
async function read(body, changed) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = "";;) {
    const {value, done} = await reader.read();
    if (done) return false;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    if (lines.some(line => line && changed(JSON.parse(line)))) return true;
  }
}
