// Moves a second of boardgame.io's client: one trivial move, games of 100 moves, median of five runs.
const { Client } = require("boardgame.io/dist/cjs/client.js");

const game = { setup: () => ({ n: 0 }), moves: { add: ({ G }) => { G.n += 1; } } };

function run(seconds) {
  let moves = 0;
  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    const client = Client({ game, debug: false });
    client.start();
    for (let i = 0; i < 100; i++) { client.moves.add(); moves++; }
    client.stop();
  }
  return moves / ((performance.now() - start) / 1000);
}

run(0.5);
const rates = [1, 2, 3, 4, 5].map(() => run(0.5)).sort((a, b) => a - b);
console.log(rates[2]);
