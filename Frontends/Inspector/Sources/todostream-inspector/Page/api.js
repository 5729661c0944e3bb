// Questions to the server. An error has the server's own sentence, and for a filter its column.

export const isAborted = error => error.name === "AbortError";

async function ask(path, options) {
  const response = await fetch(`api/${path}`, options).catch(error => {
    throw isAborted(error) ? error : new Error("The server does not answer; is the program still running?");
  });
  const value = await response.json().catch(error => { if (isAborted(error)) throw error; });
  if (response.ok && value) return value;
  const message = value?.error ?? `The server answered with status ${response.status}.`;
  throw Object.assign(new Error(message), {column: value?.column});
}

/** Asks `path` with those parameters that have a value. */
export function get(path, parameters = {}, signal) {
  const given = Object.entries(parameters).filter(([, value]) => ![undefined, "", false].includes(value));
  const query = new URLSearchParams(given.map(([name, value]) => [name, value === true ? "1" : value]));
  return ask(`${path}?${query}`, {signal});
}

const headers = {"X-Inspector": "1", "Content-Type": "application/json"};
export const post = (path, body) => ask(path, {method: "POST", headers, body: JSON.stringify(body)});
