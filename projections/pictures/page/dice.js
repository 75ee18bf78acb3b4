// @ts-check
// Recomputes the rolls of a log whose seed is revealed.
//
// Roll n is drawn from HMAC-SHA256(seed, label ‖ 0x00 ‖ n ‖ 0x00 ‖ block), with n from 1 and block from 0 in decimal. Each byte below
// the largest multiple of the number of faces yields one die; other bytes are discarded. Scheme 1 has purpose ‖ 0x00 before the block.

/** @typedef {{checked: number, closed: number, wrong: {position: number, reason: string} | null}} ThrownAgain
 *   `checked`: number of rolls that a revealed seed produces; `closed`: number of ledger rolls that no revealed seed produces. */
/** @typedef {{roll: number, purpose: string, dice: string, pips: number[], kept: number, thrown: number, total: unknown, modifiers: unknown,
 *   notation: {number: number, faces: number, more: number}, isOne: boolean}} Roll
 *   `isOne`: whether it has every field with the right type; no seed produces any other roll. */
/** @typedef {{commitment: string, seed: string | undefined, label: string, scheme: number, shown: Map<string, string>, first: number}} Seeded
 *   `seed`: in hex, undefined while it is secret; `shown`: shares by side; `first`: the first roll that they apply to, 0 for all. */
/** @typedef {{told: Map<number, any>, seeded: Seeded[], opened: Set<string>, left: [to: number, back: number][],
 *   rolls: [position: number, number: number, pips: unknown][], withheld: string[], closed: number, shares: Shares}} SoFar
 *   `told`: events by position, null if a roll may be withheld there; `opened`: commitments of revealed seeds; `left`: the ranges that
 *   rewinds abandoned and whose rolls may be reused; `withheld`: the order ids of withheld records since the last roll. */
/** @typedef {{position: number, roll: Roll | null, seeded: Seeded[], why: string}} Asked
 *   `roll`: the roll to recompute from one of these seeds; `why`: any other fault, or "". */

const ABOUT_DICE = /"(?:dice\.|play\.rewound"|game\.copied"|seat\.taken")|\\u/;
const KEEPING = ["keep", "keep-unless-new"];

/**
 * Recomputes every ledger roll whose seed the log reveals. `wrong` is the first faulty record.
 * @param {LogRecord[]} records
 * @param {Progress} tell
 * @returns {Promise<ThrownAgain>}
 */
async function throwAgain(records, tell = () => {}) {
  const aboutDice = records.filter(isAboutDice);
  const told = new Map(aboutDice.map(({ position, event }) => [position, event ? JSON.parse(event) : null]));
  const commitments = await commitmentsOf([...told.values()]);
  const hashes = await hashesOfShares([...told.values()]);
  const seeds = new Map([...commitments].map(([seed, commitment]) => [commitment, seed]));
  /** @type {SoFar} */
  const soFar = { told, seeded: [], opened: new Set(), left: [], rolls: [], withheld: [], closed: 0, shares: noShares() };
  const asked = aboutDice.flatMap((record) => questionsOf(record, told.get(record.position), soFar, { seeds, commitments, hashes }));
  const answers = await inSlices(asked, answerTo, tell);
  const first = answers.findIndex(({ why }) => why !== "");
  const checked = answers.filter(({ isGiven }) => isGiven).length;
  const closed = soFar.closed + asked.filter(({ roll }) => roll).length - checked;
  return { checked, closed, wrong: first < 0 ? null : { position: itemAt(asked, first).position, reason: itemAt(answers, first).why } };
}

/** Returns whether a record may be about dice. A record that no seat may see is a seed, not a roll. @param {LogRecord} record */
function isAboutDice({ event, visibleTo }) {
  return event ? ABOUT_DICE.test(event) : visibleTo?.length !== 0;
}

/**
 * Returns the checks of the next record; [] for most records.
 * @param {LogRecord} record  @param {any} event  @param {SoFar} soFar
 * @param {{seeds: Map<string, string>, commitments: Map<string, string>, hashes: Map<string, string>}} known
 *   seeds by commitment, commitments by seed, hashes by share
 * @returns {Asked[]}
 */
function questionsOf(record, event, soFar, { seeds, commitments, hashes }) {
  const { position } = record;
  const told = (/** @type {string} */ why) => (why ? [{ position, roll: null, seeded: [], why }] : []);
  if (event === null) {
    soFar.withheld.push(record.command);
    soFar.shares.hides = true;
  } else if (event.type === "dice.committed" && typeof event.commitment === "string" && typeof event.label === "string") {
    const scheme = event.scheme === undefined ? 1 : isWhole(event.scheme) ? event.scheme : 0;
    const seed = seeds.get(event.commitment);
    const seeded = { commitment: event.commitment, seed, label: event.label, scheme, shown: new Map(), first: 0 };
    if (isSame(seeded, soFar.seeded.at(-1))) return []; // once more, behind a rewind
    const fits = isDue(position, seeded, soFar);
    soFar.seeded = [...soFar.seeded, seeded];
    soFar.shares = { ...noShares(), sides: soFar.shares.sides };
    return told(fits ? "" : "it commits to new dice before the earlier seed is revealed");
  } else if (event.type === "dice.opened") {
    const commitment = isSeed(event.seed) ? (commitments.get(event.seed.toLowerCase()) ?? "") : "";
    const fits = soFar.seeded.some((one) => one.commitment === commitment);
    if (fits) soFar.opened.add(commitment);
    return told(fits ? "" : "no earlier record commits to the seed that it reveals");
  } else if (event.type === "play.rewound") {
    soFar.shares.asker = "";
    if (KEEPING.includes(event.dice) && isWhole(event.to)) soFar.left.push([event.to, position]);
  } else if (event.type === "seat.taken") {
    if (typeof event.seat === "string" && typeof event.side === "string") soFar.shares.sides.set(event.seat, event.side);
  } else if (event.type === "dice.pledged" || event.type === "dice.shared") {
    const fits = takesShare(event, soFar.seeded.at(-1), soFar, hashes);
    return told(fits ? "" : "a pledge or dice share does not match the earlier ones");
  } else if (event.type === "dice.asked") {
    const asked = isWhole(event.roll) ? event.roll : 0;
    if (!follows(asked, soFar)) return told(`roll number ${asked} is out of sequence`);
    return told(asks(asked, record.seat, soFar) ? "" : "an order already waits for dice, and shares for it are revealed");
  } else if (event.type === "dice.rolled") {
    return rollAsked(record, event, soFar);
  }
  return [];
}

/**
 * Returns whether the game may change to a new seed here. Otherwise rolls could escape the check under a seed that is never revealed.
 * @param {number} position  @param {Seeded} seeded  @param {SoFar} soFar
 */
function isDue(position, { label, scheme }, soFar) {
  const last = soFar.seeded.at(-1);
  if (!last) return true;
  // A copy is recorded, except under scheme 1.
  if (soFar.seeded.every((one) => one.label !== label)) return scheme === 1 || soFar.told.get(position - 1)?.type === "game.copied";
  return soFar.opened.has(last.commitment);
}

/** @param {Seeded} one  @param {Seeded | undefined} other */
function isSame(one, other) {
  return one.commitment === other?.commitment && one.label === other.label && one.scheme === other.scheme;
}

/** Returns whether the next roll may have this number. @param {number} number  @param {SoFar} soFar */
function follows(number, { rolls, withheld }) {
  const last = rolls.at(-1)?.[1] ?? 0;
  return last < number && number <= last + 1 + withheld.length;
}

/** @param {LogRecord} record  @param {any} event  @param {SoFar} soFar  @returns {Asked[]} */
function rollAsked(record, event, soFar) {
  const { position } = record;
  const roll = rollOf(event);
  const number = isWhole(roll.roll) ? roll.roll : 0;
  const isNext = follows(number, soFar);
  const hidden = soFar.withheld.filter((command) => command === record.command).length;
  soFar.withheld = [];
  if (number) soFar.rolls.push([position, number, event.pips]);
  const newest = soFar.seeded.at(-1);
  const asked = (/** @type {string} */ why) => [{ position, roll: null, seeded: [], why }];
  if (event.source !== undefined && event.source !== "ledger") {
    return newest ? asked("its dice are not ledger dice, to which the game is committed") : [];
  }
  if (newest && !roll.kept && !isAllowed(number, hidden, record, newest, soFar.shares)) {
    return asked("it is rolled before the sides reveal their shares for it");
  }
  if (newest?.seed === undefined) {
    soFar.closed += 1;
    return [];
  }
  if (!roll.isOne) return asked("a roll of ledger dice is malformed");
  const seeded = roll.kept ? keptFrom(roll, soFar.seeded) : [newest];
  return [{ position, roll, seeded, why: newest.scheme === 1 ? "" : notFitting(roll, isNext, soFar) }];
}

/**
 * Returns each seed that may have produced a reused result, with the shares that applied to that roll. Secret seeds, and the seed of the
 * game that this one copies, are included.
 * @param {Roll} roll  @param {Seeded[]} seeded
 */
function keptFrom(roll, seeded) {
  const thrown = new Map(seeded.filter(({ first }) => first <= (roll.thrown || roll.roll)).map((one) => [one.commitment, one]));
  return [...thrown.values(), ...seeded.filter(({ seed }) => seed === undefined)];
}

/**
 * Returns any fault of a roll under a scheme other than 1, except its dice results; "" if there is none.
 * @param {Roll} roll  @param {boolean} isNext whether its number follows the roll before it  @param {SoFar} soFar
 */
function notFitting(roll, isNext, soFar) {
  if (!isTotal(roll)) return "its total is not the sum of its results and modifiers";
  if (!isNext) return `its roll number does not follow the previous roll: ${roll.roll}`;
  return repeats(roll, soFar) ? "" : "it does not repeat the roll that it reuses";
}

/** @param {Asked} asked  @returns {Promise<{isGiven: boolean, why: string}>} */
async function answerTo({ roll, seeded, why }) {
  if (!roll) return { isGiven: false, why };
  const isGiven = (await Promise.all(seeded.map((one) => seedGives(one, roll)))).includes(true);
  if (isGiven || seeded.some(({ seed }) => seed === undefined)) return { isGiven, why };
  return { isGiven, why: `the seed produces different results for this roll (${roll.purpose}: ${pipsInWords(roll.pips)})` };
}

/** Writes dice results as the command line does. @param {number[]} pips */
function pipsInWords(pips) {
  return pips.length === 1 ? `(${pips[0]},)` : `(${pips.join(", ")})`;
}

/** Returns the commitment of each revealed seed, by seed, both in lower-case hex. @param {({type: unknown, seed?: unknown} | null)[]} events */
async function commitmentsOf(events) {
  const seeds = events.filter((event) => event?.type === "dice.opened" && isSeed(event.seed)).map((event) => String(event?.seed).toLowerCase());
  const commitments = await Promise.all(seeds.map(async (seed) => hexOf(await sha256(bytesOf(seed)))));
  return new Map(seeds.map((seed, at) => [seed, itemAt(commitments, at)]));
}

/** @param {unknown} seed */
function isSeed(seed) {
  return typeof seed === "string" && /^(?:[0-9a-fA-F]{2})+$/.test(seed);
}

/** Returns the recomputable part of a roll. @param {any} event  @returns {Roll} */
function rollOf(event) {
  const { roll, purpose, dice, pips, total, modifiers = [], kept = 0, thrown = 0 } = event;
  const found = typeof dice === "string" ? /^([0-9]{0,3})d([0-9]{1,3})([+-][0-9]{1,4})?$/.exec(dice.replaceAll(" ", "")) : null;
  const notation = { number: Number(found?.[1] || 1), faces: Number(found?.[2] ?? 0), more: Number(found?.[3] ?? 0) };
  const areDice = found !== null && notation.number >= 1 && notation.number <= 100 && notation.faces >= 2 && notation.faces <= 256;
  const isOne = areDice && typeof purpose === "string" && Array.isArray(pips) && [roll, thrown, ...pips].every(isWhole);
  return { roll, purpose, dice, pips, total, modifiers, kept: isWhole(kept) ? kept : 0, thrown, notation, isOne };
}

/** Returns whether a value is a whole number of at most 53 bits. @param {unknown} value */
function isWhole(value) {
  return Number.isSafeInteger(value);
}

/** Returns whether the total is the sum of results and modifiers, with the modifier of the dice notation first. @param {Roll} roll */
function isTotal(roll) {
  if (!Array.isArray(roll.modifiers)) return false;
  const amounts = roll.modifiers.map((one) => (typeof one === "object" && one !== null && !Array.isArray(one) ? one.amount : undefined));
  if (!amounts.every(isWhole) || !isWhole(roll.total)) return false;
  if (roll.notation.more && amounts[0] !== roll.notation.more) return false;
  return [...roll.pips, ...amounts].reduce((sum, one) => sum + BigInt(one), 0n) === BigInt(Number(roll.total));
}

/** Returns whether a reused roll repeats an abandoned roll, or a new roll names none. @param {Roll} roll  @param {SoFar} soFar */
function repeats(roll, soFar) {
  if (!roll.kept) return !roll.thrown;
  if (!soFar.left.some(([to, back]) => to < roll.kept && roll.kept < back)) return false;
  const old = soFar.told.get(roll.kept);
  if (old === null) return mayBeWithheld(roll, soFar);
  if (old?.type !== "dice.rolled") return false;
  const was = rollOf(old);
  return was.isOne && arePipsOf(roll, was.pips) && (was.thrown || was.roll) === roll.thrown;
}

/**
 * Returns whether the reused roll may be a withheld record. A roll number must be missing there, and the result must neither come from a
 * later roll nor differ from a visible result with its number.
 * @param {Roll} roll  @param {SoFar} soFar
 */
function mayBeWithheld(roll, { rolls }) {
  const before = rolls.filter(([at]) => at < roll.kept).at(-1)?.[1] ?? 0;
  const behind = rolls.find(([at]) => at > roll.kept)?.[1] ?? 0;
  const isEarlier = before + 1 < behind && roll.thrown > 0 && roll.thrown < behind;
  return isEarlier && rolls.every(([, number, pips]) => number !== roll.thrown || arePipsOf(roll, pips));
}

/** @param {Roll} roll  @param {unknown} pips */
function arePipsOf(roll, pips) {
  return Array.isArray(pips) && pips.length === roll.pips.length && pips.every((pip, at) => pip === roll.pips[at]);
}

/** Returns whether a seed produces a roll; a secret seed produces none. @param {Seeded} seeded  @param {Roll} roll */
async function seedGives(seeded, roll) {
  const { seed, label, scheme } = seeded;
  const { number, faces } = roll.notation;
  if (seed === undefined || ![1, 2, SHARED, WITNESSED].includes(scheme) || roll.pips.length !== number) return false;
  const words = [label, roll.thrown || roll.roll, ...(scheme === 1 ? [roll.purpose] : []), ""];
  const pips = await drawPips(await keyOf(seeded), words.join("\0"), number, faces);
  return arePipsOf(roll, pips);
}

/** @param {string} secret in hex  @param {string} message  @param {number} number of dice  @param {number} faces of each */
async function drawPips(secret, message, number, faces) {
  const bytesOfKey = secret ? bytesOf(secret) : new Uint8Array(1); // HMAC fills a short key up with zeros; the browser takes none that is empty
  const key = await crypto.subtle.importKey("raw", bytesOfKey, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const fair = 256 - (256 % faces);
  /** @type {number[]} */
  const pips = [];
  for (let block = 0; pips.length < number; block += 1) {
    const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8.encode(`${message}${block}`)));
    for (const byte of bytes) if (byte < fair && pips.length < number) pips.push((byte % faces) + 1);
  }
  return pips;
}
