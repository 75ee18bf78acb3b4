// @ts-check
// Shows the audit trail by order, with filters and a search.

// --- what is listed ---------------------------------------------------------------------------------------------------

/** The most dice to draw next to the sentence of an order. */
const MOST_DICE = 4;

/** @type {{kind: "order" | "step", number: number}[]} Orders, by their number, and the steps that begin between them. */
let listed = [];

/** @type {number[]} Where in `listed` an order is, by the order's number; -1 for one that is not. */
let rowOfOrder = [];

/** @type {Set<number>} The orders that a reader unfolded. */
const unfolded = new Set();

/** The index of the order that the page shows. */
let presentOrder = -1;

/** @type {string[]} What is searched, an order each; in small letters. */
let haystacks = [];

const wanted = { words: /** @type {string[]} */ ([]), side: "", unit: "", step: "", rule: "" };

/** The range of records whose lines failed the check. */
let doubtful = { from: Infinity, to: -Infinity };

const trail = new LongList(byId("rows"), (number) => {
  const row = /** @type {{kind: string, number: number}} */ (listed[number]);
  return row.kind === "step" ? stepRow(row.number) : orderRow(row.number);
});

function openTrail() {
  fillChoices();
  const search = /** @type {HTMLInputElement} */ (byId("search"));
  search.addEventListener("input", () => seek(search.value));
  for (const kind of /** @type {const} */ (["side", "unit", "step", "rule"])) {
    const choice = /** @type {HTMLSelectElement} */ (byId(`filter-${kind}`));
    choice.addEventListener("change", () => narrow({ [kind]: choice.value }));
  }
  byId("undone").addEventListener("change", list);
  byId("filters").addEventListener("submit", (event) => {
    event.preventDefault();
    found(search.value);
  });
  byId("rows").addEventListener("click", trailClicked);
  document.addEventListener("umpire:verdict", (event) => doubt(/** @type {CustomEvent} */ (event).detail));
  makeList();
}

function fillChoices() {
  /** @type {[string, Iterable<[string, string]>][]} */
  const choices = [
    ["side", facts.sides.filter((look) => look.side).map((look) => [look.side, look.name])],
    ["unit", names(entries.flatMap((entry) => entry.u ?? []))],
    ["step", new Map(facts.steps.map(([, label, name]) => [label, `${label} ${name}`]))],
    ["rule", names(entries.map((entry) => entry.r ?? ""))],
  ];
  for (const [kind, options] of choices) {
    const all = made("option", { value: "" }, `any ${kind}`);
    const each = [...options].map(([value, words]) => made("option", { value }, words));
    byId(`filter-${kind}`).replaceChildren(all, ...each);
  }
}

/** @type {(all: string[]) => [string, string][]} */
function names(all) {
  return [...new Set(all)].filter(Boolean).sort(byName).map((name) => [name, name]);
}

/** Lists the matching orders, and scrolls to the order at the current position. */
function list() {
  makeList();
  drawTrail(player.at);
}

function makeList() {
  const fits = orders.map((order, number) => number).filter(fitting);
  listed = withSteps(fits);
  rowOfOrder = new Array(orders.length).fill(-1);
  listed.forEach((row, at) => row.kind === "order" && (rowOfOrder[row.number] = at));
  const all = orders.filter((order) => undoneToo() || counts(order.last)).length;
  byId("found").textContent = fits.length === all ? "" : `${fits.length} of ${countOf(all, "order")}`;
  trail.show(listed.length);
}

function undoneToo() {
  return /** @type {HTMLInputElement} */ (byId("undone")).checked;
}

/** @param {number[]} fits the numbers of orders */
function withSteps(fits) {
  /** @type {typeof listed} */
  const rows = [];
  let [step, headed] = [0, -1];
  for (const number of fits) {
    const first = orders[number]?.first ?? 0;
    while (step < facts.steps.length && (facts.steps[step]?.[0] ?? 0) < first) step += 1;
    if (step - 1 > headed) rows.push({ kind: "step", number: (headed = step - 1) });
    rows.push({ kind: "order", number });
  }
  return rows;
}

/** @param {number} number of an order */
function fitting(number) {
  const order = /** @type {Order} */ (orders[number]);
  if (!undoneToo() && !counts(order.last)) return false;
  if (wanted.words.length && !wanted.words.every((word) => haystack(number).includes(word))) return false;
  if (wanted.side && sideOf(record(order.first).w ?? "") !== wanted.side) return false;
  if (!wanted.unit && !wanted.step && !wanted.rule) return true;
  return positionsOf(order).some((at) => {
    const { u, s, r } = record(at);
    return (!wanted.unit || u?.includes(wanted.unit)) && (!wanted.step || s === wanted.step) && (!wanted.rule || r === wanted.rule);
  });
}

/** @param {string} seat */
function sideOf(seat) {
  return facts.seats?.[seat] ?? seat;
}

/** @param {Order} order */
function positionsOf(order) {
  return Array.from({ length: order.last - order.first + 1 }, (_, at) => order.first + at);
}

// --- search -----------------------------------------------------------------------------------------------------------

/** @param {string} text */
function seek(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.join(" ") === wanted.words.join(" ")) return;
  wanted.words = words;
  list();
}

/** Handles Enter in the search: shows the record with a number, otherwise the next matching order. @param {string} text */
function found(text) {
  const number = /^\s*#?(\d+)\s*$/.exec(text);
  const position = number ? Number(number[1]) : NaN;
  if (position >= facts.first && position <= facts.last) return go(position);
  const fits = listed.filter((row) => row.kind === "order").map((row) => /** @type {Order} */ (orders[row.number]));
  const next = fits.find((order) => order.first > player.at) ?? fits[0];
  if (next) go(next.first);
}

/** Returns the searchable text of an order, computed at the first call. @param {number} number */
function haystack(number) {
  return (haystacks[number] ??= searchable(/** @type {Order} */ (orders[number])).toLowerCase());
}

/** @param {Order} order */
function searchable(order) {
  const parts = [orderSentence(order)];
  for (let at = order.first; at <= order.last; at++) {
    const { s = "", w = "", r = "", u = [] } = record(at);
    parts.push(`#${at}`, sentence(at), s, w, r, ...u);
  }
  return parts.join(" ");
}

/** Computes the searchable texts while the browser is idle, so that the first search is fast. */
function prepareSearch(from = 0) {
  const until = Math.min(orders.length, from + 500);
  for (let number = from; number < until; number++) haystack(number);
  if (until < orders.length) setTimeout(prepareSearch, 20, until);
}

/** Sets filters, and shows them in the form. @param {Partial<Record<"side" | "unit" | "step" | "rule", string>>} filters */
function narrow(filters) {
  for (const [kind, value] of Object.entries(filters)) {
    /** @type {HTMLSelectElement} */ (byId(`filter-${kind}`)).value = value;
  }
  Object.assign(wanted, filters);
  list();
}

/** Removes all filters; returns false if there were none. */
function clearFilters() {
  const search = /** @type {HTMLInputElement} */ (byId("search"));
  const any = search.value || wanted.side || wanted.unit || wanted.step || wanted.rule;
  if (!any) return false;
  search.value = "";
  wanted.words = [];
  narrow({ side: "", unit: "", step: "", rule: "" });
  return true;
}

// --- rows -------------------------------------------------------------------------------------------------------------

/** @param {number} number of a step */
function stepRow(number) {
  const [position, label, name] = facts.steps[number] ?? [0, "", ""];
  return made("li", { class: "step" }, link(position, `${label} ${name}`), made("small", {}, `turn ${turnAt(position)}`));
}

/** @param {number} number of an order */
function orderRow(number) {
  const order = /** @type {Order} */ (orders[number]);
  const { first, last } = order;
  const open = unfolded.has(number) || number === presentOrder;
  const row = made("li", { class: `order ${orderMarks(order)}`, "data-order": String(number), "data-n": String(first) });
  const fold = made("button", { type: "button", class: "fold", "aria-expanded": String(open), "aria-label": `Records of #${first}` });
  if (!hasRecords(order)) fold.style.visibility = "hidden";
  row.append(fold, link(first), seatMark(record(first).w ?? ""), made("span", { class: "words" }, ...marked(linked(orderSentence(order)))));
  row.append(made("span", { class: "marks" }, ...(counts(last) ? [] : ["undone "]), ...smallDice(order)));
  if (open) row.append(recordRows(order));
  markNow(row, first, number === presentOrder && !hasRecords(order));
  return row;
}

/** Draws the first dice of an order in a small size. @param {Order} order */
function smallDice(order) {
  const rolls = positionsOf(order).flatMap((at) => record(at).x ?? []);
  return rolls.flatMap(rollParts).slice(0, MOST_DICE);
}

/** Returns whether an order has records to list below its sentence. @param {Order} order */
function hasRecords({ first, last }) {
  return last > first || sentence(first) !== orderSentence({ first, last });
}

/** @param {Order} order */
function orderMarks({ first, last }) {
  return [!counts(last) && "undone", inDoubt(first, last) && "doubtful"].filter(Boolean).join(" ");
}

/** @param {Order} order */
function recordRows(order) {
  const rows = made("ol", {});
  const marks = positionsOf(order).filter((at) => record(at).k && at !== player.at);
  for (const at of positionsOf(order)) {
    if (!marks.includes(at)) rows.append(recordRow(at));
  }
  if (!marks.length) return rows;
  const more = made("button", { type: "button", class: "more" }, `${marks.length} internal to the rules`);
  rows.append(made("li", { class: "kept" }, more));
  more.addEventListener("click", () => rows.replaceChildren(...positionsOf(order).map(recordRow)));
  return rows;
}

/** @param {number} at */
function recordRow(at) {
  const { r = "", x } = record(at);
  const row = made("li", { class: `${x ? "roll" : ""} ${counts(at) ? "" : "undone"} ${inDoubt(at, at) ? "doubtful" : ""}`, "data-n": String(at) });
  row.append(link(at), made("span", { class: "words" }, ...marked(linked(sentence(at)))));
  if (r) row.append(made("small", {}, r));
  markNow(row, at, at === player.at);
  return row;
}

/** @type {(row: HTMLElement, at: number, now: boolean) => void} */
function markNow(row, at, now) {
  row.classList.toggle("now", now);
  if (now) row.setAttribute("aria-current", "true");
  else row.removeAttribute("aria-current");
}

/** @type {(at: number, words?: string) => HTMLElement} */
function link(at, words = `#${at}`) {
  return made("a", { href: `#${at}`, class: "cite" }, words);
}

/** Returns a sentence with links to the records in this page. @param {string} words */
function linked(words) {
  const parts = words.split(/#(\d{1,9})\b/);
  return parts.map((part, number) => {
    if (number % 2 === 0) return part;
    const at = Number(part);
    return at >= facts.first && at <= facts.last ? link(at) : `#${part}`;
  });
}

/** Highlights the words of the search. @type {(parts: (Node | string)[]) => (Node | string)[]} */
function marked(parts) {
  if (!wanted.words.length) return parts;
  const words = wanted.words.map((word) => word.replace(/[^\p{L}\p{N}\s]/gu, "\\$&"));
  const sought = new RegExp(`(${words.join("|")})`, "i");
  return parts.flatMap((part) => (typeof part === "string" ? part.split(sought).map(piece) : part));
  /** @type {(words: string, number: number) => Node | string} */
  function piece(words, number) {
    return number % 2 ? made("mark", {}, words) : words;
  }
}

/** Returns the letter of a seat's side; nothing for the referee. @param {string} seat */
function seatMark(seat) {
  const look = looks.get(sideOf(seat));
  if (!look?.side) return made("b", { class: "seat" });
  const mark = made("b", { class: "seat", title: seat }, look.letter);
  mark.style.background = look.colour;
  mark.style.color = look.ink;
  return mark;
}

/** Handles a click on a row: shows the end of its order, or its record. @param {MouseEvent} event */
function trailClicked(event) {
  if (!(event.target instanceof Element) || event.target.closest("a, .more")) return;
  const row = /** @type {HTMLElement | null} */ (event.target.closest("li[data-n]"));
  if (!row) return;
  const number = Number(row.dataset.order ?? NaN);
  if (event.target.closest(".fold")) return fold(number);
  if (!getSelection()?.isCollapsed) return;
  go(Number.isNaN(number) ? Number(row.dataset.n) : /** @type {Order} */ (orders[number]).last);
}

/** @param {number} number of an order */
function fold(number) {
  if (!unfolded.delete(number)) unfolded.add(number);
  trail.again(rowOfOrder[number] ?? -1);
  /** @type {HTMLElement | null | undefined} */ (trail.shown(rowOfOrder[number] ?? -1)?.querySelector(".fold"))?.focus();
}

/** Marks the row of a position, and expands the records of its order. @param {number} at */
function drawTrail(at) {
  const before = presentOrder;
  presentOrder = orderNumber(at);
  const [old, now] = [rowOfOrder[before] ?? -1, rowOfOrder[presentOrder] ?? -1];
  if (old >= 0 && old !== now) trail.again(old);
  drawAmong(at);
  if (now < 0) return;
  trail.again(now);
  if (byId("trail-panel").hidden) return;
  trail.reveal(now, `[data-n="${at}"]`);
}

/** Shows the place of the current order among the matching orders, or a button that clears the filters. @param {number} at */
function drawAmong(at) {
  const among = byId("among");
  among.hidden = !wanted.words.length && !wanted.side && !wanted.unit && !wanted.step && !wanted.rule;
  if (among.hidden) return;
  const found = listed.filter((row) => row.kind === "order");
  const place = found.findIndex((row) => row.number === presentOrder);
  if (place >= 0) return among.replaceChildren(`#${at} is in matching order ${place + 1} of ${found.length}.`);
  const show = made("button", { type: "button", id: "show-all" }, "Show all orders");
  show.addEventListener("click", clearFilters);
  among.replaceChildren(`#${at} does not match the filters. `, show);
}

// --- what is not vouched for ------------------------------------------------------------------------------------------

/** @param {{firstBad?: number | null, changed?: [number, number] | null}} verdict */
function doubt({ firstBad, changed }) {
  if (changed) doubtful = { from: changed[0], to: changed[1] };
  else if (firstBad) doubtful = { from: firstBad, to: Infinity };
  else return;
  list();
}

/** @type {(first: number, last: number) => boolean} */
function inDoubt(first, last) {
  return first <= doubtful.to && last >= doubtful.from;
}
