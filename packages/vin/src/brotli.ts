import { DataFileError } from './data-file.ts';

/**
 * Unpacks brotli (RFC 7932) in browsers, which can unpack gzip themselves, but not this. The data is a third smaller with it.
 * Leaves out brotli's built-in dictionary of words, which would be larger than this package's code: our data doesn't use it.
 */

/** Base values, and how many extra bits each code has. */
const tableOf = (base: number, bits: number[]) => {
  const bases = new Int32Array(bits.length);
  bits.forEach((extra, code) => {
    bases[code] = base;
    base += 2 ** extra;
  });
  return { bases, bits };
};
const INSERT = tableOf(0, [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24]);
const COPY = tableOf(2, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24]);
const BLOCK = tableOf(1, [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24]);
const INSERT_RANGE = [0, 0, 8, 8, 0, 16, 8, 16, 16];
const COPY_RANGE = [0, 8, 0, 8, 16, 0, 16, 8, 16];
/** Which recent distance codes 0 to 15 mean, and what they add to it. */
const RECENT = [0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1];
const RECENT_PLUS = [0, 0, 0, 0, -1, 1, -2, 2, -3, 3, -1, 1, -2, 2, -3, 3];
const LENGTH_ORDER = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const LENGTH_BITS = [2, 2, 2, 3, 2, 2, 2, 4, 2, 2, 2, 3, 2, 2, 2, 4];
const LENGTH_VALUES = [0, 4, 3, 2, 0, 4, 3, 1, 0, 4, 3, 2, 0, 4, 3, 5];

/** A table of 256 from `[count, …values]`, the values repeated in turn. */
const repeated = (...runs: number[][]): Uint8Array =>
  Uint8Array.from(
    runs.flatMap(([count = 0, ...values]) =>
      Array.from({ length: count }, (_, index) => values[index % values.length]!),
    ),
  );
const letters = (vowel: number, other: number): number[][] => [
  [1, 12],
  [26, ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => ('AEIOU'.includes(letter) ? vowel : other))],
];
const UTF8_LAST = repeated(
  [9, 0],
  [2, 4],
  [2, 0],
  [1, 4],
  [18, 0],
  [16, 8, 12, 16, 12, 12, 20, 12, 16, 24, 28, 12, 12, 32, 12, 36, 12],
  [10, 44],
  [6, 32, 32, 24, 40, 28, 12],
  ...letters(48, 52),
  [5, 24, 12, 28, 12, 12],
  ...letters(56, 60),
  [5, 24, 12, 28, 12, 0],
  [64, 0, 1],
  [64, 2, 3],
);
const UTF8_BEFORE = repeated(
  [33, 0],
  [15, 1],
  [10, 2],
  [7, 1],
  [26, 2],
  [6, 1],
  [26, 3],
  [4, 1],
  [97, 0],
  [32, 2],
);
const SIGNED = repeated([1, 0], [15, 1], [48, 2], [64, 3], [64, 4], [48, 5], [15, 6], [1, 7]);
const [LOW_BITS, HIGH_BITS, UTF8] = [0, 1, 2];

/** Codes up to this length are found with one lookup. */
const FAST_BITS = 9;

/** A prefix code: `fast` has symbol * 16 + length, 0 for a longer code, which is found by counting. */
interface PrefixCode {
  fast: Uint16Array;
  counts: Uint16Array;
  symbols: Uint16Array;
}

function prefixCode(lengths: Uint8Array): PrefixCode {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  const next = new Uint16Array(17);
  const offsets = new Uint16Array(17);
  for (let length = 1; length <= 15; length++) {
    next[length + 1] = (next[length]! + counts[length]!) << 1;
    offsets[length + 1] = offsets[length]! + counts[length]!;
  }
  const fast = new Uint16Array(1 << FAST_BITS);
  const symbols = new Uint16Array(offsets[16]!);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol]!;
    if (length === 0) continue;
    symbols[offsets[length]!++] = symbol;
    let code = next[length]!++;
    if (length > FAST_BITS) continue;
    let reversed = 0;
    for (let bit = 0; bit < length; bit++, code >>= 1) reversed = (reversed << 1) | (code & 1);
    for (let index = reversed; index < fast.length; index += 1 << length)
      fast[index] = (symbol << 4) | length;
  }
  return { fast, counts, symbols };
}

/** A code with one symbol takes no bits. */
const onlySymbol = (symbol: number): PrefixCode => ({
  fast: new Uint16Array(1 << FAST_BITS).fill(symbol << 4),
  counts: new Uint16Array(16),
  symbols: Uint16Array.of(symbol),
});

function bitReader(bytes: Uint8Array) {
  let [at, buffer, available] = [0, 0, 0];
  /** Makes sure that 16 bits are there, or zeros after the end. */
  const fill = (): void => {
    while (available < 16) {
      buffer |= (bytes[at++] ?? 0) << available;
      available += 8;
    }
  };
  const drop = (count: number): void => {
    buffer >>>= count;
    available -= count;
  };
  function read(count: number): number {
    if (count > 16) return read(16) + read(count - 16) * 65_536;
    fill();
    const value = buffer & ((1 << count) - 1);
    drop(count);
    return value;
  }
  const peek = (count: number): number => {
    fill();
    return buffer & ((1 << count) - 1);
  };
  function symbol({ fast, counts, symbols }: PrefixCode): number {
    fill();
    const entry = fast[buffer & ((1 << FAST_BITS) - 1)]!;
    if (entry !== 0 || symbols.length <= 1) {
      drop(entry & 15);
      return entry >> 4;
    }
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length <= 15; length++) {
      code |= (buffer >> (length - 1)) & 1;
      const count = counts[length]!;
      if (code - count < first) {
        drop(length);
        return symbols[index + code - first]!;
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw damaged();
  }
  /** The position of the next whole byte; `take` continues after it. */
  function take(count: number): Uint8Array {
    const from = at - (available >> 3);
    [at, buffer, available] = [from + count, 0, 0];
    return bytes.subarray(from, at);
  }
  return { read, peek, drop, symbol, take, ended: () => at - (available >> 3) > bytes.length };
}

type Bits = ReturnType<typeof bitReader>;

const damaged = (): DataFileError => new DataFileError('The data is damaged: it is not valid brotli.');

function readPrefixCode(bits: Bits, alphabet: number): PrefixCode {
  const skipped = bits.read(2);
  const lengths = new Uint8Array(alphabet);
  if (skipped === 1) return readSimpleCode(bits, lengths);
  const codeLengths = new Uint8Array(18);
  let space = 32;
  let used = 0;
  for (let index = skipped; index < 18 && space > 0; index++) {
    const peeked = bits.peek(4);
    bits.drop(LENGTH_BITS[peeked]!);
    const length = LENGTH_VALUES[peeked]!;
    codeLengths[LENGTH_ORDER[index]!] = length;
    if (length === 0) continue;
    space -= 32 >> length;
    used++;
  }
  const code =
    used === 1 ? onlySymbol(codeLengths.findIndex((length) => length > 0)) : prefixCode(codeLengths);
  let [symbol, last, repeat, repeated] = [0, 8, 0, 0];
  space = 32_768;
  while (symbol < alphabet && space > 0) {
    const length = bits.symbol(code);
    if (length < 16) {
      repeat = 0;
      lengths[symbol++] = length;
      if (length === 0) continue;
      last = length;
      space -= 32_768 >> length;
      continue;
    }
    const value = length === 16 ? last : 0;
    if (repeated !== value) [repeat, repeated] = [0, value];
    const before = repeat;
    if (repeat > 0) repeat = (repeat - 2) << (length - 14);
    repeat += bits.read(length - 14) + 3;
    lengths.fill(value, symbol, symbol + repeat - before);
    symbol += repeat - before;
    if (value > 0) space -= (repeat - before) << (15 - value);
  }
  return prefixCode(lengths);
}

function readSimpleCode(bits: Bits, lengths: Uint8Array): PrefixCode {
  const count = bits.read(2) + 1;
  const width = 32 - Math.clz32(lengths.length - 1);
  const symbols = Array.from({ length: count }, () => bits.read(width));
  if (count === 1) return onlySymbol(symbols[0]!);
  const shape = [[1, 1], [1, 2, 2], count === 4 && bits.read(1) === 1 ? [1, 2, 3, 3] : [2, 2, 2, 2]][
    count - 2
  ]!;
  symbols.forEach((symbol, index) => (lengths[symbol] = shape[index]!));
  return prefixCode(lengths);
}

/** A count from 1 to 256. */
function readCount(bits: Bits): number {
  if (bits.read(1) === 0) return 1;
  const width = bits.read(3);
  return 1 + (1 << width) + bits.read(width);
}

function readContextMap(bits: Bits, size: number): { trees: number; map: Uint8Array } {
  const trees = readCount(bits);
  const map = new Uint8Array(size);
  if (trees === 1) return { trees, map };
  const maxRun = bits.read(1) === 0 ? 0 : bits.read(4) + 1;
  const code = readPrefixCode(bits, trees + maxRun);
  for (let index = 0; index < size;) {
    const symbol = bits.symbol(code);
    if (symbol === 0) index++;
    else if (symbol <= maxRun) index += (1 << symbol) + bits.read(symbol);
    else map[index++] = symbol - maxRun;
  }
  if (bits.read(1) === 1) {
    const front = Array.from({ length: 256 }, (_, index) => index);
    map.forEach((place, index) => {
      const [value] = front.splice(place, 1);
      map[index] = value!;
      front.unshift(value!);
    });
  }
  return { trees, map };
}

/** The blocks of one category: literals, commands or distances. */
function readBlocks(bits: Bits) {
  const types = readCount(bits);
  const typeCode = types > 1 ? readPrefixCode(bits, types + 2) : null;
  const countCode = types > 1 ? readPrefixCode(bits, 26) : null;
  const readLength = (): number => {
    const code = bits.symbol(countCode!);
    return BLOCK.bases[code]! + bits.read(BLOCK.bits[code]!);
  };
  let before = 1;
  const blocks = {
    types,
    type: 0,
    left: countCode ? readLength() : 2 ** 24,
    next(): void {
      const code = bits.symbol(typeCode!);
      const type = code === 0 ? before : code === 1 ? (blocks.type + 1) % types : code - 2;
      before = blocks.type;
      blocks.type = type;
      blocks.left = readLength();
    },
  };
  return blocks;
}

/** Unpacks brotli data into `size` bytes. */
export function unbrotli(bytes: Uint8Array, size: number): Uint8Array {
  const bits = bitReader(bytes);
  const out = new Uint8Array(size);
  const maxDistance = 2 ** readWindowBits(bits) - 16;
  const distances = [4, 11, 15, 16];
  let at = 0;
  for (;;) {
    const isLast = bits.read(1) === 1;
    if (isLast && bits.read(1) === 1) break;
    const nibbles = bits.read(2);
    if (nibbles === 3) {
      bits.read(1);
      const skip = bits.read(2);
      bits.take(skip === 0 ? 0 : bits.read(8 * skip) + 1);
      continue;
    }
    const end = at + bits.read(4 * (nibbles + 4)) + 1;
    if (end > size || bits.ended()) throw damaged();
    if (!isLast && bits.read(1) === 1) {
      out.set(bits.take(end - at), at);
      at = end;
      continue;
    }
    at = unpackBlock(bits, out, at, end, maxDistance, distances);
    if (isLast) break;
  }
  if (at !== size || bits.ended()) throw damaged();
  return out;
}

function readWindowBits(bits: Bits): number {
  if (bits.read(1) === 0) return 16;
  const large = bits.read(3);
  if (large !== 0) return 17 + large;
  const small = bits.read(3);
  return small === 0 ? 17 : 8 + small;
}

function unpackBlock(
  bits: Bits,
  out: Uint8Array,
  at: number,
  end: number,
  maxDistance: number,
  distances: number[],
): number {
  const literals = readBlocks(bits);
  const commands = readBlocks(bits);
  const copies = readBlocks(bits);
  const postfix = bits.read(2);
  const direct = bits.read(4) << postfix;
  const modes = Array.from({ length: literals.types }, () => bits.read(2));
  const literalMap = readContextMap(bits, 64 * literals.types);
  const distanceMap = readContextMap(bits, 4 * copies.types);
  const codes = (count: number, alphabet: number): PrefixCode[] =>
    Array.from({ length: count }, () => readPrefixCode(bits, alphabet));
  const literalCodes = codes(literalMap.trees, 256);
  const commandCodes = codes(commands.types, 704);
  const distanceCodes = codes(distanceMap.trees, 16 + direct + (48 << postfix));

  function readDistance(length: number): number {
    if (copies.left-- === 0) {
      copies.next();
      copies.left--;
    }
    const code = bits.symbol(distanceCodes[distanceMap.map[4 * copies.type + Math.min(length, 5) - 2]!]!);
    if (code === 0) return distances[0]!;
    let distance;
    if (code < 16) distance = distances[RECENT[code]!]! + RECENT_PLUS[code]!;
    else if (code < 16 + direct) distance = code - 15;
    else {
      const rest = code - direct - 16;
      const extra = 1 + (rest >> (postfix + 1));
      const offset = ((2 + ((rest >> postfix) & 1)) << extra) - 4;
      distance = ((offset + bits.read(extra)) << postfix) + (rest & ((1 << postfix) - 1)) + direct + 1;
    }
    distances.pop();
    distances.unshift(distance);
    return distance;
  }

  while (at < end) {
    if (commands.left-- === 0) {
      commands.next();
      commands.left--;
    }
    const command = bits.symbol(commandCodes[commands.type]!);
    const range = command < 128 ? command >> 6 : (command >> 6) - 2;
    const insertCode = INSERT_RANGE[range]! + ((command >> 3) & 7);
    const copyCode = COPY_RANGE[range]! + (command & 7);
    const inserted = at + INSERT.bases[insertCode]! + bits.read(INSERT.bits[insertCode]!);
    const length = COPY.bases[copyCode]! + bits.read(COPY.bits[copyCode]!);
    if (inserted > end) throw damaged();
    while (at < inserted) {
      if (literals.left-- === 0) {
        literals.next();
        literals.left--;
      }
      const last = at > 0 ? out[at - 1]! : 0;
      const before = at > 1 ? out[at - 2]! : 0;
      const mode = modes[literals.type];
      const context =
        mode === LOW_BITS
          ? last & 63
          : mode === HIGH_BITS
            ? last >> 2
            : mode === UTF8
              ? UTF8_LAST[last]! | UTF8_BEFORE[before]!
              : (SIGNED[last]! << 3) | SIGNED[before]!;
      out[at++] = bits.symbol(literalCodes[literalMap.map[64 * literals.type + context]!]!);
    }
    if (at === end) break;
    const distance = command < 128 ? distances[0]! : readDistance(length);
    // Larger distances are words of the dictionary.
    if (distance > Math.min(maxDistance, at) || distance < 1 || at + length > end) throw damaged();
    if (distance >= length) out.copyWithin(at, at - distance, at - distance + length);
    else for (let i = 0; i < length; i++) out[at + i] = out[at + i - distance]!;
    at += length;
  }
  return at;
}
