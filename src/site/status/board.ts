import { vpicAgeDays } from '../../lookup/vpic-data.ts';
import type { Lookup } from '../../lookup/find.ts';
import { labelKind, type Source } from '../../makers/maker.ts';
import { STORE_UNAVAILABLE } from '../../lookup/messages.ts';
import { lastLabel, type Outages } from '../../lookup/source-states.ts';
import {
  StoreUnavailable,
  type SourceRequestCount,
  type SourceChange,
  type Store,
} from '../../store/store.ts';
import { titleCase, capitalize, inWords, joinWithAnd } from '@monroney/label/lib/words';
import {
  failedLatest,
  MIN_LOOKUPS,
  type Hour,
  type SourceState,
  type SourceStatus,
  type StatusReport,
  type Change,
  type Outage,
} from './report.ts';

const HOURS = 24;
const HOUR_MS = 3_600_000;
/** The current state of a source is based on its last three hours. */
const RECENT_HOURS = 3;
/** Short enough for a reader who reloads the page, long enough to protect the store. */
const REPORT_CACHE_MS = 5000;
const LABEL_COUNT_CACHE_MS = 60_000;
const MAX_CHANGES = 50;

/** The status of all sources, generated at most once every five seconds. */
export interface StatusBoard {
  report(): Promise<StatusReport>;
}

export function openStatusBoard(dependencies: {
  lookup: Pick<Lookup, 'sources' | 'switches'>;
  store: Pick<Store, 'sourceRequests' | 'changes' | 'counts' | 'value' | 'ready'>;
  outages: Pick<Outages, 'networkDownSince' | 'lastUnsent'>;
  month: string;
  now(): number;
}): StatusBoard {
  const { lookup, store, outages, now } = dependencies;
  let cached: { at: number; report: Promise<StatusReport> } | null = null;
  let labelCount: { at: number; labels: number } | null = null;

  async function countLabels(): Promise<number> {
    if (!labelCount || Math.abs(now() - labelCount.at) > LABEL_COUNT_CACHE_MS)
      labelCount = { at: now(), labels: (await store.counts()).labels };
    return labelCount.labels;
  }

  /** Null if the store is unavailable: the report then says so. */
  async function readStore(hour: number) {
    try {
      const [requests, changes, labels, lastLabels] = await Promise.all([
        store.sourceRequests(hour - HOURS + 1),
        store.changes(MAX_CHANGES),
        countLabels(),
        Promise.all(lookup.sources.map(({ id }) => lastLabel(store, id))),
      ]);
      return { requests, changes, labels, lastLabels, isWritable: await isWritable() };
    } catch (error) {
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
  }

  async function isWritable(): Promise<boolean> {
    try {
      await store.ready();
      return true;
    } catch (error) {
      if (error instanceof StoreUnavailable) return false;
      throw error;
    }
  }

  async function createReport(): Promise<StatusReport> {
    const at = now();
    const hour = Math.floor(at / HOUR_MS);
    const stored = await readStore(hour);
    const { requests, changes, labels, lastLabels } = stored ?? NOTHING_STORED;
    const outage = outageOf(outages.networkDownSince(), stored);
    const history = { requests, changes, hour, at, lookup, outage, outages };
    const sources = lookup.sources.map((source, index) =>
      sourceStatus(source, lastLabels[index] ?? null, history),
    );
    const nameOf = (id: string) => lookup.sources.find((source) => source.id === id)?.name ?? id;
    return {
      ok: true,
      generated: iso(at),
      headline: headline(sources, outage, stored !== null),
      summary: summary(sources, outage, stored !== null),
      outage,
      labelsHeld: labels,
      vpic: dependencies.month,
      vpicAgeDays: vpicAgeDays(dependencies.month, at),
      sources,
      changes: changes.map((change) => {
        const named = { ...change, name: nameOf(change.source) };
        return {
          at: iso(change.at),
          source: change.source,
          name: named.name,
          state: change.state,
          reason: change.reason,
          text: changeText(named),
        };
      }),
    };
  }

  return {
    report() {
      // `abs`, because a clock that was set back must not keep an old report.
      if (!cached || Math.abs(now() - cached.at) >= REPORT_CACHE_MS) {
        const report = createReport();
        cached = { at: now(), report };
        // Failures aren't cached: the next request tries again.
        report.catch(() => (cached = null));
      }
      return cached.report;
    },
  };
}

const NOTHING_STORED = { requests: [], changes: [], labels: null, lastLabels: [] };

const OUTAGE_TEXTS = {
  network:
    "This server can't reach the internet, so new stickers have to wait. That says nothing about the manufacturers' servers.",
  unreadable: `${STORE_UNAVAILABLE}, so we can't say how the sources are doing.`,
  unwritable:
    "This server can't store anything right now, so new stickers have to wait. That says nothing about the manufacturers' servers.",
};

/** As lookups see it: they check the store before they send a request. */
function outageOf(networkDownSince: number | null, stored: { isWritable: boolean } | null): Outage {
  if (!stored?.isWritable) {
    const text = OUTAGE_TEXTS[stored ? 'unwritable' : 'unreadable'];
    return { reason: 'store-unavailable', since: null, text };
  }
  if (networkDownSince === null) return null;
  return { reason: 'network', since: iso(networkDownSince), text: OUTAGE_TEXTS.network };
}

interface History {
  outage: Outage;
  outages: Pick<Outages, 'lastUnsent'>;
  requests: readonly SourceRequestCount[];
  changes: readonly SourceChange[];
  hour: number;
  at: number;
  lookup: Pick<Lookup, 'switches'>;
}

function sourceStatus(source: Source, lastLabelAt: number | null, history: History): SourceStatus {
  const { requests, hour, at, lookup } = history;
  const matching = new Map(requests.filter((row) => row.source === source.id).map((row) => [row.hour, row]));
  const wasOff = wasOffAt(source.id, history);
  const hours: Hour[] = [];
  for (let index = hour - HOURS + 1; index <= hour; index++) {
    const end = Math.min((index + 1) * HOUR_MS, at);
    hours.push({ start: iso(index * HOUR_MS), ...countsOf(matching.get(index)), off: wasOff(end) });
  }
  const { state: switched, reason, since } = lookup.switches.state(source.id);
  const restingMs = lookup.switches.restingMs(source.id);
  return {
    source: source.id,
    name: source.name,
    makes: source.makes.map(titleCase),
    kind: source.kind,
    thirdParty: source.kind === 'dealer-copy',
    years: source.years,
    readable: labelKind(source) === 'text',
    state: switched === 'on' ? stateNow(source, hours, history) : switched,
    reason: switched === 'on' ? null : reason,
    since: switched === 'on' ? null : iso(since),
    nextTry: switched === 'resting' && restingMs > 0 ? iso(at + restingMs) : null,
    lastWorked: lastLabelAt === null ? null : iso(lastLabelAt),
    day: totals(hours),
    hours,
  };
}

function countsOf(row: SourceRequestCount | undefined) {
  const { label = 0, none = 0, refused = 0, failed = 0, medianMs = null } = row ?? {};
  const asked = label + none + refused + failed;
  return { asked, label, none, refused, failed, medianMs: medianMs === null ? null : Math.round(medianMs) };
}

/** Says whether the source was off at a given time, according to the recorded changes. */
function wasOffAt(id: string, { changes, lookup }: History): (at: number) => boolean {
  const matching = changes.filter((change) => change.source === id).sort((a, b) => b.at - a.at);
  const now = lookup.switches.state(id);
  return (at) => {
    const last = matching.find((change) => change.at <= at);
    if (last) return last.state === 'off';
    // Off from the start: no change was recorded.
    return matching.length === 0 && now.state === 'off' && now.since <= at;
  };
}

/** A failure of our own hides how the source is doing, and lookups that it stopped were lookups. */
function stateNow(source: Source, hours: readonly Hour[], { at, outage, outages }: History): SourceState {
  if (outage) return 'unknown';
  const state = stateOf(hours, source.typicalSeconds);
  const unsent = outages.lastUnsent(source.id);
  return state === 'quiet' && unsent !== null && at - unsent < HOURS * HOUR_MS ? 'unknown' : state;
}

function stateOf(hours: readonly Hour[], typicalSeconds: number): SourceState {
  if (hours.every(({ asked }) => asked === 0)) return 'quiet';
  const recentHours = hours.slice(-RECENT_HOURS).filter(({ asked }) => asked > 0);
  // A few failed lookups in three hours may be chance, so the full day decides.
  const recent = totals(recentHours);
  const isConclusive =
    recent.asked >= MIN_LOOKUPS || (recent.asked > 0 && recent.refused + recent.failed === 0);
  const judged = isConclusive ? recentHours : hours.filter(({ asked }) => asked > 0);
  const { asked, refused, failed, medianMs } = totals(judged);
  const failureRate = (refused + failed) / asked;
  if (asked < MIN_LOOKUPS) return failureRate > 0 ? 'unsteady' : 'answering';
  if (failureRate >= 0.5) return refused >= failed ? 'refusing' : 'failing';
  if (failureRate >= 0.1) return 'unsteady';
  return medianMs !== null && medianMs > typicalSeconds * 3000 ? 'slow' : 'answering';
}

function totals(hours: readonly Hour[]): SourceStatus['day'] {
  const sum = (field: 'asked' | 'label' | 'none' | 'refused' | 'failed') =>
    hours.reduce((total, hour) => total + hour[field], 0);
  const asked = sum('asked');
  const [label, none] = [sum('label'), sum('none')];
  return {
    asked,
    label,
    none,
    refused: sum('refused'),
    failed: sum('failed'),
    medianMs: median(hours),
    answered: asked === 0 ? null : Math.round(((label + none) / asked) * 1000) / 1000,
  };
}

/** The median of the hourly medians, weighted by requests: an approximation of the daily median. */
function median(hours: readonly Hour[]): number | null {
  const measured = hours.filter((hour) => hour.medianMs !== null).sort((a, b) => a.medianMs! - b.medianMs!);
  const half = measured.reduce((total, { asked }) => total + asked, 0) / 2;
  let passed = 0;
  for (const { asked, medianMs } of measured) {
    passed += asked;
    if (passed >= half) return medianMs;
  }
  return null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** States in which this source can't be expected to deliver labels. */
const UNAVAILABLE: readonly SourceState[] = ['refusing', 'failing', 'resting', 'off'];

type Counted = Pick<SourceStatus, 'state' | 'hours' | 'day'>;

/** The status as a heading. A source without recent lookups counts as neither working nor failing. */
function headline(sources: readonly Counted[], outage: Outage, hasStored: boolean): string {
  if (outage?.reason === 'network') return "This server can't reach the internet";
  if (outage) return hasStored ? "New stickers can't be stored" : STORE_UNAVAILABLE;
  const count = (matches: (source: Counted) => boolean): number => sources.filter(matches).length;
  const quiet = count(({ state }) => state === 'quiet');
  const down = count(({ state }) => UNAVAILABLE.includes(state));
  const failed = count(failedLatest);
  const unknown = count(({ state }) => state === 'unknown');
  const working = sources.length - quiet - down - failed - unknown;
  if (quiet === sources.length) return 'No lookups in the last 24 hours';
  const unreliable = unreliably(count(({ state }) => state === 'unsteady') - failed, working);
  if (working > 0 && down > 0 && quiet + failed + unknown === 0)
    return `${capitalize(inWords(working))} of ${inWords(sources.length)} sources are working${unreliable}`;
  const isDown = working > 0 && failed === 0 ? 'not' : 'down';
  const clauses: [count: number, one: string, several: string][] = [
    [working, `is working${unreliable}`, `are working${unreliable}`],
    [failed, 'failed its latest lookups', 'failed their latest lookups'],
    [down, `is ${isDown}`, `are ${isDown}`],
    [unknown, "couldn't be asked because of us", "couldn't be asked because of us"],
    [quiet, 'had no lookups', 'had no lookups'],
  ];
  return clauses
    .filter(([number]) => number > 0)
    .map(([number, one, several], index) => {
      const all = number === sources.length ? `All ${inWords(number)}` : capitalize(inWords(number));
      const which = index === 0 ? `${all} ${number === 1 ? 'source' : 'sources'}` : inWords(number);
      return `${which} ${number === 1 ? one : several}`;
    })
    .join(failed > 0 ? '; ' : ', ');
}

/** How many of the working sources fail now and then, in parentheses. */
function unreliably(count: number, working: number): string {
  if (count === 0) return '';
  return count === working ? ' (unreliably)' : ` (${inWords(count)} unreliably)`;
}

/** For one source and for several. */
const CLAUSES: Partial<Record<SourceState | 'failed-latest', [one: string, several: string]>> = {
  'failed-latest': ['failed its latest lookups', 'failed their latest lookups'],
  slow: ['is slow', 'are slow'],
  unsteady: ['fails now and then', 'fail now and then'],
  refusing: ['is refusing our requests', 'are refusing our requests'],
  failing: ['is not responding', 'are not responding'],
  resting: ['is on hold', 'are on hold'],
  off: ['is paused', 'are paused'],
};

function summary(sources: readonly SourceStatus[], outage: Outage, hasStored: boolean): string {
  const groups = Map.groupBy(sources, (source) => (failedLatest(source) ? 'failed-latest' : source.state));
  const problems = [...groups].flatMap(([state, affected]) => {
    const [one, several] = CLAUSES[state] ?? [];
    const names = joinWithAnd(affected.map(({ name }) => name));
    return one ? [`${names} ${affected.length === 1 ? one : several}.`] : [];
  });
  return [
    ...(outage ? [outage.text] : ['This service is up.']),
    ...problems,
    hasStored
      ? 'Decoding works without the sources, and stickers we already have are always available.'
      : 'Decoding works.',
  ].join(' ');
}

function changeText({ name, state, reason }: Pick<Change, 'name' | 'state' | 'reason'>): string {
  const why = reason ? `: ${reason.replace(/\.$/, '')}` : '';
  switch (state) {
    case 'on':
      return `Lookups for ${name} are back on${why}.`;
    case 'off':
      return `We paused lookups for ${name}${why}.`;
    case 'resting':
      return `Lookups for ${name} are on hold${why}.`;
  }
}
