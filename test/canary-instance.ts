import { after, type TestContext } from 'node:test';
import type { Config } from '../src/config.ts';
import { createMetrics, type Metrics } from '../src/lib/metrics.ts';
import { silentLog } from '../src/lib/log.ts';
import { openCanary, type Canary } from '../src/lookup/health-check.ts';
import { createWorkerJudge, openLabelWorkers } from '../src/lookup/label-workers.ts';
import { openLastLabels } from '../src/lookup/source-states.ts';
import { sources } from '../src/makers/index.ts';
import { netFor } from '../src/runtime.ts';
import type { Store } from '../src/store/store.ts';
import { vpic } from './decoder.ts';

const workers = openLabelWorkers();
after(() => workers.close());

export interface CanaryOptions {
  config: Config;
  store: Store;
  now: () => number;
  /** Sources that the operator switched off. */
  off?: Set<string>;
  metrics?: Metrics;
  warnings?: string[];
}

/** One instance's canary, with real workers and connections and the test's clock. Tests call `tick`. */
export function openTestCanary(
  t: TestContext,
  { config, store, now, off = new Set(), metrics = createMetrics(), warnings = [] }: CanaryOptions,
): Canary {
  const net = netFor(config, store);
  const canary = openCanary({
    sources,
    switches: {
      state: (source) => ({ source, state: off.has(source) ? 'off' : 'on', reason: null, since: 0 }),
    },
    store,
    workers,
    net,
    judge: createWorkerJudge(workers, (vin) => vpic.decode(vin).vehicle?.make ?? null),
    isAvailable: ({ id }) => !off.has(id),
    lastLabels: openLastLabels({ store, log: silentLog, now }),
    log: { ...silentLog, warn: (text, fields) => void warnings.push(`${text} ${JSON.stringify(fields)}`) },
    metrics,
    now,
  });
  t.after(() => {
    canary.close();
    net.close();
  });
  return canary;
}
