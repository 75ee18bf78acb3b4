// @ts-check
// Reads the data in the page once: facts, sentences, records and states. Nothing here draws.

/** The distance between cached states; a state in between is computed from the one before. */
const KEPT = 64;

let facts = /** @type {Facts} */ ({});

/** @type {Map<string, Spot>} Where places lie. */
let spots = new Map();

/** @type {Map<string, string>} Places that are drawn in another. */
let within = new Map();

/** @type {Map<string, SideLook>} */
let looks = new Map();

/** @type {Entry[]} One a position, from `facts.first`. */
let entries = [];

/** @type {Patch[]} One a position: the first is a state, each other makes the next from it. */
let patches = [];

/** @type {Order[]} */
let orders = [];

/** @type {State[]} A state every so many positions, made when it is asked for. */
const keptStates = [];

/** The last computed state, and its index in `patches`. */
let lately = { number: -1, state: /** @type {State} */ ({}) };

/** The sentences of orders, by their first position. */
const told = readTrail(blockText("trail"));

/** @param {string} id */
function blockText(id) {
  return document.getElementById(id)?.textContent ?? "";
}

/** Reads the compressed blocks. No other function may be called before it ends. */
async function readBlocks() {
  facts = await unpacked("facts");
  [entries, patches] = await Promise.all([unpacked("records"), unpacked("states")]);
  spots = new Map(Object.entries(facts.map.spots));
  within = new Map(Object.entries(facts.map.within));
  looks = new Map(facts.sides.map((look) => [look.side, look]));
  orders = ordersOf(entries);
}

/**
 * Returns the JSON in a gzipped block. Throws an error if the block is damaged.
 * @param {string} id
 */
async function unpacked(id) {
  try {
    return JSON.parse(await inflated(id));
  } catch {
    throw new Error(`block "${id}" of this file is damaged, or the browser is too old`);
  }
}

/** @param {string} id */
function inflated(id) {
  const coded = atob(blockText(id).trim());
  const bytes = new Uint8Array(coded.length);
  for (let at = 0; at < coded.length; at++) bytes[at] = coded.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/**
 * Reads the lines of the trail from the list in `noscript`, where they are plain text.
 * @param {string} text
 */
function readTrail(text) {
  /** @type {Map<number, string>} */
  const sentences = new Map();
  for (const line of text.split("\n")) {
    const found = /^<li id=(\d+)[^>]*>(.*)$/.exec(line);
    if (found) sentences.set(Number(found[1]), unescaped(found[2] ?? ""));
  }
  return sentences;
}

/** @param {string} text */
function unescaped(text) {
  return text.includes("&") ? text.replaceAll("&lt;", "<").replaceAll("&amp;", "&") : text;
}

/** @param {Entry[]} all */
function ordersOf(all) {
  /** @type {Order[]} */
  const found = [];
  all.forEach((entry, number) => {
    const at = facts.first + number;
    const newest = found.at(-1);
    if (newest && all[number - 1]?.o === entry.o) newest.last = at;
    else found.push({ first: at, last: at });
  });
  return found;
}

// --- records ----------------------------------------------------------------------------------------------------------

/** @param {number} at a position of the page */
function record(at) {
  return entries[at - facts.first] ?? { o: at };
}

/** @param {number} at a position */
function sentence(at) {
  return record(at).m ?? told.get(at) ?? "";
}

/** @param {Order} order */
function orderSentence(order) {
  return told.get(record(order.first).o) ?? sentence(order.first);
}

/** @param {number} at a position */
function counts(at) {
  return record(at).c === 1;
}

/**
 * Returns the index in `orders` of the order that contains a position.
 * @param {number} at
 */
function orderNumber(at) {
  return lastUpTo(orders, (order) => order.first, at);
}

/**
 * Returns the index of the last item whose position is not after a given position; -1 if none. Items must be in order.
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => number} position
 * @param {number} at
 */
function lastUpTo(items, position, at) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (position(/** @type {T} */ (items[middle])) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// --- states -----------------------------------------------------------------------------------------------------------

/**
 * Returns the state at a position. States share unchanged parts, so they must not be modified.
 * @param {number} at
 */
function stateAt(at) {
  const wanted = at - facts.first;
  let number = wanted - (wanted % KEPT);
  while (number > 0 && !keptStates[number / KEPT]) number -= KEPT;
  keptStates[0] ??= /** @type {State} */ (patched(undefined, patches[0]));
  let state = /** @type {State} */ (keptStates[number / KEPT]);
  if (lately.number > number && lately.number <= wanted) ({ number, state } = lately);
  while (number < wanted) {
    number += 1;
    state = /** @type {State} */ (patched(state, patches[number]));
    if (number % KEPT === 0) keptStates[number / KEPT] = state;
  }
  lately = { number, state };
  return state;
}

/**
 * Returns a copy of a value with a merge patch applied (RFC 7396). New objects have no prototype, so that a unit may have
 * any name.
 * @param {unknown} before
 * @param {Patch} patch
 * @returns {unknown}
 */
function patched(before, patch) {
  if (!isTable(patch)) return patch;
  /** @type {Record<string, unknown>} */
  const after = Object.assign(Object.create(null), isTable(before) ? before : undefined);
  for (const name of Object.keys(patch)) {
    if (patch[name] === null) delete after[name];
    else after[name] = patched(after[name], patch[name]);
  }
  return after;
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isTable(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
