/**
 * The hot routes compared with a bare `node:http` server that sends the same bytes and headers, on one core:
 * `node tools/bench/http.ts`. Ours and two bare ones take turns of 150 ms within one run; the second bare one shows how
 * far apart two equal servers are.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBundled } from '@monroney/vin';
import type { Turn } from './http-load.ts';
import { planOf, captureResponse, startBare, startService } from './http-run.ts';
import { callProgram, CLIENT_CORE, pathTo, startProgram, type Program } from './processes.ts';
import { fillStore, vinOf, type FilledStore } from './filled-store.ts';
import { formatResult, type BenchResult } from './decoder.ts';
import { cpuMicros, figure, median, perSecond } from './figures.ts';

const ROWS = 30_000;
const FILES = 400;
const FILE_BYTES = 300_000;
const NEVER_SEEN = 300_000;
/** The first serial number of VINs that aren't stored. */
const FIRST_NEW = 100_000;

export interface HttpOptions {
  instances: number;
  turns: number;
  turnMs: number;
  connections: number;
  /** Scenarios whose name contains one of these; all if empty. */
  only: string[];
}

interface Scenario {
  key: string;
  name: string;
  min: number;
  method?: string;
  extra?: string;
  paths: string[];
  status?: number;
  /** Longer if more code has to be compiled first. */
  warmMs?: number;
}

function scenarios({ vins, fileVins }: FilledStore, etag: string): Scenario[] {
  const json = vins.slice(0, 1).map((vin) => `/api/v1/vin/${vin}`);
  const hot = vins.slice(0, 2000).map((vin) => `/api/v1/vin/${vin}`);
  // One label, like the bare server, so that the processor's cache has the same content for both.
  const pdf = fileVins.slice(0, 1).map((vin) => `/api/sticker/${vin}`);
  return [
    { key: 'heldJson', name: 'stored label, response in memory', min: 0.75, paths: hot },
    {
      key: 'json304',
      name: 'lookup, 304',
      min: 0.75,
      paths: json,
      extra: `If-None-Match: ${etag}\r\n`,
      status: 304,
    },
    { key: 'pdf', name: 'PDF of 300 KB in memory', min: 0.85, paths: pdf },
    {
      key: 'neverSeen',
      name: 'sticker=false of a new VIN',
      min: 0.45,
      warmMs: 6000,
      paths: neverSeen(NEVER_SEEN).map((vin) => `/api/v1/vin/${vin}?sticker=false`),
    },
  ];
}

/**
 * New VINs of about two hundred models. All decode without errors: with another serial number, the VIN of a small
 * manufacturer may belong to a different one.
 */
function neverSeen(count: number): string[] {
  const { decode } = loadBundled();
  const lines = readFileSync(pathTo('../../packages/vin/test/vins.jsonl'), 'utf8').trim().split('\n');
  const models = lines
    .map((line): { vin: string; codes: number[] } => JSON.parse(line))
    .filter(({ codes }) => codes[0] === 0)
    .map(({ vin }) => vin)
    .filter((vin) => decode(vinOf(FIRST_NEW, vin)).codes[0] === 0);
  return Array.from({ length: count }, (_, n) =>
    vinOf(FIRST_NEW + Math.floor(n / models.length), models[n % models.length]),
  );
}

interface Comparison {
  scenario: Scenario;
  cpu: number[];
  rate: number[];
  selfCpu: number[];
  selfRate: number[];
  ourMicros: number[];
  bareMicros: number[];
  perSecond: number[];
  wrong: number;
}

async function compare(
  dataDir: string,
  loadGenerator: Program,
  scenario: Scenario,
  options: HttpOptions,
  comparison: Comparison,
) {
  const ours = await startService(dataDir, {}, process.env.BENCH_NODE_FLAGS?.split(' '));
  const { method = 'GET', extra = '', status = 200, paths } = scenario;
  const response = await captureResponse(ours.port, paths[0]!, method, extra);
  if (response.status !== status) throw new Error(`${scenario.name}: status ${response.status}`);
  const bare = [await startBare(response), await startBare(response)];
  try {
    const { connections, turnMs, turns } = options;
    const plan = planOf({
      servers: [ours, ...bare],
      method,
      extra,
      paths,
      status,
      connections,
      turnMs,
      turns,
      warmMs: scenario.warmMs ?? 2000,
    });
    const [our, one, two] = await callProgram<Turn[][]>(loadGenerator, plan);
    for (const [turn, mine] of our!.entries()) {
      const [first, second] = [one![turn]!, two![turn]!];
      comparison.cpu.push(cpuMicros(first) / cpuMicros(mine));
      comparison.rate.push(perSecond(mine) / perSecond(first));
      comparison.selfCpu.push(cpuMicros(first) / cpuMicros(second));
      comparison.selfRate.push(perSecond(second) / perSecond(first));
      comparison.ourMicros.push(cpuMicros(mine));
      comparison.bareMicros.push(cpuMicros(first));
      comparison.perSecond.push(perSecond(mine));
      comparison.wrong += mine.wrong + first.wrong;
    }
  } finally {
    await Promise.all([ours, ...bare].map((program) => program.stop()));
  }
}

export async function run(given: Partial<HttpOptions> = {}): Promise<BenchResult> {
  const options: HttpOptions = { instances: 3, turns: 10, turnMs: 150, connections: 16, only: [], ...given };
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-http-'));
  const loadGenerator = startProgram(pathTo('http-load.ts'), [], { core: CLIENT_CORE });
  try {
    const store = await fillStore(dataDir, { rows: ROWS, files: FILES, fileBytes: FILE_BYTES });
    const service = await startService(dataDir);
    const json = await captureResponse(service.port, `/api/v1/vin/${store.vins[0]}`);
    await service.stop();
    const all = scenarios(store, json.headers.etag!).filter(
      ({ key }) => options.only.length === 0 || options.only.includes(key),
    );
    const comparisons: Comparison[] = all.map((scenario) => ({
      scenario,
      cpu: [],
      rate: [],
      selfCpu: [],
      selfRate: [],
      ourMicros: [],
      bareMicros: [],
      perSecond: [],
      wrong: 0,
    }));
    for (let instance = 0; instance < options.instances; instance++) {
      for (const comparison of comparisons)
        await compare(dataDir, loadGenerator, comparison.scenario, options, comparison);
    }
    return table(comparisons, options);
  } finally {
    await loadGenerator.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function table(comparisons: Comparison[], options: HttpOptions): BenchResult {
  const figures: Record<string, number> = {};
  const rows = comparisons.map(({ scenario, ...samples }) => {
    figures[`${scenario.key}Cpu`] = median(samples.cpu);
    figures[`${scenario.key}Rate`] = median(samples.rate);
    figures[`${scenario.key}BareAgainstItself`] = median(samples.selfCpu);
    figures[`${scenario.key}CpuMicros`] = median(samples.ourMicros);
    figures[`${scenario.key}PerSecond`] = median(samples.perSecond);
    if (samples.wrong) figures[`${scenario.key}WrongAnswers`] = samples.wrong;
    return [
      scenario.name,
      median(samples.cpu).toFixed(2),
      median(samples.rate).toFixed(2),
      `≥ ${scenario.min.toFixed(2)}`,
      `${median(samples.selfCpu).toFixed(2)} / ${median(samples.selfRate).toFixed(2)}`,
      median(samples.ourMicros).toFixed(1),
      median(samples.bareMicros).toFixed(1),
      figure(median(samples.perSecond)),
    ];
  });
  return {
    name: `http: the service against bare node:http on one core, ${options.instances} instances × ${options.turns} turns of ${options.turnMs} ms`,
    columns: ['', '× bare, CPU', '× bare, rate', 'target', 'bare × bare', 'CPU µs', 'bare µs', 'per second'],
    rows,
    figures,
    notes: [
      'Bare: default options, writeHead(status, object), end(Buffer).',
      'The limit is on: every ten requests come from another IP address behind a trusted proxy; bare gets the same requests.',
    ],
  };
}

if (import.meta.main) {
  const [only = '', instances = '1', turns = '10'] = process.argv.slice(2);
  const result = await run({
    only: only.split(',').filter(Boolean),
    instances: Number(instances),
    turns: Number(turns),
  });
  process.stdout.write(`${formatResult(result)}\n`);
}
