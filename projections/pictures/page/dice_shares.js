// @ts-check
// Checks the sides' dice shares. Every side pledges its shares before any share is revealed, and each share hashes to the one before.
// Rolls are drawn with the key SHA-256(seed ‖ newest shares). With witnessed dice, an order waits until the other sides reveal new shares.

/** @typedef {{given: Map<string, string>, since: Set<string>, asked: number, asker: string, own: string, hides: boolean, thrower: string,
 *   sides: Map<string, string>}} Shares
 *   `given`: the pledge or newest share of each side; `since`: sides that have revealed a share since `asker` gave an order, whose first
 *   roll is `asked`; `own`: the side of `asker`; `hides`: whether a record since then is withheld and may be a roll; `thrower`: the order
 *   that rolled last; `sides`: the side of each taken seat. */

const SHARED = 3;
const WITNESSED = 4;

/** @returns {Shares} */
function noShares() {
  return { given: new Map(), since: new Set(), asked: 0, asker: "", own: "", hides: false, thrower: "", sides: new Map() };
}

/**
 * Adds a pledge or a share, and returns whether it is valid.
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
 * Lets an order of a seat wait for dice, and returns whether it may. It may not if a share is revealed for another order that has not
 * rolled yet.
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
 * Returns whether all shares for a roll are revealed.
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

/** Returns the key from which rolls are drawn, in hex. @param {Seeded} seeded  @returns {Promise<string>} */
async function keyOf({ seed = "", scheme, shown }) {
  return scheme < SHARED ? seed : hexOf(await sha256(bytesOf(seed + [...shown.values()].sort().join(""))));
}

/** Returns the SHA-256 of each revealed share, by share, both in hex. @param {(any | null)[]} events  @returns {Promise<Map<string, string>>} */
async function hashesOfShares(events) {
  /** @type {string[]} */
  const shares = events.filter((event) => event?.type === "dice.shared" && isHash(event.share)).map(({ share }) => share);
  const hashes = await Promise.all(shares.map(async (share) => hexOf(await sha256(bytesOf(share)))));
  return new Map(shares.map((share, at) => [share, itemAt(hashes, at)]));
}
