/**
 * The hot routes compared with a bare `node:http` server that sends the same bytes and headers, on one core:
 * `npm run bench -- http`. Ours and two bare ones take turns of 150 ms within one run; the second bare one shows how
 * far apart two equal servers are.
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { loadBundled } from '@monroney/vin';
import { figure, median, pathTo, type BenchResult } from './figures.ts';
import { fillStore, vinOf, type FilledStore } from './filled-store.ts';
import type { CapturedResponse } from './http-bare.ts';
import type { LoadPlan, Turn } from './http-load.ts';
import { withPrograms, type Bench } from './programs.ts';

const INSTANCES = 3;
const NEVER_SEEN = 300_000;
/** The first serial number of VINs that aren't stored. */
const FIRST_NEW = 100_000;

type Scenario = Omit<LoadPlan, 'servers'> & { key: string; name: string };

function scenarios({ vins, fileVins }: FilledStore, etag: string): Scenario[] {
  const hot = vins.map((vin) => `/api/v1/vin/${vin}`);
  return [
    { key: 'heldJson', name: 'stored label, response in memory', paths: hot },
    {
      key: 'json304',
      name: 'lookup, 304',
      paths: [hot[0]!],
      headers: { 'If-None-Match': etag },
      status: 304,
    },
    // One label, like the bare server, so that the processor's cache has the same content for both.
    { key: 'pdf', name: 'PDF of 300 KB in memory', paths: [`/api/sticker/${fileVins[0]}`] },
    {
      key: 'neverSeen',
      name: 'sticker=false of a new VIN',
      // Longer, because more code has to be compiled first.
      warmMs: 6000,
      paths: neverSeen(NEVER_SEEN).map((vin) => `/api/v1/vin/${vin}?sticker=false`),
    },
    toolCall('toolCall', '2026-07-28', fileVins[0]!),
    toolCall('legacyToolCall', '2025-11-25', fileVins[0]!),
  ];
}

function toolCall(key: string, revision: string, vin: string): Scenario {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': revision,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'get_window_sticker',
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const isNew = key === 'toolCall';
  const params = { name: 'get_window_sticker', arguments: { vin }, ...(isNew ? { _meta } : {}) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return { key, name: `tool call, revision ${revision}`, paths: ['/mcp'], headers, body, warmRequests: 4000 };
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
    .filter(({ vin, codes }) => codes[0] === 0 && decode(vinOf(FIRST_NEW, vin)).codes[0] === 0)
    .map(({ vin }) => vin);
  return Array.from({ length: count }, (_, n) =>
    vinOf(FIRST_NEW + Math.floor(n / models.length), models[n % models.length]),
  );
}

/** Captures one response of the service for the bare server to repeat. */
function captureResponse(
  port: number,
  { paths: [path], headers = {}, body }: Pick<Scenario, 'paths' | 'headers' | 'body'>,
): Promise<CapturedResponse> {
  return new Promise((resolve, reject) => {
    const options = {
      port,
      path,
      host: '127.0.0.1',
      agent: false,
      headers: { ...headers, Host: 'localhost' },
    };
    const request = http.request({ ...options, method: body ? 'POST' : 'GET' }, (res) => {
      const { date: _, connection: __, 'keep-alive': ___, ...sent } = res.headers;
      res.toArray().then((chunks) => {
        resolve({ status: res.statusCode!, headers: sent, body: Buffer.concat(chunks) });
      }, reject);
    });
    request.on('error', reject).end(body);
  });
}

const cpuMicros = ({ cpuNs, requests }: Turn): number => cpuNs / requests / 1000;
const perSecond = ({ requests, wallMs }: Turn): number => (requests * 1000) / wallMs;

/** The turns of our server and of two bare ones. */
async function compare(bench: Bench, { name, ...plan }: Scenario): Promise<Turn[][]> {
  const ours = await bench.start();
  const response = await captureResponse(ours.port, plan);
  if (response.status !== (plan.status ?? 200)) throw new Error(`${name}: status ${response.status}`);
  const bare = [await bench.startBare(response), await bench.startBare(response)];
  try {
    return await bench.load({ ...plan, servers: [ours, ...bare].map(({ port, pid }) => ({ port, pid })) });
  } finally {
    for (const server of bare) server.stop();
    await ours.kill('SIGTERM');
  }
}

export async function run(): Promise<BenchResult> {
  const turns = new Map<Scenario, Turn[][]>();
  await withPrograms(async (bench) => {
    const store = await fillStore(bench.dataDir, { rows: 2000, files: 1, fileBytes: 300_000 });
    const service = await bench.start();
    const json = await captureResponse(service.port, { paths: [`/api/v1/vin/${store.vins[0]}`] });
    await service.kill('SIGTERM');
    const all = scenarios(store, String(json.headers.etag));
    for (let instance = 0; instance < INSTANCES; instance++)
      for (const scenario of all) {
        const measured = await compare(bench, scenario);
        const before = turns.get(scenario);
        turns.set(
          scenario,
          measured.map((list, server) => [...(before?.[server] ?? []), ...list]),
        );
      }
  });
  const figures: Record<string, number> = {};
  const rows = Array.from(turns, ([{ key, name }, [ours, bare, other]]) => {
    const ratio = (of: (turn: Turn, at: number) => number) => median(ours!.map(of)).toFixed(2);
    figures[`${key}Cpu`] = median(ours!.map((turn, at) => cpuMicros(bare![at]!) / cpuMicros(turn)));
    figures[`${key}CpuMicros`] = median(ours!.map(cpuMicros));
    figures[`${key}PerSecond`] = median(ours!.map(perSecond));
    const wrong = [...ours!, ...bare!].reduce((sum, turn) => sum + turn.wrong, 0);
    return [
      name,
      figures[`${key}Cpu`]!.toFixed(2),
      ratio((turn, at) => perSecond(turn) / perSecond(bare![at]!)),
      ratio((_, at) => cpuMicros(bare![at]!) / cpuMicros(other![at]!)),
      figures[`${key}CpuMicros`]!.toFixed(1),
      median(bare!.map(cpuMicros)).toFixed(1),
      figure(figures[`${key}PerSecond`]),
      String(wrong),
    ];
  });
  return {
    name: `http: the service against bare node:http on one core, ${INSTANCES} instances × 10 turns of 150 ms`,
    columns: ['', '× bare, CPU', '× bare, rate', 'bare × bare', 'CPU µs', 'bare µs', 'per second', 'wrong'],
    rows,
    figures,
    notes: [
      'Bare: default options, writeHead(status, object), end(Buffer).',
      'The limit is on: every ten requests come from another IP address behind a trusted proxy; bare gets the same requests.',
    ],
  };
}
