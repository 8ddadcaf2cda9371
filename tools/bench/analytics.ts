/**
 * How much slower a lookup with a contact is if the analytics server responds, hangs or is down, compared with no
 * analytics: `node tools/bench/analytics.ts`. The four services take turns within one run.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { formatResult, type BenchResult } from './decoder.ts';
import { figure, percentile } from './figures.ts';

const TURNS = 60;
const LOOKUPS_PER_TURN = 50;
const WARM_UP_TURNS = 5;

const KINDS = ['off', 'responding', 'hanging', 'down'] as const;
type Kind = (typeof KINDS)[number];

interface Candidate {
  kind: Kind;
  child: ChildProcess;
  origin: string;
  durationsMs: number[];
}

const command = fileURLToPath(new URL('../../bin/monroney.mjs', import.meta.url));

async function startServer(respond: (res: http.ServerResponse) => void): Promise<http.Server> {
  const server = http.createServer((req, res) => {
    req.resume().on('end', () => respond(res));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function serve(kind: Kind, dataDir: string, analyticsUrl: string | null): Promise<Candidate> {
  const child = spawn(process.execPath, [command, 'serve'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: path.join(dataDir, kind),
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'error',
      ...(analyticsUrl ? { ANALYTICS_URL: analyticsUrl } : {}),
    },
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      const match = /listens on http:\/\/localhost:(\d+)/.exec((text += chunk.toString()));
      if (match) resolve(`http://127.0.0.1:${match[1]}`);
    });
    child.once('exit', () => reject(new Error(text)));
  });
  return { kind, child, origin, durationsMs: [] };
}

let requestCount = 0;
async function lookUp(origin: string, agent: http.Agent): Promise<number> {
  const vin = specimens[0]!.vin;
  requestCount++;
  const headers = {
    'X-Forwarded-For': `198.${18 + ((requestCount >> 16) & 1)}.${(requestCount >> 8) & 255}.${requestCount & 255}`,
    'X-Contact': `dev${requestCount % 997}@example.org`,
  };
  const started = performance.now();
  const request = http.get(`${origin}/api/v1/vin/${vin}`, { agent, headers });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  return performance.now() - started;
}

export async function run(): Promise<BenchResult> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'monroney-analytics-'));
  const responding = await startServer((res) => res.writeHead(202).end());
  const hanging = await startServer(() => {});
  const urlOf = (server: http.Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const urls = {
    off: null,
    responding: urlOf(responding),
    hanging: urlOf(hanging),
    down: 'http://127.0.0.1:1/',
  };
  const candidates: Candidate[] = [];
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (const kind of KINDS) candidates.push(await serve(kind, dataDir, urls[kind]));
    const firstHangingRequest = once(hanging, 'request');
    for (let turn = -WARM_UP_TURNS; turn < TURNS; turn++) {
      // From here on one request is always waiting for a response.
      if (turn === 0) await firstHangingRequest;
      for (const { origin, durationsMs } of candidates) {
        for (let i = 0; i < LOOKUPS_PER_TURN; i++) {
          const ms = await lookUp(origin, agent);
          if (turn >= 0) durationsMs.push(ms);
        }
      }
    }
  } finally {
    agent.destroy();
    for (const { child } of candidates) child.kill('SIGKILL');
    for (const server of [responding, hanging]) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(dataDir, { recursive: true, force: true });
  }
  const median = (kind: Kind) =>
    percentile(candidates.find((candidate) => candidate.kind === kind)!.durationsMs, 50);
  const figures: Record<string, number> = {};
  for (const kind of KINDS) figures[`${kind} median ms`] = median(kind);
  for (const kind of KINDS.slice(1)) figures[`${kind} slower by ms`] = median(kind) - median('off');
  return {
    name: 'lookups with a contact while analytics responds, hangs or is down',
    columns: ['analytics', 'median ms', 'p99 ms', 'slower at the median by ms'],
    rows: candidates.map(({ kind, durationsMs }) => [
      kind,
      figure(percentile(durationsMs, 50)),
      figure(percentile(durationsMs, 99)),
      (median(kind) - median('off')).toFixed(3),
    ]),
    figures,
    notes: [
      `${TURNS * LOOKUPS_PER_TURN} lookups with a contact of each service, in turns of ${LOOKUPS_PER_TURN}, one at a time. Target: at most 1 ms slower.`,
    ],
  };
}

if (import.meta.main) {
  const result = await run();
  process.stdout.write(`${formatResult(result)}\n\n${JSON.stringify(result.figures, null, 2)}\n`);
}
