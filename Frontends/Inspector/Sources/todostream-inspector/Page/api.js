// Questions to the server. An error has the server's own sentence, and for a filter its column.

import {headers} from "./secret.js";

export const isAborted = error => error.name === "AbortError";

const reached = promise => promise.catch(error => {
  throw isAborted(error) ? error : new Error("The server does not answer; is the program still running?");
});

/** Asks, and returns the response as soon as it begins. */
export async function open(path, options = {}) {
  const response = await reached(fetch(`api/${path}`, {...options, headers: {...headers(), ...options.headers}}));
  if (response.ok) return response;
  const {status} = response;
  const text = await reached(response.text());
  const {error = text, column} = parsed(text) ?? {};
  throw Object.assign(new Error(error || `The server answered with status ${status}.`), {column, status});
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return null; }
}

const ask = async (path, options) => reached((await open(path, options)).json());

/** Asks `path` with those parameters that have a value. */
export function get(path, parameters = {}, signal) {
  const given = Object.entries(parameters).filter(([, value]) => ![undefined, "", false].includes(value));
  const query = new URLSearchParams(given.map(([name, value]) => [name, value === true ? "1" : value]));
  return ask(`${path}?${query}`, {signal});
}

export const post = (path, body) => ask(path,
  {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});

/** Saves an answer as a file, under the name that the server gives it. */
export async function save(path) {
  const response = await open(path);
  const [, name] = /filename="(.+)"/.exec(response.headers.get("Content-Disposition")) ?? [];
  const address = URL.createObjectURL(await reached(response.blob()));
  Object.assign(document.createElement("a"), {href: address, download: name ?? ""}).click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
