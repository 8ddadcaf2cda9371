import { checkDigit } from '@monroney/vin';
import { hostsOf, type Outcome, type Source } from '../makers/maker.ts';
import type { Net } from '../sources/hosts.ts';
import { TEXT_VERSION } from '@monroney/label/reading/lines';
import type { LabelText } from '@monroney/label/reading/types';
import { labelPages } from '../store/all-labels.ts';
import type { HeldLabel, Store } from '../store/store.ts';
import { ask } from './ask.ts';
import type { SourceExchange } from './source-exchange.ts';
import type { Judge } from './judge.ts';
import { unexplainedReading, type LabelWorkers } from './label-workers.ts';

/** Checks with one VIN whether a source still behaves as its `source.ts` says. Used by `admin check` and the canary. */

/** Where a checked VIN comes from: the operator named it, we hold its label, or no such car can exist. */
export type VinOrigin = 'named' | 'held' | 'impossible';

/** `not-checked`: there was no response to compare with the description. */
export type CheckResult = 'as-described' | 'changed' | 'not-checked';

export interface Checked {
  source: string;
  vin: string;
  question: VinOrigin;
  /** The requests that were sent, with retries. */
  exchanges: readonly SourceExchange[];
  ms: number;
  verdict: Outcome['kind'];
  /** Our own short code; null for a label. */
  why: string | null;
  result: CheckResult;
  /** For people. */
  note: string | null;
}

export interface CheckDependencies {
  net: Net;
  judge: Judge;
  store: Pick<Store, 'find' | 'cached' | 'pdf'>;
  workers: Pick<LabelWorkers, 'text' | 'run'>;
  now(): number;
  /** See `ask`. Without it, a source that is switched off is checked too. */
  isAvailable?(source: Source): boolean;
  signal?: AbortSignal;
}

/** A VIN like the source's example with serial number 000000, which no factory issues, and the right check digit. */
export function impossibleVin({ example }: Pick<Source, 'example'>): string {
  const vin = `${example.slice(0, 11)}000000`;
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

/** Sends the requests of a lookup, but stores nothing. To check one URL of several, pass a source with only that URL. */
export async function checkVin(
  source: Source,
  vin: string,
  question: VinOrigin,
  dependencies: CheckDependencies,
): Promise<Checked> {
  const exchanges: SourceExchange[] = [];
  const fetch = async (request: Parameters<Net['fetch']>[0]) => {
    const started = performance.now();
    const fetched = await dependencies.net.fetch(request);
    exchanges.push({
      source: source.id,
      vin,
      url: request.url,
      at: dependencies.now(),
      ms: performance.now() - started,
      response: fetched.ok ? fetched : null,
    });
    return fetched;
  };
  const net: Net = { ...dependencies.net, fetch: Object.assign(fetch, { close() {} }) };
  const outcome = await ask(source, vin, { ...dependencies, net });
  const why = outcome.kind === 'label' ? null : outcome.why;
  return {
    source: source.id,
    vin,
    question,
    exchanges,
    ms: outcome.ms,
    verdict: outcome.kind,
    why,
    ...(await compare(source, vin, question, outcome, dependencies)),
  };
}

type Comparison = Pick<Checked, 'result' | 'note'>;

const asDescribed = (note: string | null = null): Comparison => ({ result: 'as-described', note });
const changed = (note: string): Comparison => ({ result: 'changed', note });

/** No response, or no request: that says nothing about how the source behaves. */
const NO_RESPONSE: Record<string, string> = {
  'no-network': 'this server cannot reach the internet',
  timeout: 'no response in time',
  unreachable: 'no connection',
  'cut-short': 'the connection broke',
  busy: 'too many requests are waiting for this host',
  'workers-busy': 'our workers were too busy to open it',
  paused: 'paused after earlier failures',
  cancelled: 'stopped',
  unavailable: 'switched off or resting',
};

async function compare(
  source: Source,
  vin: string,
  question: VinOrigin,
  outcome: Outcome,
  dependencies: CheckDependencies,
): Promise<Comparison> {
  switch (outcome.kind) {
    case 'none':
      return asDescribed(question === 'held' ? 'no longer there, as for many sold cars' : null);
    case 'refused':
      if (outcome.why === 'paused') return { result: 'not-checked', note: NO_RESPONSE['paused']! };
      return changed('the source refused our request');
    case 'failed': {
      const note = NO_RESPONSE[outcome.why];
      return note ? { result: 'not-checked', note } : changed(FAILED[outcome.why] ?? outcome.why);
    }
    case 'label':
      break;
  }
  if (question === 'impossible') return changed('a label for a car that cannot exist');
  if (question === 'held') {
    const before = await heldLines(vin, dependencies);
    const lines = outcome.text ? await linesOf(outcome.text, dependencies) : null;
    if (before && lines) {
      const difference = firstDifference(before, lines);
      return difference
        ? changed(`the label's text differs: ${difference}`)
        : asDescribed('same text as ours');
    }
  }
  const unexplained = unexplainedReading(source, outcome);
  return unexplained ? changed(unexplained.description) : asDescribed();
}

const FAILED: Record<string, string> = {
  unresolved: 'the host name no longer resolves',
  'redirect-off-list': 'redirects to a host that is not allowed',
  'server-error': 'the server reports an error',
  'bad-status': 'an unknown status code',
  'not-found': 'the URL is gone (404)',
  page: 'an unknown web page',
  unexpected: 'an unknown text',
  empty: 'an empty body',
  truncated: 'a truncated PDF',
  unreadable: 'a PDF that cannot be opened',
  'no-vin': 'a PDF without the VIN',
  'wrong-vin': 'the label of another car',
  'several-vehicles': 'a label with several vehicles',
};

/** In order of position on the page: a PDF that is generated for each request may have its text in another order. */
async function linesOf(text: LabelText, { workers }: CheckDependencies): Promise<string[] | null> {
  const done = await workers.run<'lines'>({ kind: 'lines', text });
  return done.ok ? done.result.flat() : null;
}

async function heldLines(vin: string, dependencies: CheckDependencies): Promise<string[] | null> {
  const { store, workers } = dependencies;
  try {
    const { label } = await store.find(vin);
    if (!label) return null;
    const cached = await store.cached(label, 'text', String(TEXT_VERSION));
    if (cached) return await linesOf(cached, dependencies);
    const opened = await workers.text(await store.pdf(label));
    return opened.ok ? await linesOf(opened.text, dependencies) : null;
  } catch {
    // `admin verify` reports damaged bytes.
    return null;
  }
}

const MAX_SHOWN_LENGTH = 60;

function firstDifference(before: readonly string[], now: readonly string[]): string | null {
  const plain = (line: string) => line.replace(/\s+/g, ' ').trim();
  const [one, other] = [before.map(plain), now.map(plain)];
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    if (one[index] === other[index]) continue;
    const shown = (line: string | undefined) =>
      line === undefined ? 'nothing' : JSON.stringify(line.slice(0, MAX_SHOWN_LENGTH));
    return `line ${index + 1} was ${shown(one[index])}, is ${shown(other[index])}`;
  }
  return null;
}

const PAGE_SIZE = 200;
/** Bounds the search in a store with millions of labels. */
const MAX_PAGES = 200;

/** Some held labels of each source. Starts at a random VIN of each source, so that each run picks other labels. */
export async function sampleHeldLabels(
  store: Pick<Store, 'labels'>,
  sources: readonly Source[],
  perSource: number,
): Promise<Map<string, HeldLabel[]>> {
  const samples = new Map<string, HeldLabel[]>(sources.map(({ id }) => [id, []]));
  const take = (labels: readonly HeldLabel[]) => {
    for (const label of labels) {
      const own = samples.get(label.source);
      if (own && own.length < perSource && !label.damaged && !own.some(({ vin }) => vin === label.vin))
        own.push(label);
    }
  };
  for (const { id, example } of sources) {
    const character = VIN_CHARACTERS[Math.floor(Math.random() * VIN_CHARACTERS.length)]!;
    const prefix = example.slice(0, 3);
    take(await store.labels(prefix + character, PAGE_SIZE));
    if (samples.get(id)!.length < perSource) take(await store.labels(prefix, PAGE_SIZE));
  }
  let pages = 0;
  for await (const page of labelPages(store)) {
    take(page);
    const isEnough = samples.values().every(({ length }) => length === perSource);
    if (isEnough || ++pages === MAX_PAGES) break;
    // The embedded store is synchronous: let other requests run.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return samples;
}

const VIN_CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';

/** One source per URL, so that a broken fallback URL is noticed before it is needed. */
export function splitByUrl(source: Source): Source[] {
  // Every URL may redirect to any host of the source.
  const hosts = hostsOf(source);
  return source.urls.map((url) => ({ ...source, urls: [url], hosts }));
}
