// The secret that the server asks for. The printed address has it in its fragment, which no browser sends. From
// there it goes into the storage of this tab and origin, so that a reload has it: another port is another origin,
// whereas a cookie would go to every port. The address and the history of the tab keep nothing of it.

const name = "inspector.secret";

/** Takes the secret out of the address; false if it has none. */
function take() {
  const values = new URLSearchParams(location.hash.slice(1));
  const given = values.get("token");
  if (!given) return false;
  sessionStorage.setItem(name, given);
  values.delete("token");
  history.replaceState(null, "", location.pathname + (values.size > 0 ? `#${values}` : ""));
  return true;
}

take();

// The printed address in a tab that shows the page already: only the fragment changes, and nothing is loaded.
addEventListener("hashchange", () => { if (take()) location.reload(); });

/** What each question to the server has. */
export const headers = () => ({Authorization: `Bearer ${sessionStorage.getItem(name) ?? ""}`});
