/**
 * The first lookup of a label: what the service adds to the source's response time, and how long reading the label takes:
 * `node tools/bench/reading.ts`. The source is a local server with prepared labels. If samples are available, real labels are
 * read too: Ford's, the largest, and others.
 */
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pdfIn } from '../../src/lookup/response-kind.ts';
import { openLabelWorkers } from '../../src/lookup/label-workers.ts';
import { extractText } from '../../src/pdf/text.ts';
import { readText } from '../../src/makers/read.ts';
import { sources } from '../../src/makers/index.ts';
import type { Source } from '../../src/makers/maker.ts';
import { sample } from '../../test/samples.ts';
import { drawLabel } from '../specimens/draw.ts';
import { formatResult, type BenchResult } from './decoder.ts';
import { percentile } from './figures.ts';
import { startService } from './http-run.ts';
import { vinOf } from './filled-store.ts';

const LABELS = 160;
/** Read first, until the workers have compiled their code. */
const WARM_UP = 60;

/** Labels of three makers in turn, each for a different car. */
function labels(): Map<string, { source: Source; make: string; pdf: Buffer }> {
  const makers = ['ford', 'gm', 'stellantis'].map((id) => sources.find((source) => source.id === id)!);
  const all = new Map<string, { source: Source; make: string; pdf: Buffer }>();
  for (let n = 0; n < LABELS; n++) {
    const source = makers[n % makers.length]!;
    const make = source.makes[0]!;
    const vin = vinOf(700_000 + n, source.example);
    all.set(vin, { source, make, pdf: drawLabel({ vin, make }) });
  }
  return all;
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

const ROUNDS = 4;

/** CPU milliseconds of each reading of the real labels in a folder, without the first round; empty without samples. */
async function readRealLabels(path: string): Promise<number[]> {
  const folder = sample(path);
  if (!folder) return [];
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.pdf'));
  const pdfs = await Promise.all(names.map(async (name) => pdfIn(await readFile(join(folder, name)))!));
  const read: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const pdf of pdfs) {
      // Not in a worker: its low priority would measure other work on the machine.
      const before = process.cpuUsage();
      readText(await extractText(pdf));
      const { user, system } = process.cpuUsage(before);
      if (round > 0) read.push((user + system) / 1000);
    }
  return read;
}

export async function run(): Promise<BenchResult> {
  const all = labels();
  const source = http.createServer((req, res) => {
    const vin = /[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])/.exec(req.url!)?.[0];
    const pdf = all.get(vin ?? '')?.pdf;
    res.writeHead(pdf ? 200 : 404, { 'Content-Type': 'application/pdf' });
    res.end(pdf);
  });
  source.listen(0, '127.0.0.1');
  await once(source, 'listening');
  const origin = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-reading-'));
  // On all cores, because the workers are separate processes.
  const env = { SOURCE_ORIGIN: origin, SOURCE_PACE_MS: '0' };
  const service = await startService(dataDir, env, undefined, null);
  const workers = openLabelWorkers();
  try {
    const [lookups, sourceMs, read]: [number[], number[], number[]] = [[], [], []];
    let missing = 0;
    let n = 0;
    for (const [vin, label] of all) {
      const headers = { 'X-Forwarded-For': `10.1.0.${++n}` };
      const lookupMs = await timed(async () => {
        const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/vin/${vin}`, { headers });
        const { windowSticker } = (await response.json()) as { windowSticker: { available: boolean } };
        if (!windowSticker.available) missing++;
      });
      const source = await timed(async () => (await fetch(`${origin}/host/${vin}`)).arrayBuffer());
      // The same job as in the service: it checks the file, extracts its text and reads it, in a child process.
      const {
        source: { id },
        make,
        pdf,
      } = label;
      const job = { kind: 'judge', source: id, vin, make, status: 200, body: pdf } as const;
      const reading = await timed(() => workers.run<'judge'>(job));
      if (n <= WARM_UP) continue;
      lookups.push(lookupMs);
      sourceMs.push(source);
      read.push(reading);
    }
    const added = lookups.map((ms, at) => ms - sourceMs[at]! - read[at]!);
    const fords = await readRealLabels('samples/labels-2/ford');
    const others = await readRealLabels('samples/labels');
    const hasSamples = fords.length > 0 && others.length > 0;
    const real: Record<string, number> = hasSamples
      ? {
          fordMs: percentile(fords, 50),
          fordP99Ms: percentile(fords, 99),
          otherMs: percentile(others, 50),
          otherP99Ms: percentile(others, 99),
        }
      : {};
    const figures = {
      lookupMs: percentile(lookups, 50),
      sourceMs: percentile(sourceMs, 50),
      readingMs: percentile(read, 50),
      readingP95Ms: percentile(read, 95),
      addedMs: percentile(added, 50),
      missing,
      ...real,
    };
    return {
      name: `reading: first lookups of ${LABELS - WARM_UP} labels of three makers, one after another`,
      columns: ['', 'p50 ms', 'target'],
      rows: [
        ['lookup, total', figures.lookupMs.toFixed(1), ''],
        ['the source’s response time', figures.sourceMs.toFixed(1), ''],
        ['checking and reading the label', figures.readingMs.toFixed(1), '≤ 120'],
        ...(hasSamples
          ? [
              [`a real Ford label, CPU of ${fords.length} readings`, real['fordMs']!.toFixed(1), '≤ 80'],
              ['the same, p99', real['fordP99Ms']!.toFixed(1), '≤ 180'],
              [
                `a real label of GM or Stellantis, CPU of ${others.length}`,
                real['otherMs']!.toFixed(1),
                '≤ 30',
              ],
              ['the same, p99', real['otherP99Ms']!.toFixed(1), ''],
            ]
          : []),
        ['the rest: storing, flushing to disk, responding', figures.addedMs.toFixed(1), '≤ 5'],
      ],
      figures,
      notes: [
        ...(missing ? [`${missing} lookups got no label.`] : []),
        ...(hasSamples ? [] : ['No real labels available. Drawn ones are smaller and faster to read.']),
      ],
    };
  } finally {
    await Promise.all([service.stop(), workers.close()]);
    source.close();
    source.closeAllConnections();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${formatResult(await run())}\n`);
