/** Every misbehaviour of every kind under load from many clients: each gets the truth, none waits past its budget. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { behaviourNames, type Behaviour } from '../simulator/behaviours.ts';
import { vinOf } from '../bench/stock.ts';
import { sources } from '../../src/sources/index.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { atOnce, get, serve, verdict, type DrillResult } from './drill.ts';

/** The whole budget of a lookup, and a little for a busy machine. */
const BUDGET_MS = 25_000 + 5_000;

/** What can be the truth of each: a label, none, or that we do not know. */
const labels = new Set<Behaviour>([
  'label',
  'empty-at-first',
  'truncated-at-first',
  'frayed-at-first',
  'wrong-type',
  'gzip',
  'brotli',
  'chunked',
  'slow-label',
  'redirect-once',
  'label-as-404',
  'frayed',
]);
const nones = new Set<Behaviour>(['none', 'none-otherwise']);
/** Those mean one thing at one source and another at the next. */
const either = new Set<Behaviour>([
  'empty',
  'web-page',
  'not-found-page',
  'other-car',
  'label-as-404',
  'frayed',
  'small-picture',
  'frayed-at-first',
  'truncated-at-first',
  'empty-at-first',
  'wrong-type',
  'none-otherwise',
  'length-too-short',
  'redirect-once',
  'length-too-long',
]);

export async function run({
  clients = 200,
  behaviours = behaviourNames,
  perBehaviour = 60,
} = {}): Promise<DrillResult> {
  const { holds, result } = verdict('sources');
  const dataDir = await mkdtemp(join(tmpdir(), 'drill-sources-'));
  const simulator = await startSimulator();
  const service = await serve({ DATA_DIR: dataDir, SOURCE_ORIGIN: simulator.origin, LOG_LEVEL: 'error' });
  const asks: { vin: string; behaviour: Behaviour }[] = [];
  let serial = 500_000;
  for (const behaviour of behaviours) {
    for (let n = 0; n < perBehaviour; n++) {
      const vin = vinOf(serial++, sources[n % sources.length]!.example);
      simulator.set(vin, behaviour);
      // Three ask for the same car at the same time.
      asks.push({ vin, behaviour }, { vin, behaviour }, { vin, behaviour });
    }
  }
  asks.sort((a, b) => (a.vin.slice(-3) < b.vin.slice(-3) ? -1 : 1));
  let slowest = 0;
  const told = { label: 0, none: 0, unknown: 0 };
  try {
    await atOnce(asks, clients, async ({ vin, behaviour }) => {
      const answer = await get(service.port, `/api/v1/vin/${vin}`, {}, 60_000).catch((error: Error) => error);
      if (answer instanceof Error) return holds(false, `${behaviour}: ${answer.message}`);
      slowest = Math.max(slowest, answer.ms);
      holds(answer.status === 200, `${behaviour}: status ${answer.status}`);
      const { windowSticker } = JSON.parse(answer.body.toString()) as {
        windowSticker: { available: boolean | null };
      };
      const { available } = windowSticker;
      told[available ? 'label' : available === false ? 'none' : 'unknown']++;
      // A source that is left alone for a while after many failures makes anything unknown, never wrong.
      if (available === true)
        holds(labels.has(behaviour) || either.has(behaviour), `${behaviour}: told there is a label`);
      if (available === false)
        holds(nones.has(behaviour) || either.has(behaviour), `${behaviour}: told there is none`);
    });
    const alive = await get(service.port, '/healthz');
    holds(alive.status === 200, 'not alive afterwards');
  } finally {
    await service.kill('SIGTERM');
    await simulator.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  holds(slowest < BUDGET_MS, `somebody waited ${Math.round(slowest)} ms`);
  return result({
    asks: asks.length,
    clients,
    behaviours: behaviours.length,
    ...told,
    slowestMs: Math.round(slowest),
  });
}
