/** What Othello's kernels need besides a position: tables, most of all the weights of the evaluation. */

import { OTHELLO, OTHELLO_DATA } from "./layout.js";
import { Searcher } from "./search.js";

/** @import { Kernels } from "./kernels.js" */

/** The tables of the evaluation, one for two numbers of empty squares, as `Weights.tables` makes them. @param {Uint8Array} data */
export function tables(data) {
  const { shares, values, averages, table, tableCount } = OTHELLO_DATA;
  const result = new Uint8Array(table.bytes * tableCount);
  const count = values.bytes / values.rows;
  const rows = Array.from({ length: values.rows }, (_, row) => {
    return new Int8Array(data.slice(values.start + row * count, values.start + (row + 1) * count).buffer);
  }).reverse();
  // A row in the file is its difference from the knot of more empty squares.
  for (let row = values.rows - 2; row >= 0; row--) {
    for (let index = 0; index < count; index++) rows[row][index] += rows[row + 1][index];
  }
  const average = new Int16Array(data.slice(averages.start, averages.start + averages.bytes).buffer);
  const places = placesOf();
  const mixed = new Float32Array(count);
  const rounded = new Int8Array(count);
  for (let number = 0; number < tableCount; number++) {
    const view = new DataView(result.buffer, number * table.bytes, table.bytes);
    for (const which of [0, 1]) {
      view.setInt16(2 * which, average[Math.min(2 * number + which, average.length - 1)], true);
    }
    mixed.fill(0);
    shares[number].forEach((share, row) => {
      const values = rows[row];
      if (share) for (let index = 0; index < count; index++) mixed[index] += share * values[index];
    });
    for (let index = 0; index < count; index++) {
      rounded[index] = Math.max(-127, Math.min(127, roundedToEven(mixed[index])));
    }
    const weights = new Int8Array(result.buffer, number * table.bytes + table.weights, places.length);
    for (let index = 0; index < places.length; index++) weights[index] = rounded[places[index]];
  }
  return result;
}

/** For each weight of a table, the value that it is a copy of: weights are the same by symmetry. */
function placesOf() {
  const { patterns } = OTHELLO_DATA;
  const places = new Uint32Array(Math.max(...patterns.map(({ start, size }) => start + size)));
  for (const { start, size, mirror } of patterns) {
    for (let index = 0; index < size; index++) {
      places[start + index] = start + (mirror ? Math.min(index, mirrored(index, mirror)) : index);
    }
  }
  let number = 0;
  places.forEach((place, index) => (places[index] = place === index ? number++ : places[place]));
  return places;
}

/** The index of the mirrored contents. @param {number} index @param {number[]} mirror For each digit its place there. */
function mirrored(index, mirror) {
  let result = 0;
  for (const place of mirror) {
    result += (index % 3) * 3 ** place;
    index = Math.floor(index / 3);
  }
  return result;
}

/** @param {number} value */
function roundedToEven(value) {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

/** Searches Othello with its own memory. */
export class OthelloSearcher extends Searcher {
  /** @param {Kernels} kernels @param {Uint8Array} data @param {number} megabytes Of the table of positions. */
  constructor(kernels, data, megabytes) {
    const { blocks } = OTHELLO_DATA;
    const at = (/** @type {{start: number, bytes: number}} */ { start, bytes }) => data.subarray(start, start + bytes);
    const addresses = {
      rays: kernels.copy(at(blocks.rays)),
      shares: kernels.copy(at(blocks.shares)),
      weights: kernels.copy(tables(data)),
      rays_both_ways: kernels.copy(at(blocks.raysBothWays)),
      edges: kernels.copy(at(blocks.edges)),
      probcut: kernels.copy(at(blocks.probcut)),
      near: kernels.allocate(OTHELLO.nearBytes),
      frames: kernels.allocate(OTHELLO.framesBytes),
    };
    super(kernels, OTHELLO.lookupsStart, megabytes, blocks.lookups.bytes, () => {
      for (const [name, address] of Object.entries(addresses)) {
        kernels.put(this.memory + OTHELLO[/** @type {keyof typeof addresses} */ (name)], address);
      }
      kernels.bytes(addresses.near, OTHELLO.nearBytes).fill(0);
      kernels.bytes(addresses.frames, OTHELLO.framesBytes).fill(0);
    });
    kernels.bytes(this.memory + OTHELLO.lookupsStart, blocks.lookups.bytes).set(at(blocks.lookups));
    /** The words that select the board. */
    this.board = [addresses.rays, addresses.shares, addresses.weights, addresses.rays_both_ways].map(BigInt);
  }
}
