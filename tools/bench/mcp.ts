/**
 * The tool endpoint under load: `get_window_sticker` for a stored label, 32 calls at once, in both protocol revisions:
 * `node tools/bench/mcp.ts`. Only the service's CPU time counts; this process sends the requests.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { sources } from '../../src/makers/index.ts';
import { demoVin, startSimulator } from '../simulator/simulator.ts';
import type { BenchResult } from './decoder.ts';
import { formatResult } from './decoder.ts';
import { figure, percentile } from './figures.ts';
import type { Usage } from './mcp-service.ts';

const CALLS = 1000;
const AT_ONCE = 32;
/** Untimed rounds that compile the code. */
const WARM_UP_ROUNDS = 4;
const ROUNDS = 5;

type Revision = '2026-07-28' | '2025-11-25';
const REVISIONS: readonly Revision[] = ['2026-07-28', '2025-11-25'];

function callOf(revision: Revision, vin: string): { headers: Record<string, string>; body: string } {
  const params: Record<string, unknown> = { name: 'get_window_sticker', arguments: { vin } };
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': revision,
  };
  if (revision === '2026-07-28') {
    headers['Mcp-Method'] = 'tools/call';
    headers['Mcp-Name'] = 'get_window_sticker';
    params._meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
  }
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
}

/** Sends `CALLS` calls, `AT_ONCE` at a time. Returns how long each took and how many didn't return the label. */
async function round(origin: string, call: ReturnType<typeof callOf>, agent: http.Agent) {
  const durationsMs: number[] = [];
  let errors = 0;
  let remaining = CALLS;
  const sendCall = (): Promise<void> =>
    new Promise((resolve) => {
      const from = performance.now();
      const request = http.request(
        `${origin}/mcp`,
        { method: 'POST', agent, headers: call.headers },
        (res) => {
          let text = '';
          res.setEncoding('utf8').on('data', (part: string) => (text += part));
          res.on('end', () => {
            durationsMs.push(performance.now() - from);
            if (res.statusCode !== 200 || !text.includes('"available":true')) errors++;
            resolve();
          });
        },
      );
      request.on('error', () => {
        errors++;
        resolve();
      });
      request.end(call.body);
    });
  const client = async (): Promise<void> => {
    while (remaining-- > 0) await sendCall();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  return { durationsMs, errors };
}

async function askService<T>(service: ChildProcess, message?: string): Promise<T> {
  if (message) service.send(message);
  const [response] = await once(service, 'message');
  return response as T;
}

interface Timed {
  revision: Revision;
  cpuMsPerCall: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  errors: number;
  heapGrowthMb: number;
}

async function timed(service: ChildProcess, origin: string, revision: Revision, vin: string): Promise<Timed> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const call = callOf(revision, vin);
  let errors = 0;
  for (let n = 0; n < WARM_UP_ROUNDS; n++) errors += (await round(origin, call, agent)).errors;
  const cpu: number[] = [];
  const durationsMs: number[] = [];
  let wall = 0;
  const before = await askService<Usage>(service, 'usage');
  let last = before;
  for (let n = 0; n < ROUNDS; n++) {
    const from = performance.now();
    const done = await round(origin, call, agent);
    wall += performance.now() - from;
    // Don't count the garbage collection in between.
    const spent = await askService<Usage>(service, 'usage');
    cpu.push((spent.cpuMs - last.cpuMs) / CALLS);
    last = await askService<Usage>(service, 'usage');
    errors += done.errors;
    durationsMs.push(...done.durationsMs);
  }
  agent.destroy();
  return {
    revision,
    cpuMsPerCall: percentile(cpu, 50),
    perSecond: (ROUNDS * CALLS * 1000) / wall,
    p50Ms: percentile(durationsMs, 50),
    p99Ms: percentile(durationsMs, 99),
    errors,
    heapGrowthMb: last.heapMb - before.heapMb,
  };
}

export async function run(): Promise<BenchResult> {
  const simulator = await startSimulator();
  const service = fork(fileURLToPath(new URL('mcp-service.ts', import.meta.url)), {
    env: { ...process.env, SOURCE_ORIGIN: simulator.origin },
  });
  try {
    const { origin } = await askService<{ origin: string }>(service);
    const vin = demoVin(
      sources.find((source) => source.id === 'ford')!,
      'label',
    );
    // Fetch the label first, so that only responses are timed.
    await fetch(`${origin}/api/sticker/${vin}`);
    const rows: Timed[] = [];
    for (const revision of REVISIONS) rows.push(await timed(service, origin, revision, vin));
    return table(rows);
  } finally {
    service.send('stop');
    await once(service, 'exit');
    await simulator.close();
  }
}

function table(rows: Timed[]): BenchResult {
  const worst = (of: (row: Timed) => number): number => Math.max(...rows.map(of));
  return {
    name: `tools: get_window_sticker for a stored label, ${ROUNDS} × ${CALLS.toLocaleString('en')} calls, ${AT_ONCE} at once`,
    columns: ['', 'CPU ms per call', 'calls per second', 'p50 ms', 'p99 ms', 'errors', 'heap growth MB'],
    rows: rows.map((row) => [
      row.revision,
      row.cpuMsPerCall.toFixed(2),
      figure(row.perSecond),
      row.p50Ms.toFixed(1),
      row.p99Ms.toFixed(1),
      String(row.errors),
      row.heapGrowthMb.toFixed(1),
    ]),
    figures: {
      cpuMsPerCall: worst((row) => row.cpuMsPerCall),
      perSecond: Math.min(...rows.map((row) => row.perSecond)),
      p99Ms: worst((row) => row.p99Ms),
      errors: worst((row) => row.errors),
      heapGrowthMb: worst((row) => row.heapGrowthMb),
    },
    notes: ['CPU time of the service, median of the rounds. Target: at most 1.5 ms, no errors.'],
  };
}

if (import.meta.main) {
  const result = await run();
  process.stdout.write(`${formatResult(result)}\n\n${JSON.stringify(result.figures, null, 2)}\n`);
}
