import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeLookup, runTool } from '../../test/fake-lookup.ts';
import { capitalize, inWords } from '../lib/words.ts';
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

test('a make, a nickname and a company are understood', async () => {
  const jeep = await runTool('list_covered_makes', { make: ' JEEP ' });
  assert.deepEqual([jeep.data.covered, jeep.data.note, makesIn(jeep.data)], [true, null, ['Jeep']]);
  const gm = await runTool('list_covered_makes', { make: 'GM' });
  assert.deepEqual(makesIn(gm.data), ['Chevrolet', 'GMC', 'Buick', 'Cadillac']);
  assert.match(
    gm.text,
    /^We took "GM" to mean Chevrolet, GMC, Buick and Cadillac\.\nChevrolet, GMC, .* are covered\.\n/,
  );
  for (const [typed, make] of [
    ['Hunday', 'Hyundai'],
    ['Subura', 'Subaru'],
    ['Infinity', 'Infiniti'],
  ])
    assert.deepEqual(makesIn((await runTool('list_covered_makes', { make: typed })).data), [make]);
});

test('a make that is not covered and an unknown name are told apart', async () => {
  const honda = await runTool('list_covered_makes', { make: 'Honda' });
  assert.deepEqual([honda.data.covered, makesIn(honda.data)], [false, []]);
  assert.match(honda.text, /^Honda is not covered\. Covered: Ford, /);
  const model = await runTool('list_covered_makes', { make: 'Silverado' });
  assert.deepEqual([model.data.covered, makesIn(model.data)], [null, []]);
  assert.match(model.text, /^We don't know a make called "Silverado"\. If it is a model, ask for its make/);
});

test('null stands for no make', async () => {
  assert.equal(makesIn((await runTool('list_covered_makes', { make: null })).data).length, makeCount);
});

test('makes are listed without links and while the store is down', async () => {
  const status = () => Promise.reject(new Error('the store is down'));
  const { data } = await runTool(
    'list_covered_makes',
    { make: 'Kia' },
    { ...fakeLookup(), status, baseUrl: null },
  );
  const [kia] = data.makes as Record<string, unknown>[];
  assert.deepEqual([kia!.make, kia!.state, kia!.page], ['Kia', 'on', undefined]);
});

test('bad input is a tool error', async () => {
  const cases: [unknown, RegExp][] = [
    [['Ford'], /^"make" must be a string\.$/],
    ['x'.repeat(41), /"make" may have at most 40 characters/],
  ];
  for (const [make, message] of cases) {
    const { text, isError } = await runTool('list_covered_makes', { make });
    assert.equal(isError, true);
    assert.match(text, message);
  }
});

test('origin and evidence are told for each make, not for its sister', async () => {
  const { text, data } = await runTool('list_covered_makes', {});
  const rows = data.makes as { make: string; kind: string; verifiedOn: number }[];
  const [toyota, lexus] = ['Toyota', 'Lexus'].map((make) => rows.find((row) => row.make === make)!);
  assert.deepEqual([toyota!.kind, lexus!.kind, lexus!.verifiedOn], ['dealer-copy', 'dealer-copy', 0]);
  assert.match(
    text,
    new RegExp(`^Toyota, Lexus: .*: Toyota ${toyota!.verifiedOn}, Lexus 0; copies from dealer`, 'm'),
  );
  assert.match(text, /^Hyundai: .*; the manufacturer's own files, handed on by a dealer website platform; /m);
});
