/**
 * Moving pictures as GIF 89a, which most chats show: at most 256 colours, and only the changes of each
 * frame. LZW is that of the GIF specification, with codes of 9 to 12 bits: T. Welch, "A technique for
 * high-performance data compression", 1984.
 */

/** The index of the transparent colour, which shows the frame before. */
const CLEAR = 255;
/** The size at which the dictionary is cleared. */
const CODES = 4096;
const [RESET, END] = [256, 257];

/**
 * @param {number} width In pixels.
 * @param {number} height
 * @param {{pixels: Uint32Array, delay: number}[]} frames Pixels with red in the lowest byte; delays in
 *   hundredths of a second. After the last frame comes the first.
 */
export function toGif(width, height, frames) {
  const colours = palette(frames);
  const parts = [
    [..."GIF89a"].map((letter) => letter.charCodeAt(0)),
    [...word(width), ...word(height), 0xf7, 0, 0],
    colours.flatMap((colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255]),
    [0x21, 0xff, 11, ...[..."NETSCAPE2.0"].map((letter) => letter.charCodeAt(0)), 3, 1, 0, 0, 0],
  ];
  const index = indexer(colours);
  /** @type {Uint32Array | null} */
  let before = null;
  for (const { pixels, delay } of frames) {
    const { x, y, w, h } = changed(before, pixels, width, height);
    const indices = new Uint8Array(w * h);
    for (let at = 0; at < indices.length; at++) {
      const place = (y + Math.floor(at / w)) * width + x + (at % w);
      indices[at] = before?.[place] === pixels[place] ? CLEAR : index(pixels[place]);
    }
    parts.push([0x21, 0xf9, 4, before ? 5 : 4, ...word(delay), CLEAR, 0]);
    parts.push([0x2c, ...word(x), ...word(y), ...word(w), ...word(h), 0, 8], ...blocks(compress(indices)));
    before = pixels;
  }
  return new Blob([...parts.map((part) => new Uint8Array(part)), new Uint8Array([0x3b])], { type: "image/gif" });
}

/** @param {number} value */
function word(value) {
  return [value & 255, value >> 8];
}

/** The 255 most frequent colours, and one that is not seen. @param {{pixels: Uint32Array}[]} frames */
function palette(frames) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const { pixels } of frames) for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const common = [...counts].sort(([, one], [, other]) => other - one).slice(0, CLEAR);
  return Array.from({ length: CLEAR + 1 }, (_, at) => common[at]?.[0] ?? 0);
}

/** Finds the place of the nearest colour. @param {number[]} colours @returns {(colour: number) => number} */
function indexer(colours) {
  /** @type {Map<number, number>} */
  const known = new Map();
  colours.slice(0, CLEAR).forEach((colour, at) => known.has(colour) || known.set(colour, at));
  return (colour) => {
    let found = known.get(colour);
    if (found !== undefined) return found;
    const distances = colours.slice(0, CLEAR).map((other) => distance(colour, other));
    known.set(colour, (found = distances.indexOf(Math.min(...distances))));
    return found;
  };
}

/** @param {number} one @param {number} other */
function distance(one, other) {
  return [0, 8, 16].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
}

/** The smallest rectangle around all changes. @param {Uint32Array | null} before @param {Uint32Array} after @param {number} width @param {number} height */
function changed(before, after, width, height) {
  if (!before) return { x: 0, y: 0, w: width, h: height };
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let at = 0; at < after.length; at++) {
    if (before[at] === after[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), y];
  }
  if (left > right) return { x: 0, y: 0, w: 1, h: 1 };
  return { x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
}

/** @param {Uint8Array} indices */
function compress(indices) {
  /** @type {number[]} */
  const bytes = [];
  let [bits, filled, size, next] = [0, 0, 9, END + 1];
  const put = (/** @type {number} */ code) => {
    bits |= code << filled;
    for (filled += size; filled >= 8; filled -= 8, bits >>>= 8) bytes.push(bits & 255);
  };
  /** The code of each string, by the code of its beginning and its last index. @type {Map<number, number>} */
  const codes = new Map();
  put(RESET);
  let prefix = indices[0];
  for (const index of indices.subarray(1)) {
    const key = (prefix << 8) | index;
    const code = codes.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix);
    prefix = index;
    if (next < CODES) {
      if (next === 1 << size) size++;
      codes.set(key, next++);
    } else {
      put(RESET);
      codes.clear();
      [size, next] = [9, END + 1];
    }
  }
  put(prefix);
  if (next === 1 << size && size < 12) size++;
  put(END);
  if (filled) bytes.push(bits & 255);
  return bytes;
}

/** Data in blocks of up to 255 bytes. @param {number[]} bytes */
function blocks(bytes) {
  const cut = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    cut.push([block.length, ...block]);
  }
  return [...cut, [0]];
}
