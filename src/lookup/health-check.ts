import type { Log } from '../lib/log.ts';
import { hostsOf, type Source } from '../makers/maker.ts';
import type { HealthCheck, Net } from '../sources/hosts.ts';
import type { Store } from '../store/store.ts';
import { ask, hostResult, retryAfterOf } from './ask.ts';
import { sampleHeldLabels } from './check.ts';
import type { Judge } from './judge.ts';

/** Finds a check of one of a source's URLs. Null if we hold no label from this source. */
export type FindHealthCheck = (source: Source, template: string) => Promise<HealthCheck | null>;

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
      return { result: hostResult(outcome), retryAfterMs: retryAfterOf(outcome) };
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
