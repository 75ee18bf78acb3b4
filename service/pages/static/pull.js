// A path that is pulled: over the cells that a pointer crosses from the unit on, over one where a bead is dropped, or over
// each place that is clicked as a way point. The service looks for the path over these places; the rules decide.

/** What is pulled: the path from the unit, or the bead with this number of the path that waits. @typedef {{ bead: number, places: string[], moved: boolean }} Pull */

/** The pull under way. @type {Pull | null} */
let pulled = null;

/** The order whose path can be pulled: of those in the hand the first that leads along a path. @type {() => Offer | null} */
const pathOffer = () => (hand.offers ?? []).find((one) => !one.refused && (!hand.order || one.id === hand.order) && one.targets.some((two) => two.path?.length && plotOf(two.path[0] ?? "")?.hasAttribute("points"))) ?? null;

/** The places of a path after its start. @type {(choice: Choice | undefined) => string[]} */
function pathOf(choice) {
  const [first, ...rest] = choice?.path ?? [];
  return first === undefined ? [] : first === startOfHand() ? rest : [first, ...rest];
}

/** The place of the unit in the hand. @type {() => string} */
const startOfHand = () => stackOf(hand.unit)?.getAttribute("data-place") ?? "";

/** Asks for the path over way points to a place; it waits for a second sign. If there is none, what waited stays. @type {(via: string[], to: string) => Promise<void>} */
async function leadOver(via, to) {
  const offer = pathOffer(), box = boardBox(), { unit } = hand;
  if (!offer || !box) return;
  const asked = new URLSearchParams({ unit, order: offer.order, as: seatOfHand() }), mine = questions += 1;
  const before = via.filter((one) => one !== to);
  for (const place of [...before, to]) asked.append("over", place);
  const answer = await persist(() => fetch(`${box.dataset["game"]}/clickable?${asked}`, { headers: { Accept: "application/json" } }), "Nothing was sent.", () => mine === questions);
  if (!answer || mine !== questions || hand.unit !== unit) return;
  /** @type {Offer | undefined} */
  const found = answer.ok ? (await answer.json()).orders[0] : undefined;
  const choice = found?.targets[0], why = found?.refused;
  if (choice) hand = { ...hand, via, among: null, waits: { offer, choice } };
  draw();
  if (!choice) explain(`${offer.words} to ${to}${before.length ? ` over ${before.join(", ")}` : ""}: ${why ? sentences(why.text, why.remedy) : "the rules accept no such path."} Drag the path elsewhere, or press Esc.`);
}

/** A click on a place as a way point: the path that waits leads over it, or one begins with it. @type {(place: string) => void} */
function addWayPoint(place) {
  const end = hand.waits?.choice.place ?? "";
  if (place === startOfHand()) return;
  void leadOver([...hand.via.filter((one) => one !== place), place], end && !hand.via.includes(end) ? end : place);
}

/** Forgets the way points. @type {() => boolean} */
function straighten() {
  if (!hand.via.length && !hand.points) return false;
  hand = { ...hand, via: [], points: false, waits: hand.via.length ? null : hand.waits };
  draw();
  return true;
}

/** The button that makes a click on a place a way point. @type {() => HTMLElement[]} */
function pointButton() {
  if (!pathOffer()) return [];
  const button = element("button", { type: "button", id: "hand-points", "aria-pressed": String(hand.points), title: "Or drag the path; or Shift and a click" }, "Way points");
  button.addEventListener("click", () => { hand = { ...hand, points: !hand.points }; drawHand(); find("hand-points")?.focus({ preventScroll: true }); });
  return [button];
}

// --- dragging ---------------------------------------------------------------------------------------------------------

/** The place under a pointer; "" for none. @type {(event: PointerEvent) => string} */
function placeUnder(event) {
  const all = document.elementsFromPoint(event.clientX, event.clientY);
  return all.map((one) => one.closest("#map svg > g > [data-place]")).find((one) => one?.matches("polygon"))?.getAttribute("data-place") ?? "";
}

/** What a pointer would pull: a bead of the path that waits, or the path of the unit in the hand. @type {(event: PointerEvent) => Pull | null} */
function pullAt(event) {
  if (event.button || !hand.unit || whyClosed() || fingers.size || !pathOffer()) return null;
  const all = document.elementsFromPoint(event.clientX, event.clientY), bead = all.find((one) => one.matches("#over .grip"));
  if (bead) return { bead: Number(bead.getAttribute("data-bead")), places: pathOf(hand.waits?.choice), moved: false };
  const onUnit = all.some((one) => one.closest("#map .stack") === stackOf(hand.unit) || one.closest("#over .stand") === standOf(hand.unit));
  return onUnit ? { bead: -1, places: [], moved: false } : null;
}

/** @type {(event: PointerEvent) => void} */
function beginPull(event) {
  pulled = onMap(event) ? pullAt(event) : null;
  if (!pulled) return;
  event.stopPropagation();
  touched = event.pointerType === "touch";
  slipped = 0;
}

/** The path follows the pointer from place to place; back on a place of it, it ends there. @type {(event: PointerEvent) => void} */
function movePull(event) {
  const place = pulled ? placeUnder(event) : "";
  if (!pulled) return;
  event.stopPropagation();
  const { bead, places } = pulled, at = places.indexOf(place), isStart = place === startOfHand();
  if (!place || (bead < 0 ? place === places[places.length - 1] || (isStart && !places.length) : place === places[bead])) return;
  if (!pulled.moved) boardBox()?.setPointerCapture(event.pointerId); // earlier, a click would miss the unit
  pulled.moved = true;
  if (bead >= 0) pulled.places = places.map((one, nth) => (nth === bead ? place : one));
  else pulled.places = isStart ? [] : at < 0 ? [...places, place] : places.slice(0, at + 1);
  drawWay(hand.unit, { given: {}, typed: "", words: "", asks_again: "", path: pulled.places }, false, [place]);
}

/** @type {(event: PointerEvent) => void} */
function endPull(event) {
  const done = pulled;
  pulled = null;
  if (!done) return;
  event.stopPropagation();
  if (!done.moved) return;
  slipped = PIXELS.slip + 1; // the click that follows is part of the pull
  const [to = "", ...before] = [...done.places].reverse();
  if (event.type === "pointercancel" || !to) return draw();
  if (done.bead < 0) return void leadOver(before.reverse(), to);
  const path = pathOf(hand.waits?.choice), own = path.slice(0, -1).map((one, nth) => (nth === done.bead ? String(done.places[nth]) : hand.via.includes(one) ? one : ""));
  void leadOver(own.filter((one) => one && one !== to), to);
}

for (const [kind, does] of /** @type {[string, (event: PointerEvent) => void][]} */ ([["pointerdown", beginPull], ["pointermove", movePull], ["pointerup", endPull], ["pointercancel", endPull]])) {
  boardBox()?.addEventListener(kind, /** @type {EventListener} */ (does), { capture: true });
}
