// lane: service
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { sample, withoutSamples } from '../../../test/samples.ts';
import { isLong } from '../../../test/size.ts';
import { pick, replaceAt, randomFrom } from '../../../tools/vpic/random-vins.ts';
import { hasRightCheckDigit, isVin } from '../src/index.ts';
import { vpic } from '../../../test/decoder.ts';

const now = new Date('2026-11-01T00:00:00Z');
const random = randomFrom(17);
const randomBelow = (count: number): number => Math.floor(random() * count);
const COUNT = 2000;
const DECODES = 'samples/vpic-decodes.jsonl.gz';
const LIVE = 'samples/vpic-live.jsonl';
const LABELS = 'samples/labels';

const LOOK_ALIKES = ['0D', '1L', '2Z', '4A', '5S', '6G', '8B', 'UV'];
const lookAlikeOf = (character: string): string => {
  const pair = LOOK_ALIKES.find((two) => two.includes(character)) ?? '';
  return pair.replace(character, '');
};
const KEYBOARD = ['1234567890', 'QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM'];
/** The keys that touch a key, those of letters that VINs never use too. */
function neighborsOf(character: string): string {
  const row = KEYBOARD.findIndex((keys) => keys.includes(character));
  const at = KEYBOARD[row]!.indexOf(character);
  const keys = (other: number, ...columns: number[]) =>
    columns.map((column) => KEYBOARD[other]?.charAt(column) ?? '').join('');
  return keys(row, at - 1, at + 1) + keys(row - 1, at, at + 1) + keys(row + 1, at - 1, at);
}

const lettersNotInVins: Record<string, string> = { '0': 'OQ', '1': 'I', D: 'O', L: 'I' };

/** One mistake of each kind at a random position; null where it would change nothing. */
const mistakes: Record<string, (vin: string) => string | null> = {
  swap(vin) {
    const index = randomBelow(16);
    if (vin[index] === vin[index + 1]) return null;
    return vin.slice(0, index) + vin.charAt(index + 1) + vin.charAt(index) + vin.slice(index + 2);
  },
  'look-alike'(vin) {
    const index = randomBelow(17);
    const lookAlike = lookAlikeOf(vin.charAt(index));
    return lookAlike && replaceAt(vin, index + 1, lookAlike);
  },
  'I, O or Q'(vin) {
    const index = randomBelow(17);
    const letters = lettersNotInVins[vin.charAt(index)];
    return letters ? replaceAt(vin, index + 1, pick(letters, random)) : null;
  },
  missing(vin) {
    const index = randomBelow(17);
    return vin.slice(0, index) + vin.slice(index + 1);
  },
  doubled(vin) {
    const index = randomBelow(17);
    return vin.slice(0, index) + vin.charAt(index) + vin.slice(index);
  },
  'any character': (vin) =>
    replaceAt(vin, 1 + randomBelow(17), pick('0123456789ABCDEFGHJKLMNPRSTUVWXYZ', random)),
  'neighbor on the keyboard'(vin) {
    const index = randomBelow(17);
    return replaceAt(vin, index + 1, pick(neighborsOf(vin.charAt(index)), random));
  },
  'digit of the serial number': (vin) => replaceAt(vin, 12 + randomBelow(6), pick('0123456789', random)),
  'check digit': (vin) => replaceAt(vin, 9, pick('0123456789X', random)),
  'letter for a letter, digit for a digit'(vin) {
    const index = randomBelow(17);
    const kind = /\d/.test(vin.charAt(index)) ? '0123456789' : 'ABCDEFGHJKLMNPRSTUVWXYZ';
    return replaceAt(vin, index + 1, pick(kind, random));
  },
};

interface Count {
  offered: number;
  right: number;
  /** Exactly one swap or look-alike gives a VIN that decodes cleanly. */
  unique: number;
  uniqueOffered: number;
  /** The same for typos that leave the serial number alone. */
  outside: number;
  outsideOffered: number;
}

const newCount = (): Count => ({
  offered: 0,
  right: 0,
  unique: 0,
  uniqueOffered: 0,
  outside: 0,
  outsideOffered: 0,
});

const isClean = (vin: string): boolean =>
  isVin(vin) && hasRightCheckDigit(vin) && vpic.decode(vin, { now }).codes[0] === 0;

function repairsByBruteForce(typed: string): Set<string> {
  const found = new Set<string>();
  for (let index = 0; index < 17; index++) {
    const lookAlike = lookAlikeOf(typed.charAt(index));
    const swapped =
      typed.slice(0, index) + typed.charAt(index + 1) + typed.charAt(index) + typed.slice(index + 2);
    for (const vin of [lookAlike && replaceAt(typed, index + 1, lookAlike), swapped])
      if (vin && vin !== typed && isClean(vin)) found.add(vin);
  }
  return found;
}

function measure(kind: string, vins: string[]): Count {
  const count = newCount();
  for (let n = 0; n < COUNT;) {
    const vin = vins[randomBelow(vins.length)] ?? '';
    const typed = mistakes[kind]?.(vin);
    if (!typed || typed === vin) continue;
    n++;
    const repair = vpic.repair(typed, { now });
    if (repair !== null) count.offered++;
    if (repair === vin) count.right++;
    if (kind !== 'swap' && kind !== 'look-alike') continue;
    // A typo that decodes can't be noticed.
    if (repairsByBruteForce(typed).size !== 1 || isClean(typed)) continue;
    count.unique++;
    if (repair !== null) count.uniqueOffered++;
    if (typed.slice(11) !== vin.slice(11)) continue;
    count.outside++;
    if (repair !== null) count.outsideOffered++;
  }
  return count;
}

const vinsOf = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { VIN?: string }).VIN ?? '');

const sources: Record<string, () => string[]> = {
  [DECODES]: () => vinsOf(gunzipSync(readFileSync(sample(DECODES)!)).toString()),
  [LIVE]: () => vinsOf(readFileSync(sample(LIVE)!, 'utf8')),
  // Cars of the makes that people look up most.
  [LABELS]: () =>
    readdirSync(sample(LABELS)!, { recursive: true, encoding: 'utf8' }).map((file) =>
      path.basename(file, '.pdf'),
    ),
};

for (const [source, vinsFrom] of Object.entries(sources)) {
  const skip = withoutSamples(source) || (source === DECODES && !isLong && 'skipped: only in a long run');
  test(`most of 2,000 typos of each kind are repaired, from ${source}`, { skip }, (t) => {
    const vins = vinsFrom().filter(isClean);
    const total = newCount();
    for (const kind of Object.keys(mistakes)) {
      const count = measure(kind, vins);
      t.diagnostic(`${kind}: ${JSON.stringify(count)}`);
      // A few hits among 2,000 are too few for a rate. The goal is 95 in 100.
      assert.ok(count.offered < 20 || count.right >= 0.97 * count.offered, kind);
      for (const name of ['offered', 'right', 'unique', 'uniqueOffered'] as const) total[name] += count[name];
      // Naming a VIN less often would be an easy way to be right.
      if (kind === 'any character') assert.ok(count.offered >= 0.35 * COUNT, kind);
      // Nothing distinguishes these from any other wrong character.
      if (kind === 'check digit' || kind === 'digit of the serial number') assert.ok(count.offered < 10);
      // About three in ten are in the serial number, where a swap looks like any other wrong digit.
      if (kind === 'swap') {
        assert.ok(count.uniqueOffered >= 0.75 * count.unique);
        assert.ok(count.outsideOffered >= 0.94 * count.outside);
      }
    }
    assert.ok(total.right >= 0.99 * total.offered);
    assert.ok(total.uniqueOffered >= 0.8 * total.unique, `${total.uniqueOffered} of ${total.unique} offered`);
  });
}
