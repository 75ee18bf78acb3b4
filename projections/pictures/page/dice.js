// @ts-check
// Throwing the dice of a log again, once their seed has been opened.
//
// Roll n is drawn from HMAC-SHA256(seed, label ‖ 0x00 ‖ n ‖ 0x00 ‖ block), n and block in decimal from 1 and 0; each byte below the
// largest multiple of the number of faces gives one die, the others are thrown away. Scheme 1 has purpose ‖ 0x00 before the block.

/** @typedef {{checked: number, wrong: {position: number, reason: string} | null}} ThrownAgain */
/** @typedef {{roll: number, purpose: string, dice: string, pips: number[], kept: number, thrown: number, total: unknown, modifiers: unknown,
 *   notation: {number: number, faces: number, more: number}, isOne: boolean}} Roll
 *   `isOne`: whether it has every field, each of its type; no seed gives any other. */
/** @typedef {{commitment: string, seed: string, label: string, scheme: unknown}} Seeded  `seed` in hex, nothing where it was never opened. */
/** @typedef {{position: number, why: () => Promise<string>, isRoll: boolean}} Asked  What is asked of a record; its answer is nothing where it fits. */

/**
 * Throw every roll of ledger dice again whose seed the log opens; `wrong` is the first record that does not fit.
 * @param {LogRecord[]} records
 * @param {Progress} tell
 * @returns {Promise<ThrownAgain>}
 */
async function throwAgain(records, tell = () => {}) {
  const about = records.filter(({ event }) => !event || event.includes('"dice.') || event.includes("\\u"));
  const told = new Map(about.map(({ position, event }) => [position, event ? JSON.parse(event) : null]));
  const commitments = await commitmentsOf([...told.values()]);
  const asked = questionsOf(told, commitments);
  const found = await inSlices(asked, ({ why }) => why(), tell);
  const first = found.findIndex((reason) => reason !== "");
  const checked = asked.filter(({ isRoll }) => isRoll).length;
  return { checked, wrong: first < 0 ? null : { position: itemAt(asked, first).position, reason: itemAt(found, first) } };
}

/** In the order of the log. @param {Map<number, any>} told  @param {Map<string, string>} commitments by seed  @returns {Asked[]} */
function questionsOf(told, commitments) {
  const seeds = new Map([...commitments].map(([seed, commitment]) => [commitment, seed]));
  /** @type {Seeded[]} */
  const seeded = [];
  /** @type {Asked[]} */
  const asked = [];
  let last = 0;
  let withheld = 0;
  for (const [position, event] of told) {
    if (event === null) withheld += 1;
    else if (event.type === "dice.committed" && typeof event.commitment === "string" && typeof event.label === "string") {
      const scheme = event.scheme === undefined ? 1 : event.scheme;
      seeded.push({ commitment: event.commitment, seed: seeds.get(event.commitment) ?? "", label: event.label, scheme });
    } else if (event.type === "dice.opened") {
      const commitment = isSeed(event.seed) ? commitments.get(event.seed.toLowerCase()) : "";
      const fits = seeded.some((one) => one.commitment === commitment);
      asked.push({ position, isRoll: false, why: async () => (fits ? "" : "no commitment before it is to the seed that is opened here") });
    } else if (event.type === "dice.rolled") {
      const isLedgers = event.source === undefined || event.source === "ledger";
      if (isLedgers && seeded.at(-1)?.seed) asked.push({ position, isRoll: true, why: questionOf(position, event, told, [...seeded], last, withheld) });
      last = isWhole(event.roll) && event.roll ? event.roll : last;
      withheld = 0;
    }
  }
  return asked;
}

/**
 * @param {number} position  @param {any} event  @param {Map<number, any>} told  @param {Seeded[]} seeded
 * @param {number} last number of the roll before it  @param {number} withheld records since then
 * @returns {() => Promise<string>}
 */
function questionOf(position, event, told, seeded, last, withheld) {
  return async () => {
    const roll = rollOf(event);
    if (!roll.isOne) return "a roll of ledger dice is not written as one";
    if (!(await isGiven(roll, seeded))) return `the seed gives other dice for this roll (${roll.purpose}: ${pipsInWords(roll.pips)})`;
    if (seeded.at(-1)?.scheme === 1) return "";
    if (!isTotal(roll)) return "its total is not that of its pips and modifiers";
    if (roll.roll <= last || roll.roll > last + 1 + withheld) return `its number is not one that follows the roll before it: ${roll.roll}`;
    return repeats(position, roll, told) ? "" : "it does not repeat the roll that it keeps";
  };
}

/** As the command line writes pips. @param {number[]} pips */
function pipsInWords(pips) {
  return pips.length === 1 ? `(${pips[0]},)` : `(${pips.join(", ")})`;
}

/** Seed to commitment, both in lower-case hex, of every seed that is opened. @param {({type: unknown, seed?: unknown} | null)[]} events */
async function commitmentsOf(events) {
  const seeds = events.filter((event) => event?.type === "dice.opened" && isSeed(event.seed)).map((event) => String(event?.seed).toLowerCase());
  const commitments = await Promise.all(seeds.map(async (seed) => hexOf(await sha256(bytesOf(seed)))));
  return new Map(seeds.map((seed, at) => [seed, itemAt(commitments, at)]));
}

/** @param {unknown} seed */
function isSeed(seed) {
  return typeof seed === "string" && /^(?:[0-9a-fA-F]{2})+$/.test(seed);
}

/** What is to be thrown again of a roll. @param {any} event  @returns {Roll} */
function rollOf(event) {
  const { roll, purpose, dice, pips, total, modifiers = [], kept = 0, thrown = 0 } = event;
  const found = typeof dice === "string" ? /^([0-9]{0,3})d([0-9]{1,3})([+-][0-9]{1,4})?$/.exec(dice.replaceAll(" ", "")) : null;
  const notation = { number: Number(found?.[1] || 1), faces: Number(found?.[2] ?? 0), more: Number(found?.[3] ?? 0) };
  const areDice = found !== null && notation.number >= 1 && notation.number <= 100 && notation.faces >= 2 && notation.faces <= 256;
  const isOne = areDice && typeof purpose === "string" && Array.isArray(pips) && [roll, thrown, ...pips].every(isWhole);
  return { roll, purpose, dice, pips, total, modifiers, kept: isWhole(kept) ? kept : 0, thrown, notation, isOne };
}

/** A whole number of at most 53 bits. @param {unknown} value */
function isWhole(value) {
  return Number.isSafeInteger(value);
}

/** The total is that of pips and modifiers, of which the dice's own comes first. @param {Roll} roll */
function isTotal(roll) {
  if (!Array.isArray(roll.modifiers)) return false;
  const amounts = roll.modifiers.map((one) => (typeof one === "object" && one !== null && !Array.isArray(one) ? one.amount : undefined));
  if (!amounts.every(isWhole) || !isWhole(roll.total)) return false;
  if (roll.notation.more && amounts[0] !== roll.notation.more) return false;
  return [...roll.pips, ...amounts].reduce((sum, one) => sum + BigInt(one), 0n) === BigInt(Number(roll.total));
}

/** A roll that keeps old pips repeats the roll of that record, a fresh one none. @param {number} position  @param {Roll} roll  @param {Map<number, any>} told */
function repeats(position, roll, told) {
  if (!roll.kept) return !roll.thrown;
  const old = roll.kept < position ? told.get(roll.kept) : undefined;
  if (old === null) return true;
  if (old?.type !== "dice.rolled") return false;
  const was = rollOf(old);
  const arePips = was.isOne && was.pips.length === roll.pips.length && was.pips.every((pip, at) => pip === roll.pips[at]);
  return arePips && (was.thrown || was.roll) === roll.thrown;
}

/** Pips that were kept may have been thrown from the seed of the game that this one was copied from.
 * @param {Roll} roll  @param {Seeded[]} seeded */
async function isGiven(roll, seeded) {
  const [last, ...before] = [...seeded].reverse();
  if (last && (await seedGives(last, roll))) return true;
  if (!roll.kept) return false;
  const given = await Promise.all(before.map(async (one) => !one.seed || seedGives(one, roll)));
  return given.includes(true);
}

/** Whether a seed gives a roll. @param {Seeded} seeded  @param {Roll} roll */
async function seedGives({ seed, label, scheme }, roll) {
  const { number, faces } = roll.notation;
  if ((scheme !== 1 && scheme !== 2) || roll.pips.length !== number) return false;
  const words = [label, roll.thrown || roll.roll, ...(scheme === 1 ? [roll.purpose] : []), ""];
  const pips = await drawPips(seed, words.join("\0"), number, faces);
  return pips.every((pip, at) => pip === roll.pips[at]);
}

/** @param {string} seed  @param {string} message  @param {number} number of dice  @param {number} faces of each */
async function drawPips(seed, message, number, faces) {
  const secret = seed ? bytesOf(seed) : new Uint8Array(1); // HMAC fills a short key up with zeros; the browser takes none that is empty
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const fair = 256 - (256 % faces);
  /** @type {number[]} */
  const pips = [];
  for (let block = 0; pips.length < number; block += 1) {
    const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8.encode(`${message}${block}`)));
    for (const byte of bytes) if (byte < fair && pips.length < number) pips.push((byte % faces) + 1);
  }
  return pips;
}
