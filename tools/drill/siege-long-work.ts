/** Attacks with requests that take long to answer, from many networks of one /48. */
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshIp } from './drill.ts';
import { attack, held, type Attack, type Target } from './siege-target.ts';

const NETWORKS = 16;
const ATTACK_MS = 10_000;
/** How long a health check of a proxy may take. */
const MAX_P90_MS = 1000;

interface Request {
  path: string;
  body?: string;
}

/** Fifty VINs that lack a character: finding the VIN that was meant decodes dozens for each. */
const INCOMPLETE = Array.from({ length: 50 }, (_, n) => `1FMUK8DH0TG0${String(n).padStart(4, '0')}`);
const toolCall = (vins: readonly string[]): Request => ({
  path: '/mcp',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'decode_vins', arguments: { vins } },
  }),
});
const NHTSA = '/vpic/api/vehicles';
/** What others request meanwhile. */
const HONEST: readonly Request[] = [
  { path: '/api/v1/decode', body: JSON.stringify({ vins: Array.from({ length: 50 }, () => held) }) },
  { path: `/api/v1/vin/${held}` },
  { path: `${NHTSA}/GetModelsForMake/tesla` },
  toolCall([held, ...INCOMPLETE.slice(0, 9)]),
];

const agent = new http.Agent({ keepAlive: true, maxSockets: 400 });

/** The status of a response that isn't kept, and how long it took. The status is 0 without a response. */
function send(
  { service: { port } }: Target,
  client: string,
  { path, body }: Request,
  { isNew = false, signal = AbortSignal.timeout(60_000) } = {},
): Promise<{ status: number; ms: number }> {
  const from = performance.now();
  const json = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' };
  const options: http.RequestOptions = {
    port,
    host: '127.0.0.1',
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: { host: 'localhost', 'x-forwarded-for': client, ...(body === undefined ? {} : json) },
    agent: isNew ? false : agent,
    signal,
  };
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, ms: performance.now() - from });
    const request = http.request(options, (response) => {
      response.resume().on('close', () => end(response.complete ? response.statusCode! : 0));
    });
    request.on('error', () => end(0)).end(body);
  });
}

/** Lets each of sixteen /64s of a /48 keep `concurrent` requests going while others send theirs. */
async function besiege(target: Target, request: Request, concurrent: number): Promise<string | null> {
  const over = new AbortController();
  const attackFrom = async (client: string): Promise<void> => {
    while (!over.signal.aborted) {
      const { status } = await send(target, client, request, over);
      if (status !== 200) await sleep(1000);
    }
  };
  const count = (NETWORKS * concurrent) / (target.short ? 10 : 1);
  const attacking = Array.from({ length: count }, (_, n) =>
    attackFrom(`2001:db8:9:${(n % NETWORKS).toString(16)}::1`),
  );
  const end = performance.now() + (target.short ? 0 : ATTACK_MS);
  const [checks, others] = await Promise.all([
    // On new connections, as health checks of proxies are.
    until(end, 1, () => send(target, freshIp(), { path: '/healthz' }, { isNew: true })),
    until(end, HONEST.length, (n) => send(target, freshIp(), HONEST[n % HONEST.length]!)),
  ]);
  over.abort();
  await Promise.all(attacking);
  const failed = [...checks, ...others].filter(({ status }) => status !== 200);
  if (failed.length > 0)
    return `${failed.length} of ${checks.length + others.length} requests of others got no 200`;
  const times = checks.map(({ ms }) => ms).sort((a, b) => a - b);
  const p90 = times[Math.floor(times.length * 0.9)]!;
  return target.short || p90 <= MAX_P90_MS ? null : `a tenth of /healthz took ${Math.round(p90)} ms and more`;
}

/** Calls `request` one after the other until `end`, at least `min` times. */
async function until<T>(end: number, min: number, request: (n: number) => Promise<T>): Promise<T[]> {
  const responses: T[] = [];
  while (responses.length < min || performance.now() < end) {
    responses.push(await request(responses.length));
    await sleep(50);
  }
  return responses;
}

export const longWorkAttacks: readonly Attack[] = [
  attack('+', '16 networks send fifty incomplete VINs, 20 times at once', (target) =>
    besiege(target, toolCall(INCOMPLETE), 20),
  ),
  attack('+', '16 networks request nearly all models, 10 times at once', (target) =>
    besiege(target, { path: `${NHTSA}/GetModelsForMakeYear/make/%20/vehicletype/e` }, 10),
  ),
];
