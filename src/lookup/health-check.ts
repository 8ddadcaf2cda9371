import type { Log } from '../lib/log.ts';
import { hostsOf, type Source } from '../makers/maker.ts';
import type { HostResult } from '../sources/breaker.ts';
import type { HealthCheck } from '../sources/hosts.ts';
import type { Net } from '../sources/net.ts';
import type { Store } from '../store/store.ts';
import { ask, hostResult, retryAfterOf } from './ask.ts';
import { sampleHeldLabels } from './check.ts';
import type { Judge } from './judge.ts';

/**
 * Requests a label that a source sent before. Clients can choose VINs that a source refuses or fails for, so this decides
 * before a host is paused for everybody, before a pause gets longer and before a source rests. It stores nothing.
 */
export interface HealthChecks {
  /** A check of one of the source's URLs. Null if we hold no label from this source. */
  find(source: Source, template: string): Promise<HealthCheck | null>;
  /** Checks all hosts of a source until one responds. Null if we hold no label from it. */
  check(sourceId: string): Promise<HostResult | null>;
}

interface HealthCheckDependencies {
  sources: readonly Source[];
  store: Pick<Store, 'labels'>;
  net: Net;
  judge: Judge;
  isAvailable(source: Source): boolean;
  log: Log;
  now(): number;
  signal: AbortSignal;
}

export function createHealthChecks(dependencies: HealthCheckDependencies): HealthChecks {
  const { sources, store, net, log } = dependencies;

  async function find(source: Source, template: string): Promise<HealthCheck | null> {
    try {
      const [label] = (await sampleHeldLabels(store, [source], 1)).get(source.id)!;
      // A redirect may lead to any host of the source.
      const oneUrl = { ...source, urls: [template], hosts: hostsOf(source) };
      return label ? () => request(oneUrl, label.vin) : null;
    } catch (error) {
      log.warn('cannot find a label for a health check', { source: source.id, error: String(error) });
      return null;
    }
  }

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

  async function check(sourceId: string): Promise<HostResult | null> {
    const source = sources.find(({ id }) => id === sourceId)!;
    const results: HostResult[] = [];
    for (const template of source.urls) {
      const healthCheck = await find(source, template);
      if (!healthCheck) return null;
      const result = await net.hosts.checkHealth(new URL(template).host, healthCheck);
      if (result === 'responded') return result;
      results.push(result);
    }
    return (['unknown', 'refused'] as const).find((result) => results.includes(result)) ?? 'failed';
  }

  return { find, check };
}
