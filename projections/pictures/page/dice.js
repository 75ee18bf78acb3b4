// @ts-check
// Throwing the dice of a log again, once their seed has been opened.
//
// Roll n is drawn from HMAC-SHA256(seed, label ‖ 0x00 ‖ n ‖ 0x00 ‖ block), n and block in decimal from 1 and 0; each byte below the
// largest multiple of the number of faces gives one die, the others are thrown away. Scheme 1 has purpose ‖ 0x00 before the block.

/** @typedef {{checked: number, wrong: {position: number, reason: string} | null}} ThrownAgain */
/** @typedef {{roll: number, purpose: string, dice: string, pips: number[], kept: number, thrown: number, isOne: boolean}} Roll
 *   `isOne`: whether it has every field, each of its type; no seed gives any other. */
/** @typedef {{seed: string, label: string, scheme: unknown}} Seeded  `seed` in hex, nothing where it was never opened. */

/**
 * Throw every roll of ledger dice again whose seed the log opens; `wrong` is the first that the seed does not give.
 * @param {LogRecord[]} records
 * @param {Progress} tell
 * @returns {Promise<ThrownAgain>}
 */
async function throwAgain(records, tell = () => {}) {
  const about = records.filter((record) => record.event.includes('"dice.') || record.event.includes("\\u"));
  const told = about.map((record) => ({ position: record.position, event: JSON.parse(record.event) }));
  const seeds = await openedSeeds(told.map(({ event }) => event));
  /** @type {Seeded[]} */
  const seeded = [];
  /** @type {{position: number, roll: Roll, seeded: Seeded[]}[]} */
  const rolls = [];
  for (const { position, event } of told) {
    if (event.type === "dice.committed" && typeof event.commitment === "string" && typeof event.label === "string") {
      seeded.push({ seed: seeds.get(event.commitment) ?? "", label: event.label, scheme: event.scheme === undefined ? 1 : event.scheme });
    }
    const roll = event.type === "dice.rolled" ? ledgerRoll(event) : null;
    if (roll && seeded.at(-1)?.seed) rolls.push({ position, roll, seeded: [...seeded] });
  }
  const right = await inSlices(rolls, ({ roll, seeded: by }) => isRight(roll, by), tell);
  const wrong = rolls[right.indexOf(false)];
  const reason = wrong && (wrong.roll.isOne ? otherDice(wrong.roll) : "a roll of ledger dice is not written as one");
  return { checked: rolls.length, wrong: wrong && reason ? { position: wrong.position, reason } : null };
}

/** @param {Roll} roll */
function otherDice(roll) {
  return `the seed gives other dice for this roll (${roll.purpose}: ${pipsInWords(roll.pips)})`;
}

/** As the command line writes pips. @param {number[]} pips */
function pipsInWords(pips) {
  return pips.length === 1 ? `(${pips[0]},)` : `(${pips.join(", ")})`;
}

/** Commitment to seed, both in hex. @param {{type: unknown, seed?: unknown}[]} events */
async function openedSeeds(events) {
  const seeds = events.filter((event) => event.type === "dice.opened" && isSeed(event.seed)).map((event) => String(event.seed));
  const commitments = await Promise.all(seeds.map(async (seed) => hexOf(await sha256(bytesOf(seed)))));
  return new Map(commitments.map((commitment, at) => [commitment, itemAt(seeds, at)]));
}

/** @param {unknown} seed */
function isSeed(seed) {
  return typeof seed === "string" && /^(?:[0-9a-fA-F]{2})+$/.test(seed);
}

/** What is to be thrown again of a roll; null for dice of the table. @param {any} event  @returns {Roll | null} */
function ledgerRoll(event) {
  const { roll, purpose, dice, pips, source = "ledger", kept = 0, thrown = 0 } = event;
  if (source !== "ledger") return null;
  const isOne = typeof purpose === "string" && typeof dice === "string" && Array.isArray(pips) && [roll, thrown, ...pips].every(isWhole);
  return { roll, purpose, dice, pips, kept: isWhole(kept) ? kept : 0, thrown, isOne };
}

/** A whole number of at most 53 bits. @param {unknown} value */
function isWhole(value) {
  return Number.isSafeInteger(value);
}

/** Pips that were kept may have been thrown from the seed of the game that this one was copied from.
 * @param {Roll} roll  @param {Seeded[]} seeded */
async function isRight(roll, seeded) {
  const [last, ...before] = [...seeded].reverse();
  if (last && (await seedGives(last, roll))) return true;
  if (!roll.kept) return false;
  const given = await Promise.all(before.map(async (one) => !one.seed || seedGives(one, roll)));
  return given.includes(true);
}

/** Whether a seed gives a roll; dice that are none it never gives. @param {Seeded} seeded  @param {Roll} roll */
async function seedGives({ seed, label, scheme }, roll) {
  const found = /^([0-9]{0,3})d([0-9]{1,3})(?:[+-][0-9]{1,4})?$/.exec(String(roll.dice).replaceAll(" ", ""));
  const number = Number(found?.[1] || 1);
  const faces = Number(found?.[2] ?? 0);
  if (!roll.isOne || !found || number < 1 || number > 100 || faces < 2 || faces > 256 || roll.pips.length !== number) return false;
  if (scheme !== 1 && scheme !== 2) return false;
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
