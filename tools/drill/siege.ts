/** Runs every known attack by one client or one source against the real service as a process. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { get, metricsOf, collectFailures, vitals, type DrillResult } from './drill.ts';
import { breakerAttacks } from './siege-breaker.ts';
import { clientAttacks } from './siege-clients.ts';
import { longWorkAttacks } from './siege-long-work.ts';
import { siteAttacks } from './siege-sites.ts';
import { sourceAttacks } from './siege-sources.ts';
import { withSimulatedService } from './simulated-service.ts';
import { BASE_URL, held, type Attack, type Target } from './siege-target.ts';

const MAX_MB = 400;
const MAX_HEALTHZ_MS = 500;
const MAX_DELAY_MS = 200;

const ATTACKS: readonly Attack[] = [
  ...clientAttacks,
  ...longWorkAttacks,
  ...sourceAttacks,
  ...breakerAttacks,
  ...siteAttacks,
];

interface Row {
  attack: string;
  result: string;
  mb: number;
  healthzMs: number;
  delayMs: number;
  /** The longest time the service was ready to run but had no core, between two responses of `/healthz`. */
  waitedMs: number;
}

/** Milliseconds for which a process's main thread was ready to run but had no core. Only known on Linux. */
function waitedMs(pid: number): number {
  try {
    const [, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
}

/** Requests `/healthz` until stopped, and records failures, the slowest response and the highest memory use. */
function watch({ service: { port, pid } }: Target) {
  let failures = 0;
  let worstMs = 0;
  let maxMb = 0;
  let maxWaitedMs = 0;
  const waited = () => waitedMs(pid) + waitedMs(process.pid);
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const from = performance.now();
      const before = waited();
      await get(port, '/healthz', {}, 60_000).catch(() => {
        failures++;
        return sleep(100);
      });
      worstMs = Math.max(worstMs, performance.now() - from);
      try {
        maxMb = Math.max(maxMb, vitals(pid).rssMb);
      } catch {
        // It has exited, which is reported.
      }
      await sleep(25);
      maxWaitedMs = Math.max(maxWaitedMs, waited() - before);
    }
  })();
  return async () => {
    stop.abort();
    await watching;
    return {
      failures,
      row: {
        healthzMs: Math.round(worstMs),
        mb: Math.round(maxMb),
        waitedMs: Math.round(maxWaitedMs),
      },
    };
  };
}

/** The service's longest event loop delay since the last call. */
async function longestDelayMs(adminPort: number): Promise<number> {
  const metric = await metricsOf(adminPort);
  return Math.round(metric('monroney_event_loop_delay_seconds_max') * 1000);
}

interface SiegeOptions {
  short?: boolean;
  /** False in tests, which must not depend on the machine's speed: only what the service did counts. */
  measure?: boolean;
  only?: (attack: Attack) => boolean;
}

async function runAttack(attack: Attack, target: Target): Promise<Row> {
  await longestDelayMs(target.adminPort).catch(() => 0);
  const stop = watch(target);
  const broke = await attack.run(target).catch((error: unknown) => String(error));
  const { failures, row } = await stop();
  const unanswered = failures === 0 ? null : `${failures} requests of /healthz failed`;
  const { exitCode, signalCode } = target.service.child;
  const hasExited = exitCode !== null || signalCode !== null;
  const delayMs = hasExited ? Infinity : await longestDelayMs(target.adminPort);
  return {
    attack: `${attack.number} ${attack.name}`,
    result: hasExited ? `the service ended (${signalCode ?? exitCode})` : (broke ?? unanswered ?? 'passed'),
    ...row,
    delayMs,
  };
}

const columns = (cells: readonly (string | number)[]): string =>
  `${String(cells[0]).padEnd(58)} ${cells
    .slice(1, 5)
    .map((cell) => String(cell).padStart(11))
    .join('')}  ${cells[5]}\n`;

/** The limits that were exceeded. Time without a core is allowed on top. */
function exceeded({ attack, mb, healthzMs, delayMs, waitedMs }: Row): string[] {
  return [
    ...(mb <= MAX_MB ? [] : [`${attack}: ${mb} MB`]),
    ...(healthzMs <= MAX_HEALTHZ_MS + waitedMs ? [] : [`${attack}: /healthz took ${healthzMs} ms`]),
    ...(delayMs <= MAX_DELAY_MS + waitedMs
      ? []
      : [`${attack}: the event loop was blocked for ${delayMs} ms`]),
  ];
}

/** Each attack has its own service, so that memory and delay are due to it. In short runs all share one. */
export async function run({
  short = false,
  measure = true,
  only = () => true,
}: SiegeOptions = {}): Promise<DrillResult> {
  const attacks = ATTACKS.filter((attack) => !(short && attack.long) && only(attack));
  const rows: Row[] = [];
  process.stdout.write(columns(['attack', 'memory MB', 'healthz ms', 'delay ms', 'no core ms', 'result']));
  for (const group of short ? [attacks] : attacks.map((attack) => [attack])) {
    const settings = Object.assign({ BASE_URL }, ...group.map(({ env }) => env)) as Record<string, string>;
    await withSimulatedService(settings, async (started) => {
      // The first reading has to start a worker.
      await get(started.service.port, `/api/v1/vin/${held}/label`);
      for (const attack of group) {
        const row = await runAttack(attack, { ...started, short });
        rows.push(row);
        process.stdout.write(
          columns([row.attack, row.mb, row.healthzMs, row.delayMs, row.waitedMs, row.result]),
        );
      }
    });
  }
  const { expect, result } = collectFailures('siege');
  expect(rows.length > 0, 'no attack has such a name');
  for (const row of rows) {
    expect(row.result === 'passed', `${row.attack}: ${row.result}`);
    if (measure) for (const failure of exceeded(row)) expect(false, failure);
  }
  return result({
    attacks: rows.length,
    passed: rows.filter((row) => row.result === 'passed').length,
    maxMb: Math.max(...rows.map(({ mb }) => mb)),
    worstHealthzMs: Math.max(...rows.map(({ healthzMs }) => healthzMs)),
    longestDelayMs: Math.max(...rows.map(({ delayMs }) => delayMs)),
  });
}
