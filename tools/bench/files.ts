/**
 * How much code a new VIN passes through, from the socket to its PDF: `npm run bench -- files`. V8 counts which functions run
 * in the service and in the child that reads the label while a Ford's VIN is looked up and its label downloaded.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { readConfig } from '../../src/config.ts';
import { silentLog } from '../../src/lib/log.ts';
import { openLabelWorkers } from '../../src/lookup/label-workers.ts';
import { start } from '../../src/main.ts';
import { sources } from '../../src/makers/index.ts';
import { launchChild } from '../../src/pdf/child-process.ts';
import { startChild } from '../../src/pdf/child-start.ts';
import { demoVin } from '../simulator/simulator.ts';
import { countCalls, type Called } from './count-calls.ts';
import { pathTo, type BenchResult } from './figures.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** In a thread of its own, because the simulator uses some of the same files. */
const SIMULATOR = `import(${JSON.stringify(new URL('../simulator/simulator.ts', import.meta.url).href)}).then(
  async ({ startSimulator }) => require('node:worker_threads').parentPort.postMessage((await startSimulator()).origin),
);`;

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'files-'));
  const simulator = new Worker(SIMULATOR, { eval: true });
  const origin = await new Promise<string>((resolve) => simulator.once('message', resolve));
  const children: number[] = [];
  const { service, close } = await startService(folder, origin, children);
  try {
    await lookUp(service, 'gm');
    const calls = await countCalls();
    await signal(children);
    for (const file of reports(folder)) rmSync(file);
    await calls.take();
    await lookUp(service, 'ford');
    const called = await calls.take();
    await signal(children);
    return resultOf([
      ...called,
      ...reports(folder).flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Called[]),
    ]);
  } finally {
    await close();
    await simulator.terminate();
    rmSync(folder, { recursive: true });
  }
}

async function startService(dataDir: string, origin: string, children: number[]) {
  // Not confined, so that it can write its report, and with a program that counts in front of its own.
  const prefix = [process.execPath, pathTo('counted-child.ts'), dataDir];
  const workers = openLabelWorkers({
    start: (kind, stop, program) =>
      startChild(kind, stop, program, async (...[, , file, confinement, onComplaint]) => {
        const child = await launchChild(kind, stop, file, { ...confinement, prefix }, onComplaint);
        if (child && child !== 'refused') children.push(child.pid);
        return child;
      }),
  });
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    SOURCE_PACE_MS: '0',
    DATA_DIR: join(dataDir, 'data'),
    SOURCE_ORIGIN: origin,
  });
  const running = await start(config, silentLog, { workers });
  const close = async () => {
    await running.close(0);
    await workers.close();
  };
  return { service: running.origin, close };
}

/** Looks up a new car of a source, and downloads its label. */
async function lookUp(service: string, sourceId: string): Promise<void> {
  const vin = demoVin(
    sources.find(({ id }) => id === sourceId)!,
    'label',
  );
  for (const path of [`/api/v1/vin/${vin}`, `/api/sticker/${vin}`]) {
    const response = await fetch(service + path);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
  }
}

const reports = (folder: string) =>
  readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [join(folder, name)] : []));

/** Children write what they counted, and begin again. */
async function signal(children: readonly number[]): Promise<void> {
  for (const pid of children) process.kill(pid, 'SIGUSR2');
  await wait(1000);
}

function resultOf(called: readonly Called[]): BenchResult {
  const functions = new Map<string, Set<string>>();
  for (const { url, name } of called) {
    const file = relative(ROOT, fileURLToPath(url));
    if (!/^(src|packages)\//.test(file)) continue;
    functions.set(file, (functions.get(file) ?? new Set()).add(name));
  }
  const rows = [...functions].map(([file, names]) => {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;
    return { file, lines, functions: names.size };
  });
  rows.sort((a, b) => a.file.localeCompare(b.file));
  const sum = (field: 'lines' | 'functions') => rows.reduce((all, row) => all + row[field], 0);
  const figures = { files: rows.length, lines: sum('lines'), functions: sum('functions') };
  return {
    name: `files: a new VIN passes through ${figures.files}, which have ${figures.lines} lines, and ${figures.functions} functions`,
    columns: ['file', 'lines', 'functions called'],
    rows: rows.map((row) => [row.file, String(row.lines), String(row.functions)]),
    figures,
  };
}
