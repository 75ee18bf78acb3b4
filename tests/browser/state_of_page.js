// In the page: the SHA-256 of what it says of each position, in canonical JSON; with a position the JSON itself.
async (only = 0, backward = false) => {
  const known = new WeakMap();
  const sorted = (value) => {
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    if (known.has(value)) return known.get(value);
    const parts = Array.isArray(value)
      ? `[${value.map(sorted).join(",")}]`
      : `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${sorted(value[name])}`).join(",")}}`;
    known.set(value, parts);
    return parts;
  };
  const units = new WeakMap();
  const unitOf = (unit) => {
    if (!units.has(unit)) {
      const { side, kind, place, at = place, fate = "", about = {}, kept = {} } = unit;
      units.set(unit, { side, kind, at, fate, attributes: { ...about, ...kept } });
    }
    return units.get(unit);
  };
  const told = (n) => {
    const { turn, steps = [], ended = "", accounts = {}, markers = {}, kept = {}, units: all } = stateAt(n);
    return sorted({
      turn,
      steps,
      ended,
      accounts: { ...accounts, ...kept.accounts },
      markers: { ...markers, ...kept.markers },
      units: Object.fromEntries(Object.entries(all).map(([name, unit]) => [name, unitOf(unit)])),
    });
  };
  if (only) return told(only);
  const positions = Array.from({ length: facts.last - facts.first + 1 }, (_, at) => facts.first + at);
  if (backward) positions.reverse();
  const hashes = [];
  for (const position of positions) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(told(position)));
    hashes.push(Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  return backward ? hashes.reverse() : hashes;
}
