// Orders by clicks: a unit shows its orders in a palette and lights its targets; a click on a target gives the order. What
// rolls dice, pays or cannot be undone asks once more. Every order goes through the hidden form of the page with its key.

/** What is in the hand: a unit, a place without one, or, `held` without either, the orders that need neither. `units`: those of the stack that was clicked; `offers`: null until they came; `order`: the chosen one, "" for all; `at`: where its palette stands; `among`: the ways to aim at one target, where there are several; `waits`: what waits for a second sign; `via`: the places that its path was pulled over; `points`: whether a click on a place adds one. @typedef {{ held: boolean, units: string[], unit: string, place: string, offers: Offer[] | null, order: string, at: { left: number, top: number } | null, among: Way[] | null, waits: Way | null, via: string[], points: boolean, fault: string }} Hand */

/** @type {() => Hand} */
const emptyHand = () => ({ held: false, units: [], unit: "", place: "", offers: null, order: "", at: null, among: null, waits: null, via: [], points: false, fault: "" });
/** The order in the hand; the targets that are drawn for it; the number of the newest question. */
let hand = emptyHand();
/** @type {Target[]} */
let targets = [];
let questions = 0;
/** The order that is on its way to the service; "" for none. */
let underWay = "";
/** Answers for units, as long as no record comes. @type {Map<string, Offer[]>} */
const known = new Map();
/** Seconds in which the bar offers to undo. */
const UNDO_SECONDS = 5;

/** @type {<K extends keyof HTMLElementTagNameMap>(name: K, given?: Record<string, string>, ...words: (string | Node)[]) => HTMLElementTagNameMap[K]} */
function element(name, given = {}, ...words) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  made.append(...words);
  return made;
}

/** Returns words as parts of an element: what is in backticks is code. @type {(words: string) => (string | Node)[]} */
const withCode = (words) => words.split(/`([^`]*)`/).map((one, at) => (at % 2 ? element("code", {}, one) : one));

/** Why a click gives no order; "" if it may. @type {() => string} */
const whyClosed = () => find("map")?.dataset["closed"] ?? "";

/** The side whose units are commanded. @type {() => string} */
function ownSide() {
  const chosen = find("hand-seat");
  return chosen instanceof HTMLSelectElement ? chosen.value : boardBox()?.dataset["side"] ?? "";
}

/** The name of what is in the hand. @type {() => string} */
const inHand = () => (isOpened() ? `${hand.units.length} units` : hand.unit || hand.place || "Without a unit");

/** Whether an order can be given. @type {(offer: Offer) => boolean} */
const isOpen = (offer) => !offer.refused && (offer.whole !== null || offer.targets.length > 0 || Object.keys(offer.form).length > 0);

/** Whether an order can be given by clicks on the board. @type {(offer: Offer) => boolean} */
const isClickable = (offer) => !offer.refused && (offer.whole !== null || offer.targets.length > 0);

// --- what is asked ----------------------------------------------------------------------------------------------------

/** Takes a unit into the hand. `units`: those of its stack. @type {(units: string[], unit: string, byKeys?: boolean) => Promise<void>} */
async function takeUnit(units, unit, byKeys = false) {
  hand = { ...emptyHand(), held: true, units, unit };
  draw();
  if (whyClosed()) return;
  const offers = await offersOf({ unit });
  if (hand.unit !== unit || !offers) return;
  putOffers(offers);
  if (byKeys) /** @type {HTMLElement | null} */ (document.querySelector("#palette .order:not([aria-disabled])") ?? document.querySelector("#palette button"))?.focus();
}

/** Takes the orders of a place without a unit, or, for "", those that need neither; says why there are none. @type {(place: string) => Promise<void>} */
async function takePlace(place) {
  const offers = await offersOf(place ? { place } : {});
  if (hand.held || !offers) return;
  const open = offers.filter(isOpen);
  if (!open.length) return explain(place ? `${place}: no unit is selected, and no order applies to this place now. Click a unit first.` : "No order without a unit is open now. Click a unit.");
  hand = { ...emptyHand(), held: true, place };
  putOffers(open);
  if (!hand.waits) focusPalette();
}

/** Puts the orders into the hand; the only choice is taken, unless it has to be asked for. @type {(offers: Offer[]) => void} */
function putOffers(offers) {
  const open = offers.filter(isOpen), [only] = open;
  hand = { ...hand, offers, fault: "" };
  if (only && open.length === 1) {
    hand.order = only.id;
    const way = soleWay(only);
    if (way && !way.choice.asks_again && !isSudden(way)) hand.waits = way;
  }
  draw();
}

/** The only way of an order. @type {(offer: Offer) => Way | null} */
function soleWay(offer) {
  const all = [...(offer.whole ? [offer.whole] : []), ...offer.targets];
  return all.length === 1 && all[0] ? { offer, choice: all[0] } : null;
}

/** The question for the orders of a unit or of a place. @typedef {{ unit?: string, place?: string }} Question */

/** @type {(of: Question, side?: string) => string} */
const keyOf = (of, side = ownSide()) => JSON.stringify([side, of]);

/** The orders that came for a question; null for none. @type {(of: Question) => Offer[] | null} */
const answerFor = (of) => known.get(keyOf(of)) ?? null;

/** The orders of a unit or of a place, from the service; null where somebody asked for another meanwhile. @type {(of: Question) => Promise<Offer[] | null>} */
async function offersOf(of) {
  const box = boardBox(), side = ownSide(), mine = questions += 1, found = answerFor(of);
  if (found || !box) return found;
  const address = `${box.dataset["game"]}/clickable?${new URLSearchParams({ ...of, as: seatOfHand() })}`;
  const answer = await persist(() => fetch(address, { headers: { Accept: "application/json" } }), "Nothing was sent.", () => mine === questions);
  if (!answer || mine !== questions) return null;
  const said = await answer.json();
  if (answer.ok) { const offers = numbered(said.orders); known.set(keyOf(of, side), offers); return offers; }
  hand = { ...hand, offers: [], fault: [said.what ?? said.title, said.remedy].filter(Boolean).join(". ") };
  draw();
  return null;
}

/** The seat that asks: at the referee's board, the side whose units are commanded. @type {() => string} */
function seatOfHand() {
  const seat = boardBox()?.dataset["seat"] ?? "";
  return seat === "referee" ? ownSide() || seat : seat;
}

/** Orders with an id each: the first of a name has the name itself. @type {(offers: Offer[]) => Offer[]} */
const numbered = (offers) => offers.map((one, nth) => ({ ...one, id: offers.findIndex((two) => two.order === one.order) === nth ? one.order : `${one.order}/${nth}` }));

/** Every legal way of the hand, or those of the chosen order. @type {() => Way[]} */
function waysOfHand() {
  const offers = (hand.offers ?? []).filter((one) => !one.refused && (!hand.order || one.id === hand.order));
  return offers.flatMap((offer) => offer.targets.map((choice) => ({ offer, choice })));
}

// --- what is chosen ---------------------------------------------------------------------------------------------------

/** A click on an order of the palette. @type {(offer: Offer) => void} */
function chooseOrder(offer) {
  if (offer.refused) { disarm(); explain(`${offer.words} is refused. ${sentences(offer.refused.text, offer.refused.remedy)}`); return; }
  if (offer.whole && !offer.targets.length) return takeWay({ offer, choice: offer.whole });
  if (!offer.targets.length) return openForm(offer, offer.form);
  const sole = soleWay(offer);
  hand = { ...hand, order: hand.order === offer.id && !sole ? "" : offer.id, among: null, waits: sole, via: [], points: false };
  draw();
}

/** Takes back what waits: a click that did nothing must not leave it armed. */
function disarm() {
  if (!hand.waits) return;
  hand = { ...hand, waits: null, via: [] };
  draw();
}

/** A click on a target. @type {(target: Target) => void} */
function chooseTarget(target) {
  const [way] = target.ways;
  if (hand.via.length && target.place && hand.waits?.choice.place !== target.place) return void leadOver(hand.via, target.place);
  if (hand.via.length && hand.waits && target.place) return takeWay(hand.waits);
  if (target.ways.length === 1 && way) return takeWay(way);
  hand = { ...hand, among: target.ways, waits: null };
  draw();
  focusPalette();
}

/** A choice: given, or it waits for a second sign. @type {(way: Way) => void} */
function takeWay(way) {
  const again = hand.waits?.choice === way.choice;
  if (way.choice.asks_again === "dice" && takesTableDice() && boardBox()?.dataset["seat"] !== "referee") return openForm(way.offer, way.choice.given);
  if (!again && (way.choice.asks_again || touched || isSudden(way))) {
    hand = { ...hand, waits: way, among: null };
    return draw();
  }
  give(way);
}

/** Whether an order has no target and the step does not require it: a key too many must not give it. @type {(way: Way) => boolean} */
const isSudden = ({ offer, choice }) => offer.whole === choice && !(find("standing")?.dataset["required"] ?? "").split(" ").includes(`${ownSide()}/${offer.order}`);

const takesTableDice = () => boardBox()?.dataset["dice"] === "table";

/** Opens the full form of an order, filled in. @type {(offer: Offer, given: Record<string, string | string[]>) => void} */
function openForm(offer, given) {
  const box = boardBox();
  if (box?.dataset["seat"] === "referee") return explain(`${offer.words}: type it under Enter an order.`);
  const asked = new URLSearchParams({ as: box?.dataset["seat"] ?? "", order: offer.order });
  for (const [name, words] of fieldsOf(given)) asked.append(`f.${name}`, words);
  for (const form of document.querySelectorAll("#order form[data-begun]")) form.removeAttribute("data-begun");
  dropHand();
  document.addEventListener("umpire:fresh", () => {
    const field = document.querySelector("#order fieldset.die input") ?? document.querySelector("#order-form input:not([type=hidden]), #order-form textarea");
    document.getElementById("order")?.scrollIntoView({ block: "nearest" });
    if (field instanceof HTMLElement) field.focus({ preventScroll: false });
  }, { once: true });
  goTo(`${location.pathname}?${asked}#order`);
}

/** Each argument with each of its words. @type {(given: Record<string, string | string[]>) => [string, string][]} */
const fieldsOf = (given) => Object.entries(given).flatMap(([name, words]) => [words].flat().map((word) => /** @type {[string, string]} */ ([name, String(word)])));

/** Gives an order by the hidden form; its key makes it count once. @type {(way: Way) => void} */
function give({ offer, choice }) {
  const form = find("hand-form");
  if (!(form instanceof HTMLFormElement) || form.getAttribute("aria-busy") === "true") return;
  const dice = find("hand-dice"), pips = dice instanceof HTMLInputElement ? dice.value.trim() : "";
  const isReferee = boardBox()?.dataset["seat"] === "referee";
  /** @type {[string, string][]} */
  const said = isReferee
    ? [["typed", pips ? `${choice.typed} --pips=${pips.replace(/[ ,]+/g, ",")}` : choice.typed], ["who", ownSide()]]
    : [["order", offer.order], ...fieldsOf(choice.given).map(([name, word]) => /** @type {[string, string]} */ ([`f.${name}`, word]))];
  for (const one of form.querySelectorAll("[data-said]")) one.remove();
  form.append(...said.map(([name, value]) => element("input", { type: "hidden", name, value, "data-said": "" })));
  known.clear();
  underWay = choice.words;
  void send(form, null, choice.words);
  drawHand();
}

/** One step back: from what waits, from the order, from the unit. @type {() => boolean} */
function stepBack() {
  if (find("why-not")) { explain(""); return true; }
  if (!hand.held) return false;
  const { unit, units } = hand;
  if (straighten()) return true;
  if (hand.waits && !(hand.offers && hand.offers.filter(isOpen).length === 1)) hand = { ...hand, waits: null };
  else if (hand.among) hand = { ...hand, among: null };
  else if (hand.order && (hand.offers ?? []).filter(isOpen).length > 1) hand = { ...hand, order: "" };
  else if (unit && units.length > 1) {
    void openStack(units, true, unit);
    return true;
  } else {
    dropHand();
    const stand = standOf(units[0] ?? unit);
    if (stand instanceof SVGElement) stand.focus({ preventScroll: true });
    return true;
  }
  draw();
  return true;
}

function dropHand() {
  hand = emptyHand();
  questions += 1;
  explain("");
  draw();
}

// --- what is shown ----------------------------------------------------------------------------------------------------

function draw() {
  const found = whyClosed() || hand.among ? { targets: [], unseen: [] } : targetsOf(waysOfHand());
  targets = hand.among ? targetsOf(hand.among).targets : found.targets;
  drawTargets(targets);
  drawChosen(hand.unit || (hand.units.find(stackOf) ?? ""));
  drawWay(hand.unit, hand.waits?.choice ?? null, hand.waits !== null, hand.via);
  drawHand();
  drawPalette(found.unseen);
}

/** The words in the desk about what is in the hand. */
function drawHand() {
  const box = find("in-hand");
  if (!box) return;
  const { held, waits, offers, fault } = hand, name = inHand();
  box.classList.toggle("waits", waits !== null && !underWay);
  if (underWay) return box.replaceChildren(element("p", {}, element("b", {}, underWay)), element("p", { class: "note" }, "Sending …"));
  if (whyClosed()) return box.replaceChildren(element("p", { class: "note" }, `${whyClosed()}.`));
  if (fault) return box.replaceChildren(element("p", { class: "bad" }, fault));
  if (waits) return box.replaceChildren(...waitingWords(waits));
  if (!held) return box.replaceChildren(...emptyWords());
  if (isOpened()) return box.replaceChildren(element("p", {}, element("b", {}, name)), element("p", { class: "note" }, "Click a unit of the stack."));
  if (!offers) return box.replaceChildren(element("p", {}, element("b", {}, name)), element("p", { class: "note" }, "Looking up its orders …"));
  const open = offers.filter(isOpen).length;
  box.replaceChildren(element("p", {}, element("b", {}, name)), element("p", { class: "note", id: "hover-words" }, open ? "Click a lit target, or an order." : "No orders for it now."), element("p", { class: "go-line" }, ...pointButton()));
}

/** What an empty hand says. @type {() => HTMLElement[]} */
function emptyWords() {
  const other = element("button", { type: "button", id: "hand-other" }, "Orders without a unit");
  other.addEventListener("click", () => void takePlace(""));
  return [element("p", { class: "note" }, "Click a unit on the board to see its orders and targets."), element("p", { class: "go-line" }, other)];
}

/** What a choice pays and from which account, such as `3 of treasury`; "" if that is not known. @type {(choice: Choice) => string} */
function paymentOf(choice) {
  const named = (/** @type {string} */ account) => account.split("/").filter((part) => part !== ownSide()).join(" ").replace(/[-_]/g, " ");
  return Object.entries(choice.pays ?? {}).map(([account, amount]) => `${amount} of ${named(account)}`).join(" and ");
}

/** What a choice does, and how many clicks give it. @type {(way: Way) => string} */
function clicksOf(way) {
  const { choice } = way, payment = paymentOf(choice);
  if (choice.asks_again === "dice" && takesTableDice()) return "opens the dice results";
  const does = { dice: "rolls dice", pays: `pays${payment ? ` ${payment}` : ""}`, "no undo": "cannot be undone" }[choice.asks_again];
  if (does) return `${does}; a second click confirms`;
  return touched || isSudden(way) ? "a second click confirms" : "one click gives it";
}

/** Why a choice asks once more, and the words of its button. @type {(choice: Choice) => { button: string, note: string }} */
function asking(choice) {
  const dice = choice.roll || `${choice.dice || ""} ${choice.dice === 1 ? "die" : "dice"}`.trim(), payment = paymentOf(choice);
  if (choice.asks_again === "dice") return { button: `Roll ${dice}?`, note: "A roll cannot be taken back." };
  if (choice.asks_again === "pays") return { button: payment ? `Pay ${payment}?` : "Pay?", note: `This order pays ${payment || "from an account"}.` };
  if (choice.asks_again) return { button: "Give it anyway?", note: "This order cannot be undone." };
  return { button: "Give the order", note: "" };
}

/** An order that waits for its second sign. @type {(way: Way) => HTMLElement[]} */
function waitingWords(way) {
  const { choice } = way, { button, note } = asking(choice);
  const costs = choice.cost !== undefined && choice.cost !== null ? ` · cost ${choice.cost}` : "";
  const give_ = element("button", { type: "button", class: choice.asks_again ? "go asks" : "go", id: "hand-give" }, button);
  const clear = element("button", { type: "button", id: "hand-clear" }, "Clear");
  give_.addEventListener("click", () => takeWay(way));
  const details = element("button", { type: "button", id: "hand-details" }, "Details");
  details.addEventListener("click", () => openForm(way.offer, choice.given));
  clear.addEventListener("click", () => stepBack() && find("map")?.focus({ preventScroll: true }));
  const dice = choice.asks_again === "dice" && takesTableDice() ? [element("p", {}, element("label", { for: "hand-dice" }, "Dice results, separated by commas "), element("input", { id: "hand-dice", inputmode: "numeric", autocomplete: "off", size: "8" }))] : [];
  return [
    element("p", {}, element("b", {}, choice.words), costs),
    ...(choice.path && choice.path.length > 1 ? [element("p", { class: "mono" }, choice.path.join(" "))] : []),
    ...(hand.via.length ? [element("p", { class: "note" }, `Over ${hand.via.join(", ")}. Esc takes the way points away.`)] : []),
    ...(note ? [element("p", { class: "note" }, note)] : []),
    ...dice,
    element("p", { class: "go-line" }, give_, clear, ...pointButton(), ...(boardBox()?.dataset["seat"] === "referee" ? [] : [details])),
  ];
}

/** The palette: the units of the stack, their orders, or the ways to aim at one target. @type {(unseen: Way[]) => void} */
function drawPalette(unseen) {
  const before = find("palette"), held = before?.contains(document.activeElement) ? document.activeElement?.getAttribute("data-focus") : null;
  before?.remove();
  if (!hand.held || !boardBox()) return;
  if (isOpened()) return showPalette(element("div", { id: "palette", class: "opened", role: "group", "aria-label": `Units: ${stackInHand()?.getAttribute("data-place") ?? ""}` }, ...headOfPalette(), element("div", { class: "stacked", tabindex: "-1" }, ...openedRows())), held ?? null);
  const rows = whyClosed() ? [element("p", { class: "about" }, stackOf(hand.unit)?.querySelector("title")?.textContent ?? "")] : hand.among ? hand.among.map(rowOfWay) : [...(hand.offers ?? []).map(rowOfOffer), ...unseen.filter((one) => hand.order === one.offer.id).map(rowOfWay)];
  const palette = element("div", { id: "palette", role: "group", "aria-label": `Orders: ${inHand()}` }, ...headOfPalette(), element("div", { class: "orders", tabindex: "-1" }, ...rows));
  showPalette(palette, held ?? null);
}

/** Puts the palette into the page; what had the focus in it has it again. @type {(palette: HTMLElement, held: string | null) => void} */
function showPalette(palette, held) {
  (narrow.matches && !isOpened() ? find("palette-place") : boardBox())?.append(palette);
  placePalette();
  if (held) /** @type {HTMLElement | null} */ (palette.querySelector(`[data-focus="${CSS.escape(held)}"]`) ?? palette.querySelector("button"))?.focus({ preventScroll: true });
}

/** @type {() => HTMLElement[]} */
function headOfPalette() {
  const place = (hand.unit ? stackOf(hand.unit) : stackInHand())?.getAttribute("data-place") ?? "";
  const close = element("button", { type: "button", class: "close", "aria-label": "Close", title: "Close (Esc)", "data-focus": "close" }, "×");
  close.addEventListener("click", dropHand);
  const head = element("div", { class: "head" }, element("b", {}, inHand()), element("span", { class: "note" }, place ? ` ${place}` : ""), close);
  if (hand.units.length < 2 || isOpened()) return [head];
  const back = element("button", { type: "button", class: "unit", "data-focus": "stack", title: "Back to the stack (Esc)" }, `‹ ${hand.units.length} units`);
  back.addEventListener("click", (event) => void openStack(hand.units, event.detail === 0, hand.unit));
  return [head, element("div", { class: "units" }, back)];
}

/** @type {(offer: Offer) => HTMLElement} */
function rowOfOffer(offer) {
  const note = offer.refused ? sentences(offer.refused.text, offer.refused.remedy) : noteOf(offer);
  const row = element("button", { type: "button", class: `order${offer.refused ? " no" : ""}`, "data-focus": `order-${offer.id}`, title: (offer.refused ? note : offer.help).replaceAll("`", "") }, element("b", {}, offer.words), element("small", {}, ...withCode(note)));
  if (offer.refused) row.setAttribute("aria-disabled", "true");
  else if (offer.targets.length || (offer.whole && hand.waits?.choice === offer.whole)) row.setAttribute("aria-pressed", String(hand.order === offer.id || hand.waits?.offer === offer));
  row.addEventListener("click", () => chooseOrder(offer));
  return row;
}

/** What a palette says about an order. @type {(offer: Offer) => string} */
function noteOf(offer) {
  const [only] = offer.targets, all = offer.targets.length;
  if (all === 1 && only) return `${only.unit ?? only.place ?? ""}${only.asks_again ? `; ${clicksOf({ offer, choice: only })}` : ""}`;
  if (all) return `${all} ${offer.targets.every((one) => one.unit) ? "units" : "targets"}`;
  if (offer.whole) return clicksOf({ offer, choice: offer.whole });
  return "opens its form";
}

/** @type {(way: Way) => HTMLElement} */
function rowOfWay(way) {
  const { choice, offer } = way, note = choice.asks_again ? asking(choice).button : "";
  const row = element("button", { type: "button", class: "order", "data-focus": `way-${choice.typed}`, "aria-pressed": String(hand.waits?.choice === choice) }, element("b", {}, choice.words || offer.words), element("small", {}, note));
  row.addEventListener("click", () => takeWay(way));
  return row;
}

/** Puts the palette beside the unit, where it hides fewest targets; there it stays while the unit is in the hand. */
function placePalette() {
  const palette = find("palette"), box = boardBox(), stack = hand.unit ? stackOf(hand.unit) : hand.place ? plotOf(hand.place) : stackInHand();
  if (!palette || !box) return;
  if (narrow.matches) { if (isOpened()) movePalette(palette, edgeOfBoard(palette, box.getBoundingClientRect(), stack?.getBoundingClientRect())); return; }
  if (hand.at && hand.at.top + palette.offsetHeight <= box.clientHeight) { movePalette(palette, hand.at); return; }
  const frame = box.getBoundingClientRect(), unit = stack?.getBoundingClientRect(), wide = palette.offsetWidth, high = palette.offsetHeight;
  const lit = [...over.querySelectorAll(".hit, .pin")].map((one) => { const at = one.getBoundingClientRect(); return squareAt([at.left + at.width / 2, at.top + at.height / 2], PIXELS.target / 2); });
  const counters = [...document.querySelectorAll("#map .stack")].map((one) => one.getBoundingClientRect());
  const hides = (/** @type {{ left: number, top: number }} */ at) => {
    const own = new DOMRect(frame.left + at.left, frame.top + at.top, wide, high), [x, y] = middleOf(own), [ux, uy] = middleOf(unit ?? frame);
    const hidden = (/** @type {DOMRect[]} */ all) => all.filter((one) => overlapOf(own, [one]) > 0).length;
    return hidden(lit) + hidden(counters) / 10 + (unit && overlapOf(own, [unit]) > 0 ? 1000 : 0) + Math.hypot(x - ux, y - uy) / 1e5;
  };
  const best = spotsOfPalette(frame, unit, wide, high).reduce((found, one) => (hides(one) < hides(found) ? one : found));
  if (hand.offers || isOpened()) hand.at = best;
  movePalette(palette, best);
}

/** Where the palette may be: beside the unit, and all over the board. @type {(frame: DOMRect, unit: DOMRect | undefined, wide: number, high: number) => { left: number, top: number }[]} */
function spotsOfPalette(frame, unit, wide, high) {
  const [right, bottom, gap] = [Math.max(frame.width - wide - 56, 8), Math.max(frame.height - high - 8, 8), 18], shares = [0, 0.2, 0.4, 0.6, 0.8, 1];
  const spread_ = shares.flatMap((across) => shares.map((down) => ({ left: 8 + (right - 8) * across, top: 8 + (bottom - 8) * down })));
  if (!unit) return spread_;
  const top = Math.min(Math.max(unit.top - frame.top - 40, 8), bottom);
  const beside = [unit.right - frame.left + gap, unit.left - frame.left - gap - wide].map((left) => ({ left, top }));
  return [...beside.filter((one) => one.left >= 4 && one.left <= right), ...spread_];
}

/** @type {(palette: HTMLElement, at: { left: number, top: number }) => void} */
function movePalette(palette, at) {
  palette.style.left = `${at.left}px`;
  palette.style.top = `${at.top}px`;
  const box = palette.getBoundingClientRect(), legend = find("legend"), words = legend?.getBoundingClientRect();
  if (words) legend?.classList.toggle("under", box.bottom > words.top && box.top < words.bottom && box.left < words.right && box.right > words.left);
}

function focusPalette() {
  /** @type {HTMLElement | null} */ (document.querySelector("#palette .order"))?.focus({ preventScroll: true });
}

/** Says on the board why a click did nothing, and what to do; "" takes it away. @type {(words: string) => void} */
function explain(words) {
  find("why-not")?.remove();
  if (!words) return;
  boardBox()?.append(element("p", { id: "why-not", role: "status" }, ...withCode(words)));
  announce(words.replaceAll("`", ""));
}

/** Why the hand may not go to a place: the rules are asked as for the form. @type {(place: string) => Promise<void>} */
async function whyNot(place) {
  const offers = hand.offers ?? [], offer = offers.find((one) => one.id === hand.order) ?? offers.find((one) => one.targets.some((two) => two.place));
  if (whyClosed()) return explain(`${whyClosed()}.`);
  if (!hand.held) return takePlace(place);
  disarm();
  const sample = offer?.targets.find((one) => one.place);
  if (!offer || !sample) return explain(`${inHand()} has no order that aims at ${place}. Click one of its orders in the palette.`);
  const lead = `${offer.words} does not lead to ${place} now`, rest = "Click a lit target, or press Esc and choose another unit.";
  const name = Object.keys(sample.given).find((one) => [sample.given[one] ?? ""].flat().join(",").includes(String(sample.place)));
  explain(`${lead}: no path that the rules accept ends there. ${rest}`);
  if (!name || !isBeside(place)) return;
  const asked = new URLSearchParams({ as: ownSide() });
  for (const [argument, word] of fieldsOf({ ...sample.given, [name]: place })) asked.append("given", `${argument}=${word}`);
  const mine = hand.unit, answer = await fetch(`${boardBox()?.dataset["game"]}/forms/${offer.order}?${asked}`).catch(() => null);
  const problem = answer?.ok ? (await answer.json()).problem : null;
  if (problem && hand.unit === mine && find("why-not")) explain(`${lead}. ${sentences(problem.what, problem.remedy)} ${rest}`);
}

/** Whether a choice leads to a point of a table without places. @type {(choice: Choice) => boolean} */
const isPoint = (choice) => /^-?[\d.]+, ?-?[\d.]+$/.test(choice.place ?? "");

/** A click on a point of a table without places: the order that goes somewhere may go there, if the rules accept it. @type {(point: string) => Promise<void>} */
async function takePoint(point) {
  const offers = (hand.offers ?? []).filter((one) => !one.refused && (!hand.order || one.id === hand.order)), offer = offers.find((one) => one.targets.some(isPoint));
  const sample = offer?.targets.find(isPoint), ends = `${sample?.place};`; // a list of one point
  const name = Object.keys(sample?.given ?? {}).find((one) => [sample?.given[one] ?? ""].flat().some((word) => `${word};`.endsWith(ends) || word.endsWith(ends)));
  if (!offer || !name) return dropHand();
  const { unit } = hand, given = { ...offer.form, [name]: [`${point};`] }, asked = new URLSearchParams({ as: ownSide() });
  for (const [argument, word] of fieldsOf(given)) asked.append("given", `${argument}=${word}`);
  const answer = await fetch(`${boardBox()?.dataset["game"]}/forms/${offer.order}?${asked}`).catch(() => null);
  const form = answer?.ok ? await answer.json() : null;
  if (!form || hand.unit !== unit) return;
  if (form.problem) return explain(`${offer.words} to ${point} is refused. ${sentences(form.problem.what, form.problem.remedy)}`);
  /** @type {Choice} */
  const choice = { given, place: point, path: [point], words: `${offer.words} ${unit} to ${point}`, typed: form.typed, asks_again: form.rolls?.length ? "dice" : "" };
  hand = { ...hand, among: null, waits: { offer, choice } };
  draw();
}

/** The point of a table without places that an event is about, to half an inch; "" for none. @type {(event: MouseEvent) => string} */
function tablePoint(event) {
  const table = document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.matches("#map .table")), at = spot(event), scale = Number(table?.getAttribute("data-scale"));
  return at && scale ? [at.x, at.y].map((part) => Math.round((2 * part) / scale) / 2).join(",") : "";
}

/** Whether a click on the counter in the hand is about another point below it, to which it may go. @type {(target: Element, point: string) => boolean} */
function isBelowItself(target, point) {
  const stack = target.closest("#map .stack");
  return stack?.getAttribute("data-units") === hand.unit && stack.getAttribute("data-place") !== point && waysOfHand().some(({ choice }) => isPoint(choice));
}

/** Whether a place is beside the unit in the hand. @type {(place: string) => boolean} */
function isBeside(place) {
  const there = spotOf(place), stack = stackOf(hand.unit), here = stack ? counterBox(stack) : null;
  return there !== null && here !== null && Math.hypot(there[0] - middleOf(here)[0], there[1] - middleOf(here)[1]) < MAP.hex * 1.15;
}

/** Several remarks as sentences; the name of a unit at the beginning stays as it is. @type {(...all: (string | null | undefined)[]) => string} */
function sentences(...all) {
  const begun = (/** @type {string} */ words) => (/^\S*\d/.test(words) ? words : words.charAt(0).toUpperCase() + words.slice(1));
  return all.flatMap((one) => (one ? `${begun(one).replace(/[.;]$/, "")}.` : [])).join(" ");
}

// --- clicks and keys --------------------------------------------------------------------------------------------------

/** What a click or a key on the board is about. `adds`: it is a way point. @type {(target: Element, byKeys: boolean, adds?: boolean) => void} */
function act(target, byKeys, adds = false) {
  explain("");
  const hit = target.closest("[data-go]"), stack = target.closest("[data-units]"), place = target.closest("[data-place]");
  const named = (hit ? targets[Number(hit.getAttribute("data-go"))]?.place : place?.getAttribute("data-place")) ?? "";
  if ((adds || hand.points) && named && hand.unit && pathOffer()) return addWayPoint(named);
  if (stack && unitsIn(stack).includes(hand.unit) && straighten()) return;
  const own = stack?.getAttribute("data-side") === ownSide() || !hand.held;
  const aimed = hit ? targets[Number(hit.getAttribute("data-go"))] : stack && !own ? targetAt(stack) : undefined;
  if (aimed) return chooseTarget(aimed);
  if (stack) return void takeStack(stack, byKeys);
  if (place) return void whyNot(String(place.getAttribute("data-place")));
  if (hand.held) dropHand();
}

/** The target whose place a stack of others stands in. @type {(stack: Element) => Target | undefined} */
const targetAt = (stack) => targets.find((one) => one.place && one.place === stack.getAttribute("data-place"));

/** Takes the unit of a stack, or opens the stack out if it has several. @type {(stack: Element, byKeys: boolean) => Promise<void>} */
function takeStack(stack, byKeys) {
  const units = unitsIn(stack), [unit = ""] = units;
  return units.length > 1 ? openStack(units, byKeys) : takeUnit(units, unit, byKeys);
}

/** The element under a pointer that counts: a counter of one's own lies over a lit place. @type {(event: MouseEvent) => Element | null} */
function under(event) {
  const all = document.elementsFromPoint(event.clientX, event.clientY);
  const own = all.find((one) => one.closest("#map .stack")?.getAttribute("data-side") === ownSide());
  const hit = all.find((one) => one.matches(".hit, .pin"));
  return hit?.matches(".foe, .pin") ? hit : own ?? hit ?? (event.target instanceof Element ? event.target : null);
}

/** The nearest of several in a direction. @type {(from: Element, all: Element[], key: string) => Element | null} */
function towards(from, all, key) {
  const here = from.getBoundingClientRect(), [dx = 0, dy = 0] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key] ?? [];
  /** @type {(one: Element) => number} */
  const far = (one) => {
    const there = one.getBoundingClientRect(), x = there.x - here.x, y = there.y - here.y, ahead = x * dx + y * dy;
    return ahead > 4 ? ahead + 2 * Math.abs(x * dy + y * dx) : Infinity;
  };
  const best = all.filter((one) => one !== from).sort((one, other) => far(one) - far(other))[0];
  return best && far(best) < Infinity ? best : null;
}

/** @type {(event: KeyboardEvent) => void} */
function boardKeys(event) {
  const target = event.target instanceof Element ? event.target : null;
  if (!target || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && !target.closest("dialog, input, textarea, select") && stepBack()) { event.preventDefault(); event.stopImmediatePropagation(); return; }
  const inBoard = target.closest("#over [role=button]"), inPalette = target.closest("#palette");
  if (inBoard && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); touched = false; act(inBoard, true, event.shiftKey); return; }
  if (target.id === "map" && (event.key === "Enter" || event.key.startsWith("Arrow"))) { event.preventDefault(); goFrom(target, over.querySelector(".stand[tabindex='0']")); return; }
  if (event.key === "Tab" && !event.shiftKey) return tabbed(event, target);
  if (!event.key.startsWith("Arrow")) return;
  if (inBoard) { event.preventDefault(); goFrom(inBoard, towards(inBoard, [...over.querySelectorAll(inBoard.matches(".hit") ? ".hit" : ".stand")], event.key)); }
  if (inPalette && isOpened()) { event.preventDefault(); /** @type {HTMLElement | null} */ (towards(target, [...inPalette.querySelectorAll("button")], event.key))?.focus(); }
  else if (inPalette) {
    const all = [...inPalette.querySelectorAll("button")], step = event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : -1;
    event.preventDefault();
    all[(all.findIndex((one) => one === target) + step + all.length) % all.length]?.focus();
  }
}

/** Tab goes from the unit or its palette to the targets, and from the last of them to what is behind the palette. @type {(event: KeyboardEvent, target: Element) => void} */
function tabbed(event, target) {
  const hits = [...over.querySelectorAll(".hit")], [next] = hits;
  if (!hand.held || !next) return;
  if (target === hits[hits.length - 1]) /** @type {HTMLElement | null} */ ([...document.querySelectorAll("#palette button")].pop())?.focus({ preventScroll: true });
  else if (target.closest("#palette, .stand")) { event.preventDefault(); goFrom(target, next); }
}

/** Gives the focus to another unit or target, and shows it. @type {(from: Element, to: Element | null) => void} */
function goFrom(from, to) {
  if (!(to instanceof SVGGraphicsElement)) return;
  if (to.matches(".stand")) { for (const one of over.querySelectorAll(".stand[tabindex='0']")) one.setAttribute("tabindex", "-1"); to.setAttribute("tabindex", "0"); }
  const [x, y] = middleOf(to.getBBox());
  reveal(x, y);
  to.focus({ preventScroll: true });
}

/** The path of the target under the pointer or with the focus. @type {(event: Event) => void} */
function hovered(event) {
  const hit = event.target instanceof Element ? event.target.closest("[data-go]") : null;
  const way = hit ? targets[Number(hit.getAttribute("data-go"))]?.ways[0] : null;
  if (!hand.waits && !pulled) drawWay(hand.unit, way?.choice ?? null);
  const words = find("hover-words");
  if (words && way) words.textContent = `${way.choice.words}${way.choice.cost !== undefined && way.choice.cost !== null ? ` · cost ${way.choice.cost}` : ""}`;
}

// --- what came of it --------------------------------------------------------------------------------------------------

/** What an order that was sent by a click came to. @type {(event: Event) => void} */
function answered(event) {
  const { form, ok } = /** @type {CustomEvent} */ (event).detail;
  if (form.id !== "hand-form") return;
  underWay = "";
  known.clear();
  if (ok) return dropHand();
  const { unit, units } = hand, wrong = document.querySelector("[data-part] .refused");
  const words = [...(wrong?.querySelectorAll("p") ?? [])].map((one) => one.textContent ?? "");
  hand = { ...hand, waits: null, among: null, via: [] };
  draw();
  explain(`Not given. ${sentences(words[0] ?? "The order was refused", words[words.length - 1]?.replace(/^Do /, ""))}`);
  if (unit) void renew(units, unit);
  else dropHand();
}

/** Asks anew for the orders of the unit in the hand, after the game changed; what waits or is listed stays if it is still legal. @type {(units: string[], unit: string) => Promise<void>} */
async function renew(units, unit) {
  if (!units.some(stackOf)) return dropHand();
  const offers = await offersOf({ unit });
  if (!offers || hand.unit !== unit) return;
  const waited = hand.waits, { via } = hand, order = offers.find((one) => one.id === hand.order && !one.refused) ? hand.order : "";
  const fresh = offers.flatMap((offer) => (offer.refused ? [] : [...(offer.whole ? [offer.whole] : []), ...offer.targets].map((choice) => ({ offer, choice }))));
  const freshOf = (/** @type {Way} */ way) => fresh.find((one) => one.choice.typed === way.choice.typed);
  const still = waited ? freshOf(waited) : null, among = (hand.among ?? []).flatMap((way) => freshOf(way) ?? []);
  hand = { ...hand, offers, order, among: among.length ? among : null, waits: still ?? null };
  draw();
  if (waited?.choice.place && via.length) return leadOver(via, waited.choice.place);
  if (waited && !still) explain(`${waited.choice.words}: no longer possible, because a new order was given. Nothing was sent; choose again.`);
}

/** The bar with the result of an order: it leaves after some seconds, in which it offers to undo; what has to be kept stays. */
function resultBar() {
  const news = find("news"), button = news?.querySelector(".undo button");
  if (!news?.childElementCount || news.hasAttribute("data-counts") || news.querySelector("pre, .refused")) return;
  news.setAttribute("data-counts", "");
  let left = UNDO_SECONDS;
  const tell = () => { if (button) button.textContent = `Undo ${left} s`; };
  tell();
  // A pointer that only rests where the bar came up does not hold it.
  news.addEventListener("pointermove", (event) => { if (event.movementX || event.movementY) { left = UNDO_SECONDS; tell(); } });
  const clock = setInterval(() => {
    if (!news.isConnected) return clearInterval(clock);
    if (news.querySelector(":focus-visible")) return;
    left -= 1;
    tell();
    if (left > 0) return;
    clearInterval(clock);
    news.classList.add("gone");
  }, 1000);
}

/** Newest last: the list of what came begins at its end. */
function scrollNews() {
  const list = document.querySelector("ol.since");
  if (list && !list.hasAttribute("data-shown")) { list.setAttribute("data-shown", ""); list.scrollTop = list.scrollHeight; }
}

function freshParts() {
  drawStands();
  draw();
  resultBar();
  scrollNews();
}

/** The position that was shown last, and the result bar beside it: the next record takes that away. */
let seenAt = find("position")?.textContent ?? "", seenNews = find("news");
document.addEventListener("umpire:fresh", () => {
  const now = find("position")?.textContent ?? "";
  const news = find("news"), isOld = news === seenNews;
  seenNews = news;
  if (now === seenAt) return;
  seenAt = now;
  if (isOld) news?.classList.add("gone");
  known.clear();
  if (hand.unit && !whyClosed()) void renew(hand.units, hand.unit);
  else if (isOpened() && stackInHand()) void takeStack(/** @type {Element} */ (stackInHand()), false);
  else if (hand.held) dropHand();
});
document.addEventListener("umpire:put", freshParts);
document.addEventListener("umpire:moved", () => {
  if (targets.length && drawnScale !== shown?.scale) drawTargets(targets);
  hand.at = null;
  placePalette();
});
document.addEventListener("umpire:sent", answered);
document.addEventListener("keydown", boardKeys);
narrow.addEventListener("change", draw);
boardBox()?.addEventListener("click", (event) => {
  const target = under(event);
  if (slipped > PIXELS.slip || !onMap(event) || !target) return;
  const point = hand.unit ? tablePoint(event) : "";
  if (point && (!target.closest("[data-go], [data-units], [data-place]") || isBelowItself(target, point))) { explain(""); void takePoint(point); } else act(target, false, event.shiftKey);
});
boardBox()?.addEventListener("umpire:press", (event) => {
  const stack = event.target instanceof Element ? event.target.closest("[data-units]") : null;
  if (stack) { slipped = PIXELS.slip + 1; void takeStack(stack, false); }
});
document.addEventListener("pointerdown", () => explain(""), { capture: true });
for (const kind of ["pointerover", "focusin"]) over.addEventListener(kind, hovered);
over.addEventListener("pointerleave", hovered);
find("hand-seat")?.addEventListener("change", () => { known.clear(); boardBox()?.setAttribute("data-side", ownSide()); dropHand(); });
freshParts();
