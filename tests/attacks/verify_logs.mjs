// Verdicts of the page's own verifier on many logs: node verify_logs.mjs PAGE_FOLDER < LENGTH-PREFIXED LOGS > one JSON line a log.
// Each log is: 4 bytes length of the checkpoint's text, that text, 4 bytes length of the log, the log (big-endian).
import { readFileSync } from "node:fs";
import { webcrypto } from "node:crypto";
import vm from "node:vm";

globalThis.crypto ??= webcrypto;
for (const name of ["read_log.js", "hashes.js", "dice.js", "dice_shares.js", "verify.js"]) {
  vm.runInThisContext(readFileSync(`${process.argv[2]}/${name}`, "utf8"), { filename: name });
}

const all = readFileSync(0);
let at = 0;
function next() {
  const length = all.readUInt32BE(at);
  const part = all.subarray(at + 4, at + 4 + length);
  at += 4 + length;
  return part;
}
const asBrowsersRead = new TextDecoder("utf-8", { ignoreBOM: true });
while (at < all.length) {
  const checkpoint = next().toString("utf8");
  const hashed = await hashLog(asBrowsersRead.decode(next()));
  console.log(JSON.stringify(await judge(hashed, checkpoint ? readCheckpoint(checkpoint) : null)));
}
