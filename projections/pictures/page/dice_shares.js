// @ts-check
// The sides' shares in the dice: before anybody shows one every side pledges it, and each share is the one behind the last. What is
// thrown is drawn with SHA-256(seed ‖ newest shares) for a key. Of witnessed dice an order asks, and the other sides show new shares.

/** @typedef {{given: Map<string, string>, since: Set<string>, asked: number, asker: string, own: string, hides: boolean, thrower: string,
 *   sides: Map<string, string>}} Shares
 *   `given`: by side its pledge or newest share; `since`: sides that have shown one since `asker` gave an order, of which roll `asked` is
 *   the first; `own`: the side of `asker`; `hides`: since then a record is withheld, which may be a roll; `thrower`: the order that threw last; `sides`: of the seats that were taken. */

const SHARED = 3;
const WITNESSED = 4;

/** @returns {Shares} */
function noShares() {
  return { given: new Map(), since: new Set(), asked: 0, asker: "", own: "", hides: false, thrower: "", sides: new Map() };
}

/**
 * Take a pledge or a share; whether it fits.
 * @param {any} event  @param {Seeded | undefined} newest  @param {SoFar} soFar  @param {Map<string, string>} hashes by share
 */
function takesShare(event, newest, soFar, hashes) {
  const isPledge = event.type === "dice.pledged";
  const { given, since, asked, asker, own } = soFar.shares;
  const text = isPledge ? event.pledge : event.share;
  if (typeof event.side !== "string" || !isHash(text) || newest === undefined || newest.scheme < SHARED) return false;
  const before = given.get(event.side);
  given.set(event.side, text);
  if (isPledge) return before === undefined && newest.shown.size === 0;
  const isDue = newest.scheme === SHARED || (asker !== "" && event.side !== own && !since.has(event.side));
  soFar.seeded = [...soFar.seeded, { ...newest, shown: new Map([...newest.shown, [event.side, text]]), first: asked }];
  since.add(event.side);
  return isDue && hashes.get(text) === before;
}

/**
 * An order of a seat waits for its dice; whether it may: not where a share is shown for another, which has thrown nothing.
 * @param {number} asked  @param {string} asker  @param {SoFar} soFar
 */
function asks(asked, asker, { seeded, shares }) {
  const fits = seeded.at(-1)?.scheme !== WITNESSED || shares.asker === "" || shares.since.size === 0 || shares.hides;
  Object.assign(shares, { asked, asker, own: shares.given.has(asker) ? asker : (shares.sides.get(asker) ?? asker), since: new Set(), hides: false });
  return fits;
}

/** @param {unknown} text */
function isHash(text) {
  return typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
}

/**
 * Whether a roll has the shares that it is to be thrown with.
 * @param {number} number of the roll  @param {number} hidden records of the same order that are withheld before it, and may be rolls
 * @param {LogRecord} record  @param {Seeded} newest  @param {Shares} shares
 */
function isAllowed(number, hidden, record, newest, shares) {
  if (newest.scheme === SHARED) return shares.given.size > 0 && shares.given.size === newest.shown.size;
  if (newest.scheme !== WITNESSED || record.command === shares.thrower) return true;
  const { asked, asker, own, since } = shares;
  const missing = [...shares.given.keys()].filter((side) => side !== own && !since.has(side));
  Object.assign(shares, { asker: "", thrower: record.command });
  return record.seat === asker && asked <= number && number <= asked + hidden && since.size > 0 && missing.length === 0;
}

/** What a roll is drawn with, in hex. @param {Seeded} seeded  @returns {Promise<string>} */
async function keyOf({ seed = "", scheme, shown }) {
  return scheme < SHARED ? seed : hexOf(await sha256(bytesOf(seed + [...shown.values()].sort().join(""))));
}

/** SHA-256 by share, both in hex, of every share that is shown. @param {(any | null)[]} events  @returns {Promise<Map<string, string>>} */
async function hashesOfShares(events) {
  /** @type {string[]} */
  const shares = events.filter((event) => event?.type === "dice.shared" && isHash(event.share)).map(({ share }) => share);
  const hashes = await Promise.all(shares.map(async (share) => hexOf(await sha256(bytesOf(share)))));
  return new Map(shares.map((share, at) => [share, itemAt(hashes, at)]));
}
