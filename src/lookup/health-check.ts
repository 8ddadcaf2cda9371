import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { type Source, hostsOf } from '../makers/maker.ts';
import type { Store } from '../store/store.ts';
import {
  checkVin,
  sampleHeldLabels,
  type Checked,
  type CheckDependencies,
  type CheckResult,
} from './check.ts';
import { type FindHealthCheck, ask, hostResult, retryAfterMsOf } from './ask.ts';
import type { LastLabels, Switches } from './source-states.ts';
import type { HealthCheck, Net } from '../sources/hosts.ts';
import type { Judge } from './judge.ts';

interface HealthCheckDependencies {
  store: Pick<Store, 'labels'>;
  net: Net;
  judge: Judge;
  isAvailable(source: Source): boolean;
  log: Log;
  now(): number;
  signal: AbortSignal;
}

/**
 * Health checks request a label that a source sent before. Clients can choose VINs that a source refuses or fails for, so this
 * decides before a host is paused for everybody and before a pause gets longer. It stores nothing.
 */
export function healthChecks(dependencies: HealthCheckDependencies): FindHealthCheck {
  const { store, log } = dependencies;

  async function request(source: Source, vin: string): ReturnType<HealthCheck> {
    try {
      const outcome = await ask(source, vin, { ...dependencies, isHealthCheck: true });
      const why = 'why' in outcome ? outcome.why : null;
      log.info('health check', { source: source.id, outcome: outcome.kind, why });
      return { result: hostResult(outcome), retryAfterMs: retryAfterMsOf(outcome) };
    } catch (error) {
      log.error('health check failed', { source: source.id, error: String((error as Error).stack ?? error) });
      return { result: 'unknown' };
    }
  }

  return async (source, template) => {
    try {
      const [label] = (await sampleHeldLabels(store, [source], 1)).get(source.id)!;
      // A redirect may lead to any host of the source.
      const oneUrl = { ...source, urls: [template], hosts: hostsOf(source) };
      return label ? () => request(oneUrl, label.vin) : null;
    } catch (error) {
      log.warn('cannot find a label for a health check', { source: source.id, error: String(error) });
      return null;
    }
  };
}

/** Requests a label that we hold from each source once a day, so that a change is noticed even without lookups. */
export interface Canary {
  /** Checks the first source that is due, if any. Called by a timer. */
  tick(): Promise<Checked | null>;
  close(): void;
}

const DAY_MS = 86_400_000;
/** One source at a time. */
const TICK_MS = 15 * 60_000;

interface CanaryDependencies extends CheckDependencies {
  sources: readonly Source[];
  switches: Pick<Switches, 'state'>;
  store: Pick<Store, 'find' | 'labels' | 'cached' | 'pdf' | 'value' | 'setValue'>;
  lastLabels: LastLabels;
  log: Log;
  metrics: Pick<Metrics, 'count'>;
}

export function openCanary(dependencies: CanaryDependencies): Canary {
  const { sources, switches, store, log, now } = dependencies;

  async function isDue({ id }: Source): Promise<boolean> {
    if (switches.state(id).state !== 'on') return false;
    const last = Number(await store.value(keyOf(id)));
    // `abs`, because a time in the future (from a wrong clock) must not delay the check.
    return !last || Math.abs(now() - last) >= DAY_MS;
  }

  async function check(source: Source): Promise<Checked | null> {
    // One instance per source and day. A failed check counts too: never more than one request a day.
    return dependencies.net.singleFlight.once(`canary ${source.id}`, async () => {
      if (!(await isDue(source))) return null;
      await store.setValue(keyOf(source.id), String(now()), now() + 2 * DAY_MS);
      const [label] = (await sampleHeldLabels(store, [source], 1)).get(source.id)!;
      return label ? report(await checkVin(source, label.vin, 'held', dependencies)) : null;
    });
  }

  function report(checked: Checked): Checked {
    const { source, verdict, result } = checked;
    if (verdict === 'label') dependencies.lastLabels.record(source);
    dependencies.metrics.count('monroney_canary_total', { source, result });
    const fields = { source, verdict, why: checked.why, result };
    if (result === 'changed') log.warn('canary: a source changed; run "admin check"', fields);
    else log.info('canary', fields);
    return checked;
  }

  async function tick(): Promise<Checked | null> {
    for (const source of sources) if (await isDue(source)) return check(source);
    return null;
  }

  // Start at 0: Prometheus sees an increase only between two samples.
  for (const { id: source } of sources) {
    dependencies.metrics.count(
      'monroney_canary_total',
      { source, result: 'changed' satisfies CheckResult },
      0,
    );
  }
  const timer = setInterval(() => {
    tick().catch((error: Error) => log.warn('canary: check failed', { error: error.message }));
  }, TICK_MS).unref();

  return { tick, close: () => clearInterval(timer) };
}

const keyOf = (source: string) => `canary:${source}`;
