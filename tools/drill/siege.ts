/** Attacks the real service, as a process, and measures its memory and response times meanwhile. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { get, metricsOf, collectFailures, vitals, type DrillResult } from './drill.ts';
import { attacks, BASE_URL, held, type Attack, type Target } from './siege-attacks.ts';
import { withSimulatedService } from './simulated-service.ts';

const MAX_MB = 400;
const MAX_HEALTHZ_MS = 500;
const MAX_DELAY_MS = 200;

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
      await get(port, '/healthz', {}, { timeoutMs: 60_000 }).catch(() => {
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
    const [healthzMs, mb, waitedMs] = [worstMs, maxMb, maxWaitedMs].map(Math.round) as [
      number,
      number,
      number,
    ];
    return { failures, row: { mb, healthzMs, waitedMs } };
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
  /** Part of the names of the attacks. */
  only?: string | undefined;
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
  const ended = hasExited ? `the service ended (${signalCode ?? exitCode})` : null;
  return { attack: attack.name, result: ended ?? broke ?? unanswered ?? 'passed', ...row, delayMs };
}

/** What was exceeded. Time without a core is allowed on top. */
function exceeded({ mb, healthzMs, delayMs, waitedMs }: Row): string[] {
  return [
    ...(mb <= MAX_MB ? [] : [`${mb} MB`]),
    ...(healthzMs <= MAX_HEALTHZ_MS + waitedMs ? [] : [`/healthz took ${healthzMs} ms`]),
    ...(delayMs <= MAX_DELAY_MS + waitedMs ? [] : [`the event loop was blocked for ${delayMs} ms`]),
  ];
}

/** Each attack has its own service, so that memory and delay are due to it. In short runs all share one. */
export async function run({ short = false, measure = true, only = '' }: SiegeOptions): Promise<DrillResult> {
  const chosen = attacks.filter(({ long, name }) => !(short && long) && name.includes(only));
  const rows: Row[] = [];
  for (const group of short ? [chosen] : chosen.map((attack) => [attack]))
    await withSimulatedService({ BASE_URL }, async (started) => {
      // The first reading has to start a worker.
      await get(started.service.port, `/api/v1/vin/${held}/label`);
      for (const attack of group) rows.push(await runAttack(attack, { ...started, short }));
    });
  console.table(rows);
  const { expect, result } = collectFailures();
  expect(rows.length > 0, 'no attack has such a name');
  for (const row of rows) {
    expect(row.result === 'passed', `${row.attack}: ${row.result}`);
    for (const limit of measure ? exceeded(row) : []) expect(false, `${row.attack}: ${limit}`);
  }
  return result({
    attacks: rows.length,
    passed: rows.filter((row) => row.result === 'passed').length,
    maxMb: Math.max(...rows.map(({ mb }) => mb)),
    worstHealthzMs: Math.max(...rows.map(({ healthzMs }) => healthzMs)),
    longestDelayMs: Math.max(...rows.map(({ delayMs }) => delayMs)),
  });
}
