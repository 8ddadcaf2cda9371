import { checkDigit } from '@monroney/vin';
import { hostsOf, type Outcome, type Source } from '../makers/maker.ts';
import type { Net } from '../net/net.ts';
import { TEXT_VERSION } from '../reading/text-version.ts';
import type { LabelText } from '../reading/types.ts';
import type { HeldLabel, Store } from '../store/store.ts';
import { ask } from './ask.ts';
import type { Exchange } from './exchange.ts';
import type { Judge } from './judge.ts';
import type { LabelWorkers } from './label-workers.ts';

/** Whether a source still answers as its description says, for one VIN. `admin check` and the canary ask this way. */

/** Why a VIN is asked for: the operator named it, we hold its label, or no such car can exist. */
export type Question = 'named' | 'held' | 'impossible';

/** `not-checked`: nothing came that could be compared with the description. */
export type CheckResult = 'as-described' | 'changed' | 'not-checked';

export interface Checked {
  source: string;
  vin: string;
  question: Question;
  /** The requests that were sent: one, unless it was worth trying again. */
  exchanges: readonly Exchange[];
  ms: number;
  verdict: Outcome['kind'];
  /** Our own short code; null for a label. */
  why: string | null;
  result: CheckResult;
  /** What a person should know about it. */
  note: string | null;
}

export interface CheckParts {
  net: Net;
  judge: Judge;
  store: Pick<Store, 'label' | 'text' | 'pdf'>;
  workers: Pick<LabelWorkers, 'text' | 'run'>;
  now(): number;
  signal?: AbortSignal;
}

/** A VIN of the source's shape with serial number 000000, which no factory issues, and the right check digit. */
export function impossibleVin({ example }: Pick<Source, 'example'>): string {
  const vin = `${example.slice(0, 11)}000000`;
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

/** Asks once, as a lookup would, and keeps nothing. To check one URL of several, pass a source with that one only. */
export async function checkVin(
  source: Source,
  vin: string,
  question: Question,
  parts: CheckParts,
): Promise<Checked> {
  const exchanges: Exchange[] = [];
  const fetch = async (wanted: Parameters<Net['fetch']>[0]) => {
    const started = performance.now();
    const fetched = await parts.net.fetch(wanted);
    exchanges.push({
      source: source.id,
      vin,
      url: wanted.url,
      at: parts.now(),
      ms: performance.now() - started,
      answer: fetched.ok ? fetched : null,
    });
    return fetched;
  };
  const net: Net = { ...parts.net, fetch: Object.assign(fetch, { close() {} }) };
  const asked = await ask(source, vin, { ...parts, net, known: question === 'held' });
  const why = asked.kind === 'label' ? null : asked.why;
  return {
    source: source.id,
    vin,
    question,
    exchanges,
    ms: asked.ms,
    verdict: asked.kind,
    why,
    ...(await compared(source, vin, question, asked, parts)),
  };
}

type Compared = Pick<Checked, 'result' | 'note'>;

const asDescribed = (note: string | null = null): Compared => ({ result: 'as-described', note });
const changed = (note: string): Compared => ({ result: 'changed', note });

/** Nothing came, or nobody was asked: that says nothing about what the source answers. */
const NOTHING_CAME: Record<string, string> = {
  'no-network': 'this server cannot reach the internet',
  timeout: 'no answer in time',
  unreachable: 'no connection',
  'cut-short': 'the connection broke',
  busy: 'too many requests are waiting for this host',
  'workers-busy': 'our workers had no time to open it',
  resting: 'left alone for a while after earlier failures',
  cancelled: 'stopped',
};

async function compared(
  source: Source,
  vin: string,
  question: Question,
  asked: Outcome,
  parts: CheckParts,
): Promise<Compared> {
  switch (asked.kind) {
    case 'none':
      return asDescribed(question === 'held' ? 'no longer there, as for many sold cars' : null);
    case 'refused':
      if (asked.why === 'resting') return { result: 'not-checked', note: NOTHING_CAME['resting']! };
      return changed('the source turned us away');
    case 'failed': {
      const nothing = NOTHING_CAME[asked.why];
      return nothing ? { result: 'not-checked', note: nothing } : changed(FAILED[asked.why] ?? asked.why);
    }
    case 'label':
      break;
  }
  if (question === 'impossible') return changed('a label for a car that cannot exist');
  if (question === 'held') {
    const before = await heldLines(vin, parts);
    const lines = asked.text ? await linesOf(asked.text, parts) : null;
    if (before && lines) {
      const difference = firstDifference(before, lines);
      return difference
        ? changed(`the label's text differs: ${difference}`)
        : asDescribed('same text as ours');
    }
  }
  const unexplained = unexplainedReading(source, asked);
  return unexplained ? changed(unexplained.says) : asDescribed();
}

const FAILED: Record<string, string> = {
  unresolved: 'the host name is gone',
  'redirect-off-list': 'redirects to a host that is not on the list',
  'server-error': 'the server reports an error',
  'bad-status': 'an unknown status',
  'not-found': 'the URL is gone (404)',
  page: 'an unknown web page',
  unexpected: 'an unknown text',
  empty: 'an empty body',
  truncated: 'a PDF without its end',
  unreadable: 'a PDF that cannot be opened',
  'no-vin': 'a PDF without the VIN',
  'wrong-vin': 'the label of another car',
  'several-vehicles': 'a label with several vehicles',
};

/** Why a label is not one our reader knows; null when it reads well, is a picture or has no reader. */
export function unexplainedReading(
  { reader, picture }: Pick<Source, 'reader' | 'picture'>,
  { read }: Pick<Extract<Outcome, { kind: 'label' }>, 'read'>,
): { code: 'label-not-read' | 'label-does-not-add-up'; says: string } | null {
  if (!reader || picture || !read) return null;
  const { readable, reason, proof } = read.reading;
  if (!readable)
    return { code: 'label-not-read', says: `a label that our reader cannot read (${reason ?? 'unknown'})` };
  if (proof?.closes === false)
    return { code: 'label-does-not-add-up', says: "a label whose prices don't add up" };
  return null;
}

/** By their place on the page: a file that is drawn anew each time may hold its text in another order. */
async function linesOf(text: LabelText, { workers }: CheckParts): Promise<string[] | null> {
  const done = await workers.run<'lines'>({ kind: 'lines', text });
  return done.ok ? done.result.flat() : null;
}

async function heldLines(vin: string, parts: CheckParts): Promise<string[] | null> {
  const { store, workers } = parts;
  try {
    const label = await store.label(vin);
    if (!label) return null;
    const kept = await store.text(label.sha256);
    if (kept?.version === TEXT_VERSION) return await linesOf(kept, parts);
    const opened = await workers.text(await store.pdf(label.sha256));
    return opened.ok ? await linesOf(opened.text, parts) : null;
  } catch {
    // Damaged bytes are for `admin verify` to find.
    return null;
  }
}

const LONGEST_SHOWN = 60;

function firstDifference(before: readonly string[], now: readonly string[]): string | null {
  const plain = (line: string) => line.replace(/\s+/g, ' ').trim();
  const [one, other] = [before.map(plain), now.map(plain)];
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    if (one[at] === other[at]) continue;
    const shown = (line: string | undefined) =>
      line === undefined ? 'nothing' : JSON.stringify(line.slice(0, LONGEST_SHOWN));
    return `line ${at + 1} was ${shown(one[at])}, is ${shown(other[at])}`;
  }
  return null;
}

const PAGE = 200;
/** A store of millions is not read through for this. */
const MOST_PAGES = 500;

/** Some held labels of each source. Starts at a random place of each source's own VINs, so that each run picks others. */
export async function sampleHeldLabels(
  store: Pick<Store, 'labels'>,
  sources: readonly Source[],
  each: number,
  random: () => number = Math.random,
): Promise<Map<string, HeldLabel[]>> {
  const found = new Map<string, HeldLabel[]>(sources.map(({ id }) => [id, []]));
  const take = (labels: readonly HeldLabel[]) => {
    for (const label of labels) {
      const own = found.get(label.source);
      if (own && own.length < each && !label.damaged && !own.some(({ vin }) => vin === label.vin))
        own.push(label);
    }
  };
  const isShort = ({ id }: Source) => found.get(id)!.length < each;
  for (const { example } of sources) {
    const letter = VIN_LETTERS[Math.floor(random() * VIN_LETTERS.length)]!;
    take(await store.labels(example.slice(0, 3) + letter, PAGE));
  }
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES && sources.some(isShort); page++) {
    const labels: HeldLabel[] = await store.labels(after, PAGE);
    take(labels);
    if (labels.length < PAGE) break;
    after = labels.at(-1)!.vin;
    // The embedded store answers at once, and others want to be served meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

const VIN_LETTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';

/** One source for each of its URLs: a spare that nobody needed for long may have gone unnoticed. */
export function splitByUrl(source: Source): Source[] {
  // Redirects may go to all hosts of the source, whichever URL is asked.
  const hosts = hostsOf(source);
  return source.addresses.map((address) => ({ ...source, addresses: [address], hosts }));
}
