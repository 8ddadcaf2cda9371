/**
 * Compares every element of 100,000 random VINs with ultravin, an independent decoder of the same data:
 * `npm run bench -- decoder --compare`. Needs a python3 with ultravin (or PYTHON).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundledBytes, readDataFile } from '../../packages/vin/src/load.ts';
import { loadVpic, type Vpic } from '../../packages/vin/src/index.ts';
import { YEAR_CODES, makeUpVin, mistype, pick, replaceAt, randomFrom } from '../vpic/made-up-vins.ts';

const NOW = new Date('2026-11-01T00:00:00Z');
const SEED = 21;
const MAX_EXAMPLES = 20;
// ultravin uses the element names of the release, we use those of the live API.
const asReleased = (name: string): string => name.replace('(kW', '(KW');

type Elements = Record<string, string | string[]>;

/** VINs of every manufacturer in the data and of random years; one in three has a mistake. */
function* randomVins(vpic: Vpic, count: number): Generator<string> {
  const random = randomFrom(SEED);
  const { bytes } = readDataFile(bundledBytes());
  const lines = (text: Uint8Array): string[] => Buffer.from(text).toString().split('\n').filter(Boolean);
  const [wmis, exceptions] = [lines(bytes.wmis), lines(bytes.exceptions)];
  const pickFrom = <T>(list: T[]): T => list[Math.floor(random() * list.length)]!;
  for (let n = 0; n < count; n++) {
    const vin = makeUpVin(pickFrom(wmis), pick(YEAR_CODES, random), vpic, random, NOW);
    if (n % 3 !== 0) yield vin;
    else if (n % 30 === 0) yield replaceAt(vin, 10, pick('0UZIOQ', random));
    else if (n % 30 === 3) yield replaceAt(vin, 4 + Math.floor(random() * 8), pick('IOQ', random));
    else if (n % 30 === 12) yield pickFrom(exceptions);
    else if (n % 30 === 6) yield replaceAt(vin, 9, pick('ABZ', random));
    else if (n % 30 === 9)
      yield replaceAt(vin, 4 + Math.floor(random() * 5), pick('0123456789ABCDEFGHJKLMNPRSTUVWXYZ', random));
    else yield mistype(vin, random);
  }
}

function elementsOf(vpic: Vpic, vin: string, theirs: Elements): Elements {
  const ours: Elements = {};
  for (const element of vpic.decodeFull(vin, { now: NOW }).elements) {
    const name = asReleased(element.name);
    const before = ours[name];
    if (Array.isArray(theirs[name])) ours[name] = [...(before ?? []), element.value];
    else ours[name] = before === undefined ? element.value : `${String(before)} and ${element.value}`;
  }
  return ours;
}

/** The names of elements whose values differ. */
function differences(ours: Elements, theirs: Elements): string[] {
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  const text = (value: string | string[] | undefined): string => JSON.stringify(value ?? '');
  return [...names].filter((name) => text(ours[name]) !== text(theirs[name]));
}

export async function compare(count = 100_000): Promise<boolean> {
  const vpic = loadVpic();
  const folder = mkdtempSync(join(tmpdir(), 'compare-vins-'));
  try {
    const file = join(folder, 'vins.txt');
    writeFileSync(file, [...randomVins(vpic, count)].join('\n'));
    const script = fileURLToPath(new URL('decoder-compare.py', import.meta.url));
    const python = spawn(process.env.PYTHON ?? 'python3', [script, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(python, 'close');
    const differing = new Map<string, string[]>();
    const elements = new Set<string>();
    let [vins, agreeing] = [0, 0];
    let peer: { version: string; month: string } | null = null;
    for await (const line of createInterface({ input: python.stdout })) {
      if (!peer) {
        peer = JSON.parse(line) as { version: string; month: string };
        if (peer.month !== vpic.month) throw new Error(`ultravin has ${peer.month}, we have ${vpic.month}.`);
        continue;
      }
      const [vin, theirs] = JSON.parse(line) as [string, Elements];
      vins++;
      for (const name of Object.keys(theirs)) elements.add(name);
      const ours = elementsOf(vpic, vin, theirs);
      const names = differences(ours, theirs);
      if (names.length === 0) agreeing++;
      for (const name of names) {
        const example = `${vin}: ours ${JSON.stringify(ours[name])}, theirs ${JSON.stringify(theirs[name])}`;
        differing.set(name, [...(differing.get(name) ?? []), example]);
      }
    }
    await ended;
    if (!peer) {
      process.stdout.write("Skipped: python3 can't import ultravin (pip install ultravin).\n");
      return true;
    }
    process.stdout.write(
      `${agreeing} of ${vins} VINs agree with ultravin ${peer.version} in all ${elements.size} elements (release ${vpic.month}).\n`,
    );
    for (const [name, list] of differing)
      process.stdout.write(
        `\n${name}: ${list.length} differ\n  ${list.slice(0, MAX_EXAMPLES).join('\n  ')}\n`,
      );
    return agreeing === vins;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
