/**
 * The first lookup of a label: what the service adds to the source's response time, and how long reading the label takes:
 * `npm run bench -- reading`. If samples are available, real labels are read too: Ford's, the largest, and others.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pdfIn } from '../../src/lookup/judge.ts';
import { openLabelWorkers } from '../../src/lookup/label-workers.ts';
import { extractText } from '@monroney/label/pdf/text';
import { readText } from '@monroney/label/read-text';
import { sources } from '../../src/makers/index.ts';
import { hostsOf } from '../../src/makers/maker.ts';
import { sample } from '../../test/samples.ts';
import { get } from '../drill/drill.ts';
import { withSimulatedService } from '../drill/simulated-service.ts';
import { send } from '../simulator/behaviors.ts';
import { drawLabel } from '../specimens/draw.ts';
import { cpuMsOf, median, percentile, type BenchResult } from './figures.ts';
import { vinOf } from './filled-store.ts';

const LABELS = 160;
/** Read first, until the workers have compiled their code. */
const WARM_UP = 60;
const ROUNDS = 4;
const MAKERS = ['ford', 'gm', 'stellantis'].map((id) => sources.find((source) => source.id === id)!);

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return performance.now() - from;
};

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
      const ms = await cpuMsOf(async () => readText(await extractText(pdf)));
      if (round > 0) read.push(ms);
    }
  return read;
}

/** Times of first lookups, and of their parts: the source's response, and checking and reading the label. */
async function timeLookups() {
  const workers = openLabelWorkers();
  const times: { lookup: number; source: number; reading: number }[] = [];
  try {
    await withSimulatedService({}, async ({ service, simulator }) => {
      for (let n = 0; n < LABELS; n++) {
        const { id, makes, example, ...source } = MAKERS[n % MAKERS.length]!;
        const make = makes[0]!;
        const vin = vinOf(700_000 + n, example);
        const body = drawLabel({ vin, make });
        simulator.set(vin, (response) => send(response, { type: 'application/pdf', body }));
        const lookup = await timed(async () => {
          const { windowSticker } = JSON.parse(
            (await get(service.port, `/api/v1/vin/${vin}`)).body.toString(),
          ) as { windowSticker: { available: boolean } };
          if (!windowSticker.available) throw new Error(`${vin}: no label`);
        });
        const url = `${simulator.origin}/${hostsOf({ id, makes, example, ...source })[0]}/${vin}`;
        const sent = await timed(async () => (await fetch(url)).arrayBuffer());
        // The same job as in the service: it checks the file, extracts its text and reads it, in a child process.
        const job = { kind: 'judge', source: id, vin, make, status: 200, body } as const;
        const reading = await timed(() => workers.run<'judge'>(job));
        if (n >= WARM_UP) times.push({ lookup, source: sent, reading });
      }
    });
  } finally {
    await workers.close();
  }
  return times;
}

export async function run(): Promise<BenchResult> {
  const times = await timeLookups();
  const figures: Record<string, number> = {
    lookupMs: median(times.map(({ lookup }) => lookup)),
    sourceMs: median(times.map(({ source }) => source)),
    readingMs: median(times.map(({ reading }) => reading)),
    addedMs: median(times.map(({ lookup, source, reading }) => lookup - source - reading)),
  };
  const rows: [string, string][] = [
    ['lookup, total', 'lookupMs'],
    ['the source’s response time', 'sourceMs'],
    ['checking and reading the label', 'readingMs'],
    ['the rest: storing, flushing to disk, responding', 'addedMs'],
  ];
  const fords = await readRealLabels('samples/labels-2/ford');
  const others = await readRealLabels('samples/labels');
  for (const [key, what, real] of [
    ['ford', 'a real Ford label', fords],
    ['other', 'a real label of GM or Stellantis', others],
  ] as const) {
    if (real.length === 0) continue;
    figures[`${key}Ms`] = median(real);
    figures[`${key}P99Ms`] = percentile(real, 99);
    rows.push([`${what}, CPU of ${real.length} readings`, `${key}Ms`], ['the same, p99', `${key}P99Ms`]);
  }
  return {
    name: `reading: first lookups of ${times.length} labels of three makers, one after another`,
    columns: ['', 'p50 ms'],
    rows: rows.map(([what, name]) => [what, figures[name]!.toFixed(1)]),
    figures,
    notes: fords.length > 0 ? [] : ['No real labels available. Drawn ones are smaller and faster to read.'],
  };
}
