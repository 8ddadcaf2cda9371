import { setTimeout as wait } from 'node:timers/promises';
import type { Decoder } from '@monroney/vin';
import type { Config } from './config.ts';
import { openAnalytics } from './contacts/analytics.ts';
import { openContactLog, type ContactLog, openContactExpiry } from './contacts/contact-log.ts';
import {
  createWorkerJudge,
  openLabelWorkers,
  withQuarantine,
  type LabelWorkers,
} from './lookup/label-workers.ts';
import { openTextsAndPreviews } from './lookup/texts-and-previews.ts';
import type { Log } from './lib/log.ts';
import { createLongWork, type LongWork } from './lib/long-work.ts';
import { cachedDecoder, createLookup, FETCH_BUDGET, type Lookup } from './lookup/find.ts';
import { createLimiter } from './lib/limits.ts';
import { createMemoryCache, type MemoryCache } from './lib/memory-cache.ts';
import { createMetrics, type Metrics, exposeProcessMetrics, watchStalls } from './lib/metrics.ts';
import { ask } from './lookup/ask.ts';
import { openHosts, openNet, type Net } from './sources/hosts.ts';
import { openFetch } from './sources/fetch.ts';
import { LIVE_HOSTS, LIVE_MAX_BYTES, liveVpic } from './sources/vpic-live.ts';
import { openQuarantine, quarantineDir, type Quarantine } from './lookup/quarantine.ts';
import { commonSource, hostsOf, sourcesFor, type Source } from './makers/maker.ts';
import { withOverrides } from './makers/overrides.ts';
import { openCanary, healthChecks } from './lookup/health-check.ts';
import type { Judge } from './lookup/judge.ts';
import { openSiteFetches, type SiteFetches } from './lookup/site-fetches.ts';
import {
  ASK_OUTCOMES,
  createOutages,
  isAvailable,
  openLastLabels,
  openOutcomes,
  openSwitches,
  type Outages,
} from './lookup/source-states.ts';
import { loadChosenVpic } from './lookup/vpic-data.ts';
import { openLifecycles, type Lifecycles } from './store/contact-store.ts';
import { measuredStore } from './store/create-store.ts';
import { openStore } from './store/index.ts';
import type { Store } from './store/store.ts';

/** How often clients that are no longer counted are forgotten. */
const FORGET_CLIENTS_MS = 30_000;
/** How long closing waits for requests to sources. */
const SETTLE_MS = 5_000;

/** The store, decoder, lookup and the rest of what the routes and commands use. */
export interface Runtime {
  store: Store;
  vpic: Decoder;
  lookup: Lookup;
  longWork: LongWork;
  outages: Outages;
  contacts: ContactLog;
  lifecycles: Lifecycles;
  metrics: Metrics;
  memory: MemoryCache;
  log: Log;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  /** False for a command that may run alongside a service on the same data folder. */
  exclusive?: boolean;
  /** Starts the label workers at once. Starting one takes half a second of CPU time that most commands don't need. */
  warmWorkers?: boolean;
  /** For several runtimes in one process, which would each start children. The caller closes them. */
  workers?: LabelWorkers;
  /** Multiplies the timeouts of sources and of the shared store's servers, for tests on a busy machine. */
  timeoutFactor?: number | undefined;
}

export async function openRuntime(config: Config, log: Log, options: RuntimeOptions = {}): Promise<Runtime> {
  const { exclusive = true, warmWorkers = true, workers: shared, timeoutFactor } = options;
  const now = Date.now;
  const metrics = createMetrics();
  const memory = createMemoryCache();
  const opened = await openStore({ ...config, log, exclusive, timeoutFactor });
  const store = measuredStore(opened, metrics, log);
  const vpic = await loadChosenVpic(store, log);
  const workers = shared ?? openLabelWorkers({ warm: warmWorkers, log, metrics });
  const outages = createOutages({ log, metrics, now });
  const net = netFor(config, store, outages.networkChanged, timeoutFactor);
  const sources = sourcesOf(config, vpic);
  const decoder = cachedDecoder(vpic, now);
  const { quarantine, judge } = openJudge({ config, store, workers, decoder, log, metrics, now });
  const stopping = new AbortController();
  const asking = {
    net,
    judge,
    isAvailable: (source: Source) => isAvailable(source, { switches, now }),
    now,
    signal: stopping.signal,
  };
  const switches = await openSwitches({ store, startOff: config.sourcesOff, log, now });
  const lastLabels = openLastLabels({ store, log, now });
  const live = config.vpicLive ? openLiveVpic(config, store, log) : undefined;
  const limit = config.limit ? createLimiter(FETCH_BUDGET, () => performance.now()) : undefined;
  const forgetTimer = setInterval(() => {
    net.hosts.forget();
    live?.hosts.forget();
  }, FORGET_CLIENTS_MS).unref();
  const findHealthCheck = healthChecks({ ...asking, store, log });
  const waited = ({ id }: Source, ms: number) =>
    metrics.observe('monroney_source_queue_wait_seconds', ms / 1000, { source: id });
  const sites = openSiteFetches({ hosts: net.hosts, limit, signal: stopping.signal });
  const lookup = createLookup({
    vpic: decoder,
    live,
    sources,
    switches,
    store,
    ask: (source, vin, options) => ask(source, vin, { ...asking, ...options, findHealthCheck, waited }),
    recordOutcome: openOutcomes({ store, switches, outages, lastLabels, metrics, log, now }),
    singleFlight: net.singleFlight,
    limit,
    sites,
    workers,
    metrics,
    textsAndPreviews: openTextsAndPreviews({ store, workers, memory, log, metrics }),
    log,
    now,
  });
  const canary = config.canary
    ? openCanary({ ...asking, sources: sources.list, switches, store, workers, lastLabels, metrics, log })
    : null;
  const lifecycles = await openLifecycles(store.contacts, log, now);
  const analytics = openAnalytics(config, { log, metrics, now });
  const contacts = openContactLog({ store: store.contacts, analytics, log, metrics, now });
  const oldContacts = openContactExpiry({ store: store.contacts, days: config.contactDays, log, now });
  exposeMetrics(metrics, { net, sites, store, sources: sources.list, vpic });
  const stopWatching = watchStalls({ log, metrics });

  /** In this order. */
  const closers: readonly (() => unknown)[] = [
    () => canary?.close(),
    // Let responses that are already arriving finish, so that their labels are stored.
    () => Promise.race([net.singleFlight.settled(), wait(SETTLE_MS, null, { ref: false })]),
    () => stopping.abort(),
    () => net.close(),
    () => switches.close(),
    () => lifecycles.close(),
    () => contacts.close(),
    () => clearInterval(forgetTimer),
    () => oldContacts.close(),
    stopWatching,
    () => (shared ? undefined : workers.close()),
    () => quarantine.settled(),
    () => store.close(),
  ];
  return {
    store,
    vpic,
    lookup,
    longWork: createLongWork(),
    outages,
    contacts,
    lifecycles,
    metrics,
    memory,
    log,
    async close() {
      for (const closer of closers) await closer();
    },
  };
}

/** Judges responses in workers, and saves those that no rule explains until their label is withdrawn. */
function openJudge(dependencies: {
  config: Pick<Config, 'dataDir'>;
  store: Store;
  workers: LabelWorkers;
  decoder: Pick<Decoder, 'decode'>;
  log: Log;
  metrics: Metrics;
  now(): number;
}): { judge: Judge; quarantine: Quarantine } {
  const { config, store, workers, decoder, log } = dependencies;
  const quarantine = openQuarantine({ ...dependencies, dir: quarantineDir(config.dataDir) });
  store.onReplaced((vin) => {
    void (async () => {
      if (vin !== null && (await store.find(vin)).withdrawal) await quarantine.forget(vin);
    })().catch((error: Error) =>
      log.warn('quarantine: cannot remove a withdrawn label', { error: error.message }),
    );
  });
  const judge = createWorkerJudge(workers, (vin) => decoder.decode(vin).vehicle?.make ?? null);
  return { judge: withQuarantine(judge, quarantine), quarantine };
}

function openLiveVpic(config: Config, store: Store, log: Log) {
  const fetch = openFetch({ ...connectionOptions(config), maxBytes: LIVE_MAX_BYTES });
  const hosts = openHosts(LIVE_HOSTS);
  return { ...liveVpic({ origin: config.vpicOrigin, fetch, hosts, store, log }), hosts };
}

/** For requests to sources. Instances that share a store also share the pace, the breakers and the single flight. */
export function netFor(
  config: Config,
  { coordination }: Pick<Store, 'coordination'>,
  networkChanged?: (up: boolean) => void,
  timeoutFactor?: number,
): Net {
  return openNet({
    ...connectionOptions(config),
    networkChanged,
    timeoutFactor,
    hosts: { everyMs: config.sourcePaceMs, redis: coordination?.redis },
    singleFlight: coordination?.singleFlight,
  });
}

function connectionOptions(config: Config) {
  const { baseUrl, sourceOrigin, proxyEnv } = config;
  return {
    baseUrl,
    sourceOrigin,
    proxyEnv,
    otherHosts: withOverrides(config.sourceOverrides).flatMap(hostsOf),
  };
}

function exposeMetrics(
  metrics: Metrics,
  {
    net,
    sites,
    store,
    sources,
    vpic,
  }: { net: Net; sites: SiteFetches; store: Store; sources: readonly Source[]; vpic: Decoder },
): void {
  exposeProcessMetrics(metrics);
  metrics.read('monroney_source_queue_length', () =>
    net.hosts.queueLengths().map(([host, waiting]) => [{ host }, waiting]),
  );
  metrics.read('monroney_site_queue_length', () =>
    sites.queueLengths().map(([host, waiting]) => [{ host }, waiting]),
  );
  const { coordination } = store;
  if (coordination) {
    metrics.read('monroney_backend_up', () =>
      Object.entries(coordination.backends()).map(([backend, up]) => [{ backend }, Number(up)]),
    );
  }
  initializeCounters(metrics, sources);
  metrics.read('monroney_vpic_released_timestamp_seconds', () => Date.parse(`${vpic.month}-01`) / 1000);
  metrics.read('monroney_build_info', () => [[{ node: process.version, vpic: vpic.month }, 1]]);
}

const READING_OUTCOMES = ['adds-up', 'does-not-add-up', 'unreadable', 'picture'];

/** Prometheus needs two values to see an increase: a series that started with its first failure would hide it. */
function initializeCounters(metrics: Metrics, sources: readonly Source[]): void {
  for (const { id, makes } of sources) {
    for (const outcome of ASK_OUTCOMES) metrics.counter('monroney_asks_total', { source: id, outcome });
    for (const make of makes) {
      for (const outcome of READING_OUTCOMES) metrics.counter('monroney_readings_total', { make, outcome });
    }
  }
}

/** The sources with the operator's overrides, and those that may have the label of a VIN. */
export function sourcesOf(config: Config, vpic: Pick<Decoder, 'makesOf'>) {
  const list = withOverrides(config.sourceOverrides);
  return {
    list,
    for(vin: string, make: string | null) {
      if (make !== null) return sourcesFor(vin, make, list);
      // Nissan or Infiniti, Toyota or Lexus: both makes have the same source.
      const shared = commonSource(vpic.makesOf(vin), list);
      return shared ? [shared] : [];
    },
  };
}
