// The words of a filter, as far as the page itself reads and writes them; the server says what they mean.

const word = /(-?)(?:(type|origin|layer|kind|root|seq|is):)?((?:[^\s":=]+=)?"(?:[^"\\]|\\.)*"?|\S+)/g;

/** [{isInverse, key, values, text}]: `key` is null for other words than `key:value,value`. */
const wordsOf = q => [...q.matchAll(word)].map(([text, minus, key = null, rest]) => ({
  text, key, isInverse: minus === "-", values: key ? rest.replaceAll('"', "").split(",") : []}));

const textOf = word => word.key ? `${word.isInverse ? "-" : ""}${word.key}:${word.values.join()}` : word.text;
const join = words => words.filter(({key, values}) => !key || values.length > 0).map(textOf).join(" ");

/** A value as it is written in a filter: a wildcard stands for blanks and commas, which have a meaning. */
const written = value => value.replace(/[\s,]+/g, "*");
const escaped = text => text.replace(/[^\w\s]/gu, "\\$&");

const matches = (pattern, value) => pattern === value || (pattern.includes("*")
  && new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`, "s").test(value));

/** Whether the words of `key` let a value through. */
export const isShown = (q, key, value) => wordsOf(q).filter(word => word.key === key)
  .every(word => word.values.some(pattern => matches(pattern, value)) !== word.isInverse);

/** The filter with a value switched on or off. */
export function toggled(q, key, value) {
  const words = wordsOf(q);
  const isOn = !isShown(q, key, value);
  for (const word of words.filter(word => word.key === key && word.isInverse === isOn)) {
    word.values = word.values.filter(pattern => isOn ? !matches(pattern, value) : pattern !== written(value));
  }
  if (words.some(word => word.key === key) && isShown(join(words), key, value) === isOn) return join(words);
  const same = isOn && words.find(word => word.key === key && !word.isInverse);
  if (same) same.values.push(written(value));
  else words.push({key, isInverse: !isOn, values: [written(value)]});
  return join(words);
}

/** The filter with only this value of `key`. */
export const only = (q, key, value) =>
  join([...wordsOf(q).filter(word => word.key !== key), {key, values: [written(value)]}]);

/** The filter with a further word, `name=value`. */
export function withField(q, name, value) {
  const isPlain = /^[\w.-]+$/.test(value);
  const added = `${name}=${isPlain ? value : `"${String(value).replace(/["\\]/g, "\\$&")}"`}`;
  return q.includes(added) ? q : `${q} ${added}`.trim();
}

/** An expression for the texts that are searched for, to mark them; null without any. */
export function textsOf(q) {
  const texts = wordsOf(q).filter(({key, isInverse, text}) => !key && !isInverse && !/^\/.*\/i?$/.test(text))
    .map(({text}) => text.replace(/^[^\s"]+=/, "").replace(/^"|"$/g, "")).filter(text => text.length > 1);
  return texts.length > 0 ? new RegExp(`(${texts.map(escaped).join("|")})`, "i") : null;
}
