// boardgame.io's own server and client under the load of bench_service: `node boardgame_io.cjs PACKAGE SECONDS PLAYERS FOLDER [UNITS]`.
// A move sets a number on the server (`client: false`: nothing is played ahead), and the next follows its answer.
// With a FOLDER the server keeps its matches in files; with "" in memory alone. UNITS, if given, stand in the state too.
// With "rules" as FOLDER no server is asked: one client plays in this process, as fast as the rules allow.
const path = require("path");
const [, , home, seconds, players, folder, units = "0"] = process.argv;
const need = (name) => require(path.join(home, "node_modules", "boardgame.io", "dist", "cjs", name));
const { Server, FlatFile } = need("server.js");
const { Client } = need("client.js");
const { SocketIO } = need("multiplayer.js");

const set = (...said) => {
  const value = said[said.length - 1];
  const G = said[0].G || said[0];
  G.hull = value;
  if (units > 0) G.units[value % units].at = String(value);
};
const counters = () => Array.from({ length: Number(units) }, (_, id) => ({ id, at: "0101", crew: 4, manpower: 3, fire: false, hull: 6 }));
const game = { name: "hulls", setup: () => ({ hull: 0, units: counters() }), moves: { set: { move: set, client: false } }, turn: { activePlayers: { all: "stay" } } };

async function play(port, number, times) {
  const client = Client({ game, matchID: `match-${number}`, playerID: "0", debug: false, // made when it is first asked for
    multiplayer: SocketIO({ server: `http://127.0.0.1:${port}` }) });
  await new Promise((done) => { client.subscribe((state) => state && state.isConnected && done()); client.start(); });
  const until = performance.now() + seconds * 1000;
  for (let value = 1; performance.now() < until; value++) {
    const began = performance.now();
    await new Promise((done) => {
      const leave = client.subscribe((state) => { if (state && state.G.hull === value) { setImmediate(() => { leave(); done(); }); } });
      client.moves.set(value);
    });
    times.push(performance.now() - began);
  }
  client.stop();
}

function rules() {
  const client = Client({ game: { ...game, moves: { set } }, debug: false });
  client.start();
  const times = [];
  const until = performance.now() + seconds * 1000;
  for (let value = 1; performance.now() < until; value++) {
    const began = performance.now();
    client.moves.set(value);
    times.push(performance.now() - began);
  }
  if (client.getState().G.hull !== times.length) throw new Error("the moves were not made");
  tell(times);
}

function tell(times) {
  times.sort((one, other) => one - other);
  const at = (part) => times[Math.floor(times.length * part)];
  process.stdout.write(JSON.stringify({ a_second: times.length / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) }) + "\n");
  process.exit(0);
}

async function main() {
  if (folder === "rules") return rules();
  const db = folder ? new FlatFile({ dir: folder }) : undefined;
  const server = Server({ games: [game], origins: ["*"], ...(db ? { db } : {}) });
  const running = await server.run({ port: 0, callback: () => {} });
  const port = running.appServer.address().port;
  const times = [];
  await Promise.all(Array.from({ length: Number(players) }, (_, number) => play(port, number, times)));
  tell(times);
}
console.log = console.info = () => {};
main().catch((error) => { process.stderr.write(`${error.stack}\n`); process.exit(1); });
