/**
 * Runs the service with a simulator of all label sources, without internet access: `npm run demo`.
 * Prints a URL to try for every behavior. Its data is deleted at the end.
 * `npm run demo -- FOLDER` also serves the labels in a folder of your own, with the VIN in their names.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sources } from '../src/makers/index.ts';
import { serve } from './drill/drill.ts';
import { behaviorNames, type Behavior } from './simulator/behaviors.ts';
import { demoVin, labelFiles, startSimulator } from './simulator/simulator.ts';
import { freePort } from './free-port.ts';

/** The source that shows a behavior best, and a comment. Behaviors that aren't listed use Ford. */
const demonstrations: Partial<Record<Behavior, [source: string, comment: string]>> = {
  none: ['ford', 'a placeholder PDF'],
  'other-none': ['subaru', 'a page of the website'],
  empty: ['gm', 'no bytes: retried, and never treated as "none"'],
  'empty-at-first': ['gm', 'no bytes twice, then the label'],
  'access-denied': ['gm', 'blocked by the CDN'],
  'access-denied-as-200': ['stellantis', 'the same with status 200, from all four hosts'],
  blocked: ['hyundai', 'blocked by bot protection'],
  'not-found-page': ['kia', 'a 404 from all three URLs'],
  'other-car': ['genesis', 'another car’s label'],
  'small-picture': ['nissan', 'a picture too small to be a scan'],
  'too-many': ['toyota', '429 with two minutes of Retry-After'],
  unavailable: ['subaru', 'a 503'],
  hang: ['stellantis', 'never responds; takes 20 seconds'],
  drip: ['ford', 'one byte per second; takes 20 seconds'],
  'server-error': ['kia', 'a 500'],
};

function sourceById(id: string) {
  return sources.find((source) => source.id === id)!;
}

function row(name: string, url: string, comment: string): string {
  return `  ${name.padEnd(22)} ${url}   ${comment}`.trimEnd();
}

function menu(base: string, folder: string | undefined): string {
  const labels = sources.map((source) =>
    row(source.name, `${base}/window-sticker/${demoVin(source, 'label')}`, ''),
  );
  const misbehaviors = behaviorNames
    .filter((behavior) => behavior !== 'label')
    .map((behavior) => {
      const [id, comment] = demonstrations[behavior] ?? ['ford', ''];
      return row(behavior, `${base}/api/v1/vin/${demoVin(sourceById(id), behavior)}`, comment);
    });
  const own = folder
    ? ['Your labels:', ...[...labelFiles(folder).keys()].map((vin) => `  ${base}/window-sticker/${vin}`), '']
    : [];
  const others = ['', 'Other responses of sources:', ...misbehaviors];
  return [...own, 'A label from each source:', ...labels, ...others].join('\n');
}

const folder = process.argv[2];
const simulator = await startSimulator({ labels: folder });
const dataDir = mkdtempSync(path.join(tmpdir(), 'monroney-demo-'));
const port = await freePort(Number(process.env.PORT ?? 8080));
const base = `http://localhost:${port}`;
const stopping = new AbortController();
const stopped = stopping.signal;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  const { child } = await serve(
    {
      ...(process.env as Record<string, string>),
      PORT: String(port),
      BASE_URL: base,
      DATA_DIR: dataDir,
      SOURCE_ORIGIN: simulator.origin,
      LOG_LEVEL: 'error',
    },
    // As with real sources: at their pace, and without a proxy.
    { useCache: false, settings: {} },
  );
  child.stderr!.pipe(process.stderr);
  const stop = () => child.kill('SIGTERM');
  if (stopped.aborted) stop();
  else stopped.addEventListener('abort', stop);
  process.stdout.write(
    `${menu(base, folder)}\n\nThe service is at ${base}, the simulator at ${simulator.origin}. Stop both with Ctrl+C.\n`,
  );
  await once(child, 'exit');
} finally {
  await simulator.close();
  rmSync(dataDir, { recursive: true, force: true });
}
