// @ts-check
// Keeps the position that the page shows, and changes it by keys, buttons, slider, address and automatic play.

const SPEEDS = [1, 2, 4, 8, 16, 30];

const player = { at: 0, timer: 0, speed: 4, hash: 0 };

const slider = /** @type {HTMLInputElement} */ (byId("slider"));

/** Returns the position that is shown. */
function present() {
  return player.at;
}

// --- going ------------------------------------------------------------------------------------------------------------

/** Shows the game at a position. @param {number} wantedAt */
function go(wantedAt) {
  const at = clamp(Math.round(wantedAt), facts.first, facts.last);
  if (!counts(at) && !undoneToo()) showUndone();
  byId("notice").hidden = true;
  player.at = at;
  drawWhere(at);
  drawMap(at);
  drawSaid(at);
  drawTrail(at);
  drawTable(at);
  drawAbout(at);
  drawCharts(at);
  drawStrip(at);
  drawTime(at);
  if (!player.timer || player.speed <= 2) byId("told").textContent = `#${at}: ${sentence(at)}`;
  clearTimeout(player.hash);
  player.hash = setTimeout(() => location.hash !== `#${at}` && history.replaceState(null, "", `#${at}`), 150);
}

function showUndone() {
  /** @type {HTMLInputElement} */ (byId("undone")).checked = true;
  list();
}

/** The target position of each button, by its name. `turn`: whether to move by a whole turn. @type {Record<string, (turn: boolean) => number>} */
const ways = {
  first: () => facts.first,
  "step-back": (turn) => startBefore(turn ? facts.turns : facts.steps),
  back: (turn) => (turn ? startBefore(facts.turns) : neighbour(-1)),
  forward: (turn) => (turn ? startAfter(facts.turns) : neighbour(1)),
  step: (turn) => startAfter(turn ? facts.turns : facts.steps),
  last: () => facts.last,
};

/** Returns the next position in a direction; rewound positions are skipped while they are not shown. @param {number} by */
function neighbour(by) {
  let at = player.at + by;
  while (at >= facts.first && at <= facts.last && !counts(at) && !undoneToo()) at += by;
  return at < facts.first || at > facts.last ? player.at : at;
}

/** @param {readonly [number, ...unknown[]][]} starts */
function startBefore(starts) {
  return starts.findLast(([at]) => at < player.at && (counts(at) || undoneToo()))?.[0] ?? facts.first;
}

/** @param {readonly [number, ...unknown[]][]} starts */
function startAfter(starts) {
  return starts.find(([at]) => at > player.at && (counts(at) || undoneToo()))?.[0] ?? facts.last;
}

/** @param {number} at */
function turnAt(at) {
  return facts.turns[lastUpTo(facts.turns, ([position]) => position, at)]?.[1] ?? 0;
}

// --- playing ----------------------------------------------------------------------------------------------------------

function play() {
  if (player.timer) return pause();
  if (neighbour(1) === player.at) go(facts.first);
  player.timer = setTimeout(tick, 1000 / player.speed);
  drawPlay();
}

function tick() {
  go(neighbour(1));
  if (neighbour(1) === player.at) pause();
  else player.timer = setTimeout(tick, 1000 / player.speed);
}

function pause() {
  clearTimeout(player.timer);
  player.timer = 0;
  drawPlay();
}

function drawPlay() {
  const playing = player.timer !== 0;
  const button = byId("play");
  button.setAttribute("aria-pressed", String(playing));
  button.title = playing ? "Pause (Space)" : "Play (Space)";
  button.setAttribute("aria-label", playing ? "Pause" : "Play");
}

// --- keys -------------------------------------------------------------------------------------------------------------

/** Shows the help from its beginning, although its close button may be below the visible part. */
function showHelp() {
  const help = /** @type {HTMLDialogElement} */ (byId("help"));
  help.showModal();
  help.scrollTop = 0;
}

/** @type {Record<string, (shift: boolean) => void>} */
const keys = {
  ArrowLeft: (shift) => leap("back", shift),
  ArrowRight: (shift) => leap("forward", shift),
  PageUp: (shift) => leap("step-back", shift),
  PageDown: (shift) => leap("step", shift),
  Home: () => leap("first"),
  End: () => leap("last"),
  " ": play,
  "/": search,
  "?": showHelp,
  "+": () => zoom(1.4),
  "-": () => zoom(1 / 1.4),
  0: showWhole,
};

/** Moves to the target of a button or key, and stops automatic play. @type {(way: string, turn?: boolean) => void} */
function leap(way, turn = false) {
  if (player.timer) pause();
  go(ways[way]?.(turn) ?? player.at);
}

function search() {
  showPanel("trail-panel");
  const field = /** @type {HTMLInputElement} */ (byId("search"));
  field.focus();
  field.select();
}

/** @param {KeyboardEvent} event */
function keyed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (/** @type {HTMLDialogElement} */ (byId("help")).open) return;
  if (event.key === "Escape") return escaped();
  const target = event.target instanceof Element ? event.target : document.body;
  if (takesText(target) || (event.key === " " && target.closest("button, a, summary, input"))) return;
  const does = keys[event.key];
  if (!does) return;
  event.preventDefault();
  does(event.shiftKey);
}

/** @param {Element} target */
function takesText(target) {
  if (target instanceof HTMLInputElement) return !["range", "checkbox"].includes(target.type);
  return target.closest("textarea, select, [contenteditable]") !== null;
}

/** Closes or clears one thing: an open stack, automatic play, a chosen unit, the search text, or the filters. */
function escaped() {
  if (closeFan()) return;
  if (player.timer) return pause();
  if (closeAbout()) return;
  if (!clearFilters()) /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
}

// --- the line of time -------------------------------------------------------------------------------------------------

/** Returns the place of a position along the slider, from 0 to 1. @param {number} at */
function acrossOf(at) {
  return facts.last === facts.first ? 0 : (at - facts.first) / (facts.last - facts.first);
}

/** @param {number} at */
function drawTime(at) {
  slider.value = String(at);
  const { where } = stateAt(at);
  slider.setAttribute("aria-valuetext", `#${at}, ${where}`);
  byId("position").textContent = `#${at} / ${facts.last}`;
  byId("marks").querySelector(".done")?.setAttribute("width", `${acrossOf(at) * 100}%`);
}

/** Draws marks for turns, steps, rolls, disputes, seals and rewound stretches along the slider. */
function drawMarks() {
  const marks = byId("marks");
  const wide = marks.clientWidth;
  if (!wide) return;
  const chart = drawn("svg", { width: wide, height: 46, "aria-hidden": "true" });
  chart.append(drawn("rect", { class: "bar", x: 0, y: 20, width: wide, height: 5, rx: 2.5 }));
  chart.append(drawn("rect", { class: "done", x: 0, y: 20, width: `${acrossOf(player.at) * 100}%`, height: 5, rx: 2.5 }));
  chart.append(hatch(), ...facts.undone.map(([first, last]) => undoneMark(acrossOf(first) * wide, acrossOf(last) * wide)));
  chart.append(ticks("steps", facts.steps.map(([at]) => at), 15, 4, wide), ticks("rolls", facts.rolls, 31, 6, wide));
  const turns = facts.turns.filter(([at]) => counts(at));
  chart.append(ticks("turns", turns.map(([at]) => at), 13, 12, wide), ...turnNumbers(turns, wide));
  /** @type {[string, [number, string][]][]} */
  const flags = [
    ["dispute", facts.disputes],
    ["seal", facts.seals],
  ];
  const links = flags.flatMap(([kind, all]) => all.map(([at, words]) => flag(kind, at, words)));
  marks.replaceChildren(chart, ...links);
}

/** Draws a rewound stretch over the slider. @type {(from: number, to: number) => Element} */
function undoneMark(from, to) {
  return drawn("rect", { class: "undone", x: from, y: 18, width: Math.max(3, to - from), height: 9, fill: "url(#hatch)" });
}

/** Returns a pattern of slanted lines, which is visible even without color. */
function hatch() {
  const defs = drawn("defs", {});
  const pattern = drawn("pattern", { id: "hatch", width: 5, height: 9, patternUnits: "userSpaceOnUse" });
  pattern.append(drawn("path", { d: "M0 9L4 0" }));
  defs.append(pattern);
  return defs;
}

/** Draws short vertical lines as one path, with at most one line per pixel. @type {(kind: string, all: number[], y: number, high: number, wide: number) => Element} */
function ticks(kind, all, y, high, wide) {
  const pixels = new Set(all.map((at) => Math.round(acrossOf(at) * wide)));
  return drawn("path", { class: kind, d: [...pixels].map((x) => `M${x} ${y}v${high}`).join("") });
}

/** Draws the numbers of turns that have enough room. @type {(turns: Facts["turns"], wide: number) => Element[]} */
function turnNumbers(turns, wide) {
  /** @type {Element[]} */
  const numbers = [];
  let free = 0;
  turns.forEach(([at, turn], number) => {
    const x = acrossOf(at) * wide;
    const words = numbers.length ? String(turn) : `turn ${turn}`;
    const room = words.length * 6.5 + 6;
    const next = acrossOf(turns[number + 1]?.[0] ?? facts.last) * wide;
    if (x < free || x + room > wide || (turns.length < 12 && next - x < room)) return;
    numbers.push(written(x, 10, words, "turn"));
    free = x + room;
  });
  return numbers;
}

/** @type {(kind: string, at: number, words: string) => HTMLElement} */
function flag(kind, at, words) {
  const mark = made("a", { class: `flag ${kind}`, href: `#${at}`, title: `#${at} ${words}`, "aria-label": `${kind} at #${at}: ${words}` });
  const shape = drawn("svg", { viewBox: "0 0 10 12", "aria-hidden": "true" });
  shape.append(drawn("path", { d: kind === "dispute" ? "M1 0V12M1 1H9L7 4L9 7H1" : "M5 1L9 6L5 11L1 6Z" }));
  mark.append(shape);
  mark.style.left = `${acrossOf(at) * 100}%`;
  return mark;
}

// --- panels and address -----------------------------------------------------------------------------------------------

/** @param {string} panel */
function navButton(panel) {
  return /** @type {HTMLElement} */ (document.querySelector(`nav [data-panel="${panel}"]`));
}

/** @param {string} id of the panel that is shown in place of the others */
function showPanel(id) {
  for (const panel of byId("panels").children) /** @type {HTMLElement} */ (panel).hidden = panel.id !== id;
  for (const button of document.querySelectorAll("nav button")) {
    button.setAttribute("aria-expanded", String(button.getAttribute("data-panel") === id));
  }
  drawTrail(player.at);
  drawTable(player.at);
  drawCharts(player.at);
  drawDice();
}

const narrowScreen = matchMedia("(max-width: 820px)");

/** Shows a panel that the reader requested, and scrolls to it on a narrow screen. @param {string} id */
function choosePanel(id) {
  showPanel(id);
  if (narrowScreen.matches) byId("said").scrollIntoView();
}

/** Shows the record or the proof that the address names. */
function followAddress() {
  const number = /^#(\d{1,9})$/.exec(location.hash);
  if (location.hash === "#proof") choosePanel("proof");
  else if (number && Number(number[1]) !== player.at) leapTo(Number(number[1]));
  else if (!number && location.hash) {
    go(player.at);
    notice(`${location.hash.slice(0, 40)} is not a record of this page, which has #${facts.first}-#${facts.last}.`);
  }
}

/** Shows and announces a message that is not a record, until the reader moves on. @param {string} words */
function notice(words) {
  byId("notice").textContent = byId("told").textContent = words;
  byId("notice").hidden = false;
}

/** @param {number} at */
function leapTo(at) {
  pause();
  go(at);
  if (at !== player.at) notice(`This page has no record #${at}, only #${facts.first}-#${facts.last}. Showing #${player.at}.`);
}

// --- print ----------------------------------------------------------------------------------------------------------

/** Prepares printing: the whole trail, one order on each line, as for readers without scripts. */
function printTrail() {
  const rows = orders.filter((order) => undoneToo() || counts(order.last)).map(({ first, last }) => {
    return made("li", { value: String(first), class: counts(last) ? "" : "undone" }, orderSentence({ first, last }));
  });
  byId("printed").replaceChildren(made("h2", {}, `Audit trail, ${countOf(rows.length, "order")}`), made("ol", {}, ...rows));
}

// --- opening ----------------------------------------------------------------------------------------------------------

function listen() {
  document.addEventListener("keydown", keyed);
  addEventListener("hashchange", followAddress);
  addEventListener("beforeprint", printTrail);
  addEventListener("afterprint", () => byId("printed").replaceChildren());
  byId("help-marks").append(marksOfMap());
  slider.addEventListener("input", () => slid(Number(slider.value)));
  byId("play").addEventListener("click", play);
  byId("ask").addEventListener("click", () => keys["?"]?.(false));
  byId("chart").addEventListener("click", turnStrip);
  for (const button of document.querySelectorAll("#keys button, #zoom button, #ask")) {
    button.addEventListener("click", (event) => pressedBy(/** @type {HTMLElement} */ (button), /** @type {MouseEvent} */ (event)));
  }
  for (const button of document.querySelectorAll("nav button")) {
    button.addEventListener("click", () => choosePanel(button.getAttribute("data-panel") ?? ""));
  }
  const speed = /** @type {HTMLSelectElement} */ (byId("speed"));
  speed.append(...SPEEDS.map((one) => made("option", { value: String(one) }, `${one} per second`)));
  speed.value = String(player.speed);
  speed.addEventListener("change", () => (player.speed = Number(speed.value)));
  new ResizeObserver(drawMarks).observe(byId("marks"));
}

/** Handles a navigation button; after a mouse click, the focus leaves it so that keys work again. @type {(button: HTMLElement, event: MouseEvent) => void} */
function pressedBy(button, event) {
  if (event.detail) button.blur();
  if (button.dataset.go) leap(button.dataset.go, event.shiftKey);
}

/** @param {number} at */
function slid(at) {
  if (player.timer) pause();
  let shown = at;
  while (shown > facts.first && !counts(shown) && !undoneToo()) shown -= 1;
  go(shown);
}

async function openPage() {
  document.documentElement.dataset.ready = "no"; // the page's own layout from here on
  await readBlocks();
  for (const id of ["page", "player"]) byId(id).hidden = false;
  slider.min = String(facts.first);
  slider.max = String(facts.last);
  const number = Number(/^#(\d{1,9})$/.exec(location.hash)?.[1] ?? facts.last);
  player.at = clamp(number, facts.first, facts.last);
  openMap();
  openTrail();
  drawNotes();
  listen();
  leapTo(number);
  followAddress();
  document.documentElement.dataset.ready = "yes";
  prepareSearch();
  void startProof(blockText("log"));
}

/** Shows only the sentences of the orders, because another block cannot be read. @param {unknown} error */
function openPlain(error) {
  const why = `This page cannot be displayed: ${error instanceof Error ? error.message : String(error)}. Its orders are listed below, one sentence each.`;
  const rows = [...told].map(([at, words]) => made("li", { value: String(at), id: String(at) }, words));
  document.body.append(made("div", { class: "plain" }, made("p", { class: "bad" }, why), made("ol", {}, ...rows)));
  for (const id of ["page", "player"]) byId(id).hidden = true;
  document.documentElement.removeAttribute("data-ready");
  if (facts.command) void startProof(blockText("log"));
}

openPage().catch(openPlain);
