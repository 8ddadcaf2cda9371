import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sources } from '../../makers/index.ts';
import type { Outages } from '../../lookup/source-states.ts';
import {
  StoreUnavailable,
  type SourceRequestCount,
  type SourceChange,
  type SourceSwitch,
} from '../../store/store.ts';
import { openStatusBoard } from './board.ts';
import { stateName } from '../docs/status.ts';
import { capitalize, inWords } from '@monroney/label/lib/words';

const HOUR = 3_600_000;
const hour = Math.floor(Date.UTC(2026, 10, 15, 14) / HOUR);
const now = hour * HOUR + 10 * 60_000;

const row = (source: string, hoursAgo: number, counts: Partial<SourceRequestCount>): SourceRequestCount => ({
  source,
  hour: hour - hoursAgo,
  label: 0,
  none: 0,
  refused: 0,
  failed: 0,
  medianMs: 1000,
  ...counts,
});

function board(
  requests: SourceRequestCount[],
  switched: SourceSwitch[] = [],
  changes: SourceChange[] = [],
  clock = () => now,
  { store = 'up', ...outages }: Partial<Outages> & { store?: 'up' | 'unwritable' | 'down' } = {},
) {
  let asked = 0;
  const opened = openStatusBoard({
    lookup: {
      sources,
      switches: {
        state: (source) =>
          switched.find((each) => each.source === source) ?? { source, state: 'on', reason: null, since: 0 },
        restingMs: (source) =>
          switched.find((each) => each.source === source)?.state === 'resting' ? 60_000 : 0,
        rest() {},
        responded() {},
        refresh: async () => {},
        onWithheldChange() {},
        close() {},
      },
    },
    store: {
      async sourceRequests(since) {
        asked++;
        if (store === 'down') throw new StoreUnavailable('down');
        return requests.filter((each) => each.hour >= since);
      },
      changes: async () => changes,
      counts: async () => ({ labels: 7, bytes: 1, byMake: {} }),
      value: async () => null,
      async ready() {
        if (store !== 'up') throw new StoreUnavailable('read-only');
      },
    },
    outages: { networkDownSince: () => null, lastUnsent: () => null, ...outages },
    month: '2026-10',
    now: clock,
  });
  return { report: () => opened.report(), asked: () => asked };
}

const all = (counts: Partial<SourceRequestCount>) => sources.map(({ id }) => row(id, 1, counts));
const stateOf = async (requests: SourceRequestCount[], id = 'ford') =>
  (await board(requests).report()).sources.find(({ source }) => source === id)!.state;

test('a day without lookups does not count as working', async () => {
  const report = await board([]).report();
  assert.equal(report.headline, 'No lookups in the last 24 hours');
  assert.ok(report.sources.every(({ state, day }) => state === 'quiet' && day.answered === null));
});

test('the headline counts the working sources', async () => {
  assert.equal(
    (await board(all({ label: 3 })).report()).headline,
    `All ${inWords(sources.length)} sources are working`,
  );
  const off = { source: 'nissan', state: 'off' as const, reason: 'a pause', since: now - HOUR };
  const requests = all({ label: 3 }).map((each) =>
    each.source === 'hyundai' ? { ...each, label: 0, refused: 6 } : each,
  );
  const report = await board(requests, [off]).report();
  assert.equal(
    report.headline,
    `${capitalize(inWords(sources.length - 2))} of ${inWords(sources.length)} sources are working`,
  );
  assert.match(report.summary, / Hyundai is refusing our requests\. Nissan is paused\. /);
  const some = await board([row('ford', 0, { label: 1 }), row('kia', 0, { failed: 5 })]).report();
  assert.equal(
    some.headline,
    `One source is working, one is not, ${inWords(sources.length - 2)} had no lookups`,
  );
});

test('the headline and the summary say which sources are unreliable or down', async () => {
  const headlineOf = async (requests: SourceRequestCount[]) => (await board(requests).report()).headline;
  const count = inWords(sources.length);
  const [first, second, ...others] = all({ label: 3 });
  const unsteady = [first!, second!].map((each) => ({ ...each, label: 8, failed: 2 }));
  const report = await board([...unsteady, ...others]).report();
  assert.equal(report.headline, `All ${count} sources are working (two unreliably)`);
  const names = sources.slice(0, 2).map(({ name }) => name);
  assert.match(report.summary, new RegExp(`${names.join(' and ')} fail now and then\\.`));
  assert.equal(await headlineOf(all({ failed: 9 })), `All ${count} sources are down`);
  const rest = `${inWords(sources.length - 1)} had no lookups`;
  assert.equal(await headlineOf([unsteady[0]!]), `One source is working (unreliably), ${rest}`);
});

test('sources that failed their latest lookups are not counted as working', async () => {
  const [first, ...others] = all({ failed: 2 });
  const rest = inWords(sources.length - 1);
  const report = await board([{ ...first!, label: 6, failed: 0 }, ...others]).report();
  assert.equal(report.headline, `One source is working; ${rest} failed their latest lookups`);
  assert.match(report.summary, / failed their latest lookups\. /);
  assert.doesNotMatch(report.summary, /now and then/);
  assert.equal(stateName(report.sources[1]!), 'Failing (2 of 2)');
  assert.equal(stateName(report.sources[0]!), 'Working');
  // Later successes end it.
  const requests = [row('ford', 2, { failed: 1 }), row('ford', 1, { label: 2, failed: 0 })];
  const better = await board([...requests, row('ford', 0, { label: 1, failed: 1 })]).report();
  assert.equal(better.headline, `One source is working (unreliably), ${rest} had no lookups`);
  const alone = await board([row('ford', 1, { refused: 1 }), row('kia', 1, { failed: 6 })]).report();
  assert.equal(
    alone.headline,
    `One source failed its latest lookups; one is down; ${inWords(sources.length - 2)} had no lookups`,
  );
});

test('the state of a source depends on its last three hours', async () => {
  assert.equal(await stateOf([row('ford', 0, { label: 9, none: 1 })]), 'answering');
  assert.equal(await stateOf([row('ford', 1, { label: 8, failed: 2 })]), 'unsteady');
  assert.equal(await stateOf([row('ford', 1, { label: 2, failed: 4 })]), 'failing');
  assert.equal(await stateOf([row('ford', 1, { label: 2, refused: 4 })]), 'refusing');
  // One refusal is not enough to judge.
  assert.equal(await stateOf([row('ford', 1, { refused: 1 })]), 'unsteady');
  assert.equal(await stateOf([row('ford', 9, { label: 40 }), row('ford', 1, { refused: 1 })]), 'answering');
  assert.equal(await stateOf([row('ford', 1, { label: 5, medianMs: 9000 })]), 'slow');
  assert.equal(await stateOf([row('ford', 9, { refused: 50 }), row('ford', 1, { label: 1 })]), 'answering');
  assert.equal(await stateOf([row('ford', 9, { refused: 50 })]), 'refusing');
});

test('a source that is off reports since when and why, and its hours show it', async () => {
  const since = (hour - 2) * HOUR + 60_000;
  const off = { source: 'kia', state: 'off' as const, reason: 'asked for a pause', since };
  const [kia] = (await board([], [off], [{ ...off, at: since }]).report()).sources.filter(
    ({ source }) => source === 'kia',
  );
  assert.equal(kia!.state, 'off');
  assert.equal(kia!.reason, 'asked for a pause');
  assert.equal(kia!.since, new Date(since).toISOString());
  assert.deepEqual(
    kia!.hours.map((each) => each.off),
    [...Array<boolean>(21).fill(false), true, true, true],
  );
});

test('a resting source reports its next try', async () => {
  const resting = { source: 'gm', state: 'resting' as const, reason: 'it refuses', since: now - HOUR };
  const { sources: list } = await board([], [resting]).report();
  const gm = list.find(({ source }) => source === 'gm')!;
  assert.deepEqual([gm.state, gm.nextTry], ['resting', new Date(now + 60_000).toISOString()]);
});

test('the daily median is the weighted median of the hours', async () => {
  const requests = [
    row('ford', 3, { label: 1, medianMs: 9000 }),
    row('ford', 2, { label: 10, medianMs: 1500 }),
  ];
  const { sources: list } = await board(requests).report();
  assert.equal(list[0]!.day.medianMs, 1500);
  assert.equal(list[0]!.day.asked, 11);
});

test('concurrent requests read the store once', async () => {
  const { report, asked } = board(all({ label: 1 }));
  await Promise.all(Array.from({ length: 50 }, report));
  assert.equal(asked(), 1);
});

test('a clock that is set back does not keep an old report', async () => {
  let at = now;
  const { report, asked } = board([], [], [], () => at);
  await report();
  await report();
  assert.equal(asked(), 1);
  at -= HOUR;
  assert.equal((await report()).generated, new Date(at).toISOString());
});

test('a failure of our own network is shown as ours, not as one of the sources or as no lookups', async () => {
  const since = now - 60_000;
  const { report } = board(all({ label: 9 }), [], [], () => now, { networkDownSince: () => since });
  const { headline, summary, outage, sources: shown } = await report();
  assert.equal(headline, "This server can't reach the internet");
  assert.match(summary, /^This server can't reach the internet, so new stickers have to wait\./);
  assert.deepEqual([outage?.reason, outage?.since], ['network', new Date(since).toISOString()]);
  assert.deepEqual(new Set(shown.map(stateName)), new Set(['Not known']));
});

test('while the store is unavailable, the status says so instead of failing', async () => {
  const { report } = board(all({ label: 9 }), [], [], () => now, { store: 'down' });
  const { headline, outage, labelsHeld, sources: shown } = await report();
  assert.equal(headline, 'Sticker storage is temporarily unavailable');
  assert.deepEqual([outage?.reason, labelsHeld], ['store-unavailable', null]);
  assert.ok(shown.every(({ state }) => state === 'unknown'));
});

test('while nothing can be stored, the status says that it is us, and that stored stickers are available', async () => {
  const { report } = board([], [], [], () => now, { store: 'unwritable' });
  const { headline, summary, outage, labelsHeld, sources: shown } = await report();
  assert.equal(headline, "New stickers can't be stored");
  assert.match(summary, /new stickers have to wait.*stickers we already have are always available\.$/);
  assert.deepEqual([outage?.reason, labelsHeld], ['store-unavailable', 7]);
  assert.ok(shown.every(({ state }) => state === 'unknown'));
});

test('a source that we could not ask in the last 24 hours is not one without lookups', async () => {
  const lastUnsent = (source: string) =>
    source === 'kia' ? now - HOUR : source === 'subaru' ? now - 25 * HOUR : null;
  const { headline, sources: shown } = await board([], [], [], () => now, { lastUnsent }).report();
  const state = (id: string) => shown.find(({ source }) => source === id)!.state;
  assert.deepEqual([state('kia'), state('subaru')], ['unknown', 'quiet']);
  assert.match(headline, /^One source couldn't be asked because of us, .* had no lookups$/);
});
