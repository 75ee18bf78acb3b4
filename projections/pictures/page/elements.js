// @ts-check
// Creates all elements of the page. Text from a log is always inserted as text, never as markup.

/** Returns an element of the page's HTML. @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Creates an HTML element with its content; strings become text.
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function made(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * Creates a table of names and values.
 * @param {[name: string, value: Value][]} rows
 */
function table(rows) {
  const cells = rows.map(([name, value]) => made("tr", {}, made("th", { scope: "row" }, name), made("td", {}, plain(value))));
  return made("table", { class: "pairs" }, made("tbody", {}, ...cells));
}

/** @param {Value} value @returns {string} */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (typeof value === "object") return Object.entries(value).map(([name, one]) => `${name} ${plain(one)}`).join(", ");
  return value === true ? "yes" : value === false ? "no" : String(value);
}

/**
 * Creates an SVG element.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function drawn(name, attributes) {
  const element = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", name));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** @param {string} text */
function titled(text) {
  const title = drawn("title", {});
  title.textContent = text;
  return title;
}

/** @type {(x: number, y: number, text: string, kind: string) => SVGElement} */
function written(x, y, text, kind) {
  const element = drawn("text", { x, y, class: kind });
  element.textContent = text;
  return element;
}

/** @type {(value: number, least: number, most: number) => number} */
function clamp(value, least, most) {
  return Math.max(least, Math.min(most, value));
}

const collator = new Intl.Collator("en", { numeric: true });

/** Compares names with numbers by value: athens-2 comes before athens-10. @type {(one: string, other: string) => number} */
function byName(one, other) {
  return collator.compare(one, other);
}

/** @type {(one: [string, unknown], other: [string, unknown]) => number} */
function byKey([one], [other]) {
  return byName(one, other);
}
