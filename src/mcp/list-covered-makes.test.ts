// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeLookup, runTool } from '../../test/fake-lookup.ts';
import { capitalize, inWords } from '@monroney/label/lib/words';
import { makeCount } from '../makers/index.ts';

const makesIn = (data: Record<string, unknown>) => (data.makes as { make: string }[]).map(({ make }) => make);

test('all makes are listed with the state of their sources, without a lookup', async () => {
  const fake = fakeLookup({ off: ['kia'], states: { gm: 'failing', ford: 'answering', kia: 'off' } });
  const { text, data } = await runTool('list_covered_makes', {}, fake);
  assert.deepEqual([data.covered, data.note, makesIn(data).length], [true, null, makeCount]);
  assert.match(text, new RegExp(`^${capitalize(inWords(makeCount))} makes are covered:\n`));
  assert.match(text, /^Kia: .*; lookups are paused \(maintenance\)$/m);
  assert.match(text, /^Ford, Lincoln: .*; source works$/m);
  assert.match(text, /^Chevrolet, .*; source is failing, so new stickers will probably fail$/m);
  assert.match(text, /^Subaru: .*; we can't tell whether its source works$/m);
  const { state } = (data.makes as { make: string; state: string }[]).find(({ make }) => make === 'GMC')!;
  assert.equal(state, 'failing');
  assert.deepEqual(fake.calls, []);
});

test('makes are listed without links and while the store is down', async () => {
  const status = () => Promise.reject(new Error('the store is down'));
  const { data } = await runTool(
    'list_covered_makes',
    { make: 'Kia' },
    { ...fakeLookup(), status, baseUrl: null },
  );
  const [kia] = data.makes as Record<string, unknown>[];
  assert.deepEqual([kia!.make, kia!.state, kia!.page], ['Kia', 'on', null]);
});

test('the text says whether the source of one make is up, and names a failure of our own', async () => {
  const ask = async (state: string, outage: string | null = null) => {
    const status = async () => ({
      outage: outage === null ? null : { text: outage },
      sources: [{ source: 'subaru', state, lastWorked: '2026-11-17T09:10:00.000Z' }],
    });
    return (await runTool('list_covered_makes', { make: 'Subaru' }, { ...fakeLookup(), status })).text;
  };
  assert.match(
    await ask('answering'),
    /^Subaru is covered\.\nThe source of Subaru is up\. It last sent a sticker on November 17, 2026, 09:10 UTC\.\n/,
  );
  assert.match(await ask('failing'), /^The source of Subaru is down: /m);
  assert.match(await ask('quiet'), /no lookups in the last 24 hours, so we can't tell whether it is up/);
  assert.match(
    await ask('unknown', 'Our network is down.'),
    /^Our network is down\.\n.*a failure of our own/s,
  );
});
