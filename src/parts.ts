import { loadBundled, type Decoder } from '@monroney/vin';
import type { Config } from './config.ts';
import { openAnalytics } from './contacts/analytics.ts';
import { openContactLog, type ContactLog } from './contacts/contact-log.ts';
import { openForgetting } from './contacts/forgetting.ts';
import { openLifecycles, type Lifecycles } from './contacts/lifecycles.ts';
import { createWorkerJudge } from './lookup/judge-in-worker.ts';
import { openLabelWorkers } from './lookup/label-workers.ts';
import { openDerivedCache } from './lookup/derived-cache.ts';
import type { Log } from './lib/log.ts';
import { cachedDecoder } from './lookup/decode-cache.ts';
import { createAskLimit } from './lookup/ask-limit.ts';
import { createLookup, type Lookup } from './lookup/find.ts';
import { watchStalls } from './lib/stalls.ts';
import { createMetrics, type Metrics } from './lib/metrics.ts';
import { openTraces, type Traces } from './lib/traces.ts';
import { readProcess } from './lib/process-metrics.ts';
import { ask, isOurs, type AskOptions } from './lookup/ask.ts';
import { inMemoryBreaker } from './net/breaker.ts';
import { openNet, type Net } from './net/net.ts';
import { inMemorySingleFlight } from './lib/single-flight.ts';
import { inMemoryPace, sharedPace } from './net/pace.ts';
import { sharedBreaker } from './net/shared-breaker.ts';
import { openFetch } from './net/fetch.ts';
import { LIVE_MAX_BYTES, liveVpic } from './net/vpic-live.ts';
import { sourceOfAll, sourcesFor, withAddresses } from './makers/index.ts';
import { openQuarantine, quarantineIn, withQuarantine } from './lookup/quarantine.ts';
import { hostsOf, type Source } from './makers/maker.ts';
import { withOverrides } from './makers/overrides.ts';
import { openCanary } from './lookup/canary.ts';
import { openLastLabels, type LastLabels } from './lookup/last-labels.ts';
import type { Judge } from './lookup/judge.ts';
import { openSwitches } from './lookup/switches.ts';
import { specimen, specimenPdf } from './lookup/specimens/index.ts';
import { openStore } from './store/index.ts';
import { measuredStore } from './store/measured.ts';
import type { Store } from './store/store.ts';
import { withUnsaved } from './store/unsaved.ts';

/** A client is known for the minute in which its fetches count, and this. */
const FORGET_MS = 30_000;

/** Everything the fronts are built on, opened in order and closed in reverse. */
export interface Parts {
  store: Store;
  vpic: Decoder;
  lookup: Lookup;
  contacts: ContactLog;
  lifecycles: Lifecycles;
  metrics: Metrics;
  traces: Traces | null;
  log: Log;
  close(): Promise<void>;
}

/** `exclusive` is false for a command that may run beside a service on the same folder. */
export async function openParts(
  config: Config,
  log: Log,
  { exclusive = true }: { exclusive?: boolean } = {},
): Promise<Parts> {
  const now = Date.now;
  const metrics = createMetrics();
  const traces = config.otlpEndpoint === null ? null : openTraces(config.otlpEndpoint, log);
  const vpic = loadBundled();
  const store = withUnsaved(measuredStore(await openStore({ ...config, log, exclusive }), metrics, log), {
    log,
  });
  const switches = await openSwitches({ store, startOff: config.sourcesOff, log, now });
  const workers = openLabelWorkers({ log, metrics });
  const net = netFor(config, store, watchNetwork(log, metrics));
  const sources = sourcesOf(config, vpic);
  const quarantine = openQuarantine({ dir: quarantineIn(config.dataDir), log, metrics, now });
  store.onReplaced((vin) => {
    void (async () => {
      if (vin !== null && (await store.withdrawal(vin))) await quarantine.forget(vin);
    })().catch((error: Error) => log.warn('quarantine: not forgotten', { error: error.message }));
  });
  const stopping = new AbortController();
  const askLimit = createAskLimit(() => performance.now());
  const forgetting = setInterval(() => askLimit.forget(), FORGET_MS).unref();
  const decoder = cachedDecoder(vpic, now);
  const lastLabels = openLastLabels({ store, log, now });
  const judge = withQuarantine(
    createWorkerJudge(
      workers,
      (vin) => decoder.decode(vin).vehicle?.make ?? null,
      (pdf) => store.prepare(pdf),
    ),
    quarantine,
  );
  const lookup = createLookup({
    vpic: decoder,
    live: config.vpicLive
      ? liveVpic({
          origin: config.vpicOrigin,
          fetch: openFetch({ ...outgoing(config), maxBytes: LIVE_MAX_BYTES }),
          store,
          log,
        })
      : undefined,
    specimens: { find: specimen, pdf: specimenPdf },
    sources,
    switches,
    store,
    ask: askMeasured({
      net,
      judge,
      lastLabels,
      metrics,
      traces,
      now,
      signal: stopping.signal,
    }),
    once: (key, work) => net.singleFlight.once(key, work),
    limit: config.limit ? askLimit : undefined,
    derived: openDerivedCache({ store, workers, log, metrics, specimenPdf }),
    log,
    now,
  });
  const canary = config.canary
    ? openCanary({
        sources: sources.list,
        switches,
        store,
        net,
        judge,
        workers,
        lastLabels,
        log,
        metrics,
        now,
        signal: stopping.signal,
      })
    : null;
  const lifecycles = await openLifecycles(store.contacts, log, now);
  const contacts = openContactLog({
    store: store.contacts,
    analytics: openAnalytics(config, { log, metrics, now }),
    log,
    metrics,
    now,
  });
  const oldContacts = openForgetting({ store: store.contacts, days: config.contactDays, log, now });
  readProcess(metrics);
  readQueues(metrics, net, store);
  startAtZero(metrics, sources.list);
  metrics.read('monroney_build_info', () => [[{ node: process.version, vpic: vpic.month }, 1]]);
  const stopWatching = watchStalls({ log, metrics });
  return {
    store,
    vpic,
    lookup,
    contacts,
    lifecycles,
    metrics,
    traces,
    log,
    async close() {
      canary?.close();
      // What a manufacturer is sending just now is finished and kept, within reason.
      await Promise.race([
        net.singleFlight.settled(),
        new Promise((resolve) => setTimeout(resolve, 5000).unref()),
      ]);
      stopping.abort();
      net.close();
      switches.close();
      lifecycles.close();
      await contacts.close();
      clearInterval(forgetting);
      await oldContacts.close();
      stopWatching();
      await workers.close();
      await quarantine.settled();
      await store.close();
      await traces?.close();
    },
  };
}

/** For asking sources, as politely as all instances together have to be. */
export function netFor(
  config: Config,
  { coordination }: Pick<Store, 'coordination'>,
  networkChanged?: (up: boolean) => void,
): Net {
  const pacing = { everyMs: config.sourcePaceMs };
  return openNet({
    ...outgoing(config),
    networkChanged,
    // What instances agree on: one asking per VIN, one pace per host, and whom to leave alone.
    paceMs: config.sourcePaceMs,
    pace: coordination ? sharedPace(coordination.redis, pacing) : inMemoryPace(pacing),
    breaker: coordination ? sharedBreaker(coordination.redis) : inMemoryBreaker(),
    singleFlight: coordination?.singleFlight ?? inMemorySingleFlight(),
  });
}

/** How the outside is reached. */
function outgoing(config: Config) {
  const { baseUrl, sourceOrigin, proxyEnv } = config;
  return { baseUrl, sourceOrigin, proxyEnv, otherHosts: listOf(config).flatMap(hostsOf) };
}

/** One line when our own connection goes, and one when it is back. */
function watchNetwork(log: Log, metrics: Metrics): (up: boolean) => void {
  let isUp = true;
  metrics.read('monroney_network_up', () => Number(isUp));
  return (up) => {
    isUp = up;
    if (up) log.info('network: back');
    else
      log.warn('network: this server cannot reach the internet; check DNS, routes, proxy and certificates');
  };
}

function readQueues(metrics: Metrics, { queues }: Net, { coordination }: Pick<Store, 'coordination'>): void {
  metrics.read('monroney_source_queue_length', () =>
    queues.lengths().map(([host, waiting]) => [{ host }, waiting]),
  );
  if (!coordination) return;
  metrics.read('monroney_backend_up', () =>
    Object.entries(coordination.backends()).map(([backend, up]) => [{ backend }, Number(up)]),
  );
}

const ASK_OUTCOMES = ['label', 'none', 'refused', 'failed', 'not-asked'];
const READING_OUTCOMES = ['adds-up', 'does-not-add-up', 'unreadable', 'picture'];

/** Prometheus sees an increase only between two values: a series that begins with its first failure would hide it. */
function startAtZero(metrics: Metrics, sources: readonly Source[]): void {
  for (const { id, makes } of sources) {
    for (const outcome of ASK_OUTCOMES) metrics.counter('monroney_asks_total', { source: id, outcome });
    for (const make of makes) {
      for (const outcome of READING_OUTCOMES) metrics.counter('monroney_readings_total', { make, outcome });
    }
  }
}

const listOf = ({ sourceOverrides, addresses }: Config) =>
  withOverrides(sourceOverrides, withAddresses(addresses));

/** The sources as the operator set them, and which of them may have a car's label. */
export function sourcesOf(config: Config, vpic: Pick<Decoder, 'makesOf'>) {
  const list = listOf(config);
  return {
    list,
    for(vin: string, make: string | null) {
      if (make !== null) return sourcesFor(vin, make, list);
      // Nissan or Infiniti, Toyota or Lexus: whose label it is need not be known to ask for it.
      const shared = sourceOfAll(vpic.makesOf(vin), list);
      return shared ? [shared] : [];
    },
  };
}

function askMeasured(parts: {
  net: Net;
  judge: Judge;
  lastLabels: LastLabels;
  metrics: Metrics;
  traces: Traces | null;
  now: () => number;
  signal: AbortSignal;
}) {
  const waited = ({ id }: Source, ms: number) =>
    parts.metrics.observe('monroney_source_queue_wait_seconds', ms / 1000, { source: id });
  return async (source: Source, vin: string, how: AskOptions) => {
    const asking = () => ask(source, vin, { ...parts, ...how, waited });
    const asked = parts.traces
      ? await parts.traces.span(`ask ${source.id}`, asking, ({ kind, host }) => ({
          'server.address': host,
          'monroney.outcome': kind,
        }))
      : await asking();
    if (asked.kind === 'label') parts.lastLabels.record(source.id);
    const outcome = isOurs(asked) ? 'not-asked' : asked.kind;
    const labels = { source: source.id, outcome };
    parts.metrics.count('monroney_asks_total', labels);
    parts.metrics.observe('monroney_ask_duration_seconds', asked.ms / 1000, labels);
    return asked;
  };
}
