import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, test, type TestContext } from 'node:test';
import { impossibleVin } from '../src/lookup/check.ts';
import { createVinMask, type SourceExchangeRecord } from '../src/lookup/source-exchange.ts';
import { sources } from '../src/makers/index.ts';
import { hostsOf } from '../src/makers/maker.ts';
import { labelOf } from '../tools/simulator/labels.ts';
import { plainLabel } from '../tools/simulator/reply.ts';
import { startSimulator, type Simulator } from '../tools/simulator/simulator.ts';
import { admin } from './in-process.ts';
import { folderWithStore, temporaryFolder, newVin, storeIn } from './operator.ts';

/** `admin check` against simulated sources over HTTP. `generators/check-timer.test.ts` runs it as a process. */

interface Row {
  source: string;
  vin: string;
  question: string;
  url: string | null;
  status: number | null;
  ms: number;
  bytes: number | null;
  type: string | null;
  verdict: string;
  why: string | null;
  result: string;
  note: string | null;
}

let simulator: Simulator;
before(async () => {
  simulator = await startSimulator();
});
after(() => simulator.close());

const sourceById = (id: string) => sources.find((source) => source.id === id)!;

async function setUp(t: TestContext, origin = simulator.origin) {
  const dataDir = await folderWithStore(t);
  const env = { DATA_DIR: dataDir, SOURCE_ORIGIN: origin, SOURCE_PACE_MS: '0' };
  const storeLabel = async (id: string, vin: string, pdf: Buffer) => {
    const store = await storeIn(dataDir);
    const [make] = sourceById(id).makes;
    await store.addLabel(
      { vin, make: make!, source: id, host: 'x.example', fetched: 1, paint: null, reader: null },
      pdf,
    );
    await store.close();
  };
  const check = async (...args: string[]) => {
    const result = await admin(env, 'check', ...args, '--json');
    const { checked, exitCode } = JSON.parse(result.out || '{}') as { checked: Row[]; exitCode: number };
    assert.equal(result.code, exitCode, result.err);
    return { code: result.code, rows: checked, err: result.err };
  };
  return { dataDir, env, storeLabel, check };
}

test('every URL of every source is checked with an impossible VIN; one that is switched off only if it is named', async (t) => {
  const { env, check } = await setUp(t);
  await admin(env, 'source', 'off', 'gm', '--reason', 'test');
  const all = await check();
  assert.equal(all.code, 0);
  assert.match(all.err, /Switched off, not checked: gm\./);
  const gm = await check('gm');
  assert.equal(gm.code, 0);
  const rows = sources.flatMap(({ id }) =>
    id === 'gm' ? gm.rows : all.rows.filter(({ source }) => source === id),
  );
  assert.equal(rows.length, all.rows.length + gm.rows.length);
  assert.deepEqual(
    rows.map(({ source, vin, url, verdict, result }) => [source, vin, new URL(url!).host, verdict, result]),
    sources.flatMap((source) =>
      source.urls.map((template) => [
        source.id,
        impossibleVin(source),
        new URL(template).host,
        'none',
        'as-described',
      ]),
    ),
  );
  const [{ status, bytes, type, why }] = gm.rows as [Row];
  assert.deepEqual([status, bytes, type, why], [200, 82, 'application/json', 'says-none']);
});

/** Whether the output of commands goes to a terminal. */
function onTerminal(t: TestContext, isTerminal: boolean): void {
  const before = process.stdout.isTTY;
  process.stdout.isTTY = isTerminal;
  t.after(() => void (process.stdout.isTTY = before));
}

test('in a pipe the output has one line for each request, with its complete URL', async (t) => {
  const { env } = await setUp(t);
  onTerminal(t, false);
  const { out } = await admin(env, 'check', 'gm', 'stellantis');
  const [head, ...rows] = out.split('\n\n')[0]!.split('\n');
  assert.match(head!, /^source +asked for +result +status +time$/);
  assert.ok(rows.length > 1);
  for (const row of rows) assert.match(row, /^(gm|stellantis) .* as described .* https:\/\/\S+\w{17}\S*$/);
});

test('on a terminal the output is a table of 80 columns', async (t) => {
  const { env } = await setUp(t);
  onTerminal(t, true);
  const { out, code } = await admin(env, 'check', 'gm');
  assert.equal(code, 0);
  assert.match(out, /^source +asked for +result +status +time\n/);
  assert.match(
    out,
    /gm +impossible VIN +as described +200 +\d\.\d s\n  none \(says-none\), 82 bytes of application\/json\n  https:\/\/cws\.gm\.com\/\S+\n/,
  );
  assert.match(out, /\n1 as described, 0 changed, 0 not checked\.\n$/);
  const long = (await admin(env, 'check', 'stellantis')).out;
  assert.ok(long.split('\n').every((line) => line.length <= 80));
  assert.match(long.replaceAll('\n  ', ''), /https:\/\/www\.chrysler\.com\/\S+\?vin=\w{17}/);
});

test('a stored label is compared by its text: new bytes or a missing label are fine, different text is a change', async (t) => {
  const { storeLabel, check } = await setUp(t);
  const ford = sourceById('ford');
  const [host] = hostsOf(ford) as [string];
  const [redrawn, gone, other] = [newVin('ford'), newVin('ford'), newVin('ford')];
  const pdf = Buffer.concat([labelOf(ford, host, redrawn), Buffer.from('\n% drawn at another time\n')]);
  await storeLabel('ford', redrawn, pdf);
  await storeLabel('ford', gone, labelOf(ford, host, gone));
  simulator.set(gone, 'none');
  await storeLabel('ford', other, plainLabel(['FORD', `VIN ${other}`, 'Total $1.00']));
  // Without names, the command picks two of the stored labels.
  const { code, rows } = await check('ford', ...[redrawn, gone, other].flatMap((vin) => ['--vin', vin]));
  assert.equal(code, 1);
  const row = rows.find(({ vin }) => vin === other)!;
  assert.deepEqual([row.question, row.verdict, row.result], ['held', 'label', 'changed']);
  assert.match(row.note!, /^the label's text differs: line 1 was "FORD", is "/);
  const notes = new Map(
    rows.map(({ vin, question, verdict, note, result }) => [
      vin,
      `${question} ${verdict}: ${note}, ${result}`,
    ]),
  );
  assert.equal(notes.get(redrawn), 'held label: same text as ours, as-described');
  assert.equal(notes.get(gone), 'held none: no longer there, as for many sold cars, as-described');
});

test('for a given VIN a label or none is as described, anything else is a change, and no response not checked; responses are recorded as they came, without cookies', async (t) => {
  const { check } = await setUp(t);
  const expected = [
    ['gm', 'access-denied', 'refused', 'changed'],
    ['gm', 'access-denied-as-200', 'refused', 'changed'],
    ['gm', 'none', 'none', 'as-described'],
    ['gm', 'web-page', 'failed', 'changed'],
    ['subaru', 'garbage', 'failed', 'changed'],
    ['ford', 'other-car', 'failed', 'changed'],
    ['ford', 'redirect-away', 'failed', 'changed'],
    ['genesis', 'gzip', 'label', 'as-described'],
    ['hyundai', 'hang-up', 'failed', 'not-checked'],
  ] as const;
  const vins = expected.map(([id, behavior]) => {
    const vin = newVin(id);
    simulator.set(vin, behavior);
    return vin;
  });
  const recorded = `${temporaryFolder(t)}/new/folder`;
  const { code, rows, err } = await check(...vins.flatMap((vin) => ['--vin', vin]), '--record', recorded);
  assert.equal(code, 1);
  assert.deepEqual(
    vins.map((vin) => {
      const row = rows.find((candidate) => candidate.vin === vin)!;
      return [row.verdict, row.result];
    }),
    expected.map(([, , verdict, result]) => [verdict, result]),
  );
  assert.match(
    err,
    /\d+ responses recorded in .*\nThey contain VINs\. To publish them, record with --mask\.\n/,
  );
  const files = readdirSync(recorded);
  const gm = files.find((name) => name.endsWith('-gm-named.json'))!;
  const record = JSON.parse(readFileSync(`${recorded}/${gm}`, 'utf8')) as SourceExchangeRecord;
  assert.deepEqual([record.status, record.verdict, record.vin], [403, 'refused:blocked', vins[0]]);
  assert.match(record.body!, /-gm-named\.html$/);
  assert.match(readFileSync(`${recorded}/${record.body}`, 'utf8'), /Access Denied/);
  assert.ok(
    files.every((name) => !readFileSync(`${recorded}/${name}`, 'latin1').includes('edge=0123456789')),
  );
});

test('a label for an impossible VIN is a change, and so is a fallback URL that fails', async (t) => {
  const ownSimulator = await startSimulator();
  t.after(() => ownSimulator.close());
  const { check } = await setUp(t, ownSimulator.origin);
  const [fallback] = hostsOf(sourceById('stellantis')).slice(-1) as [string];
  ownSimulator.set(impossibleVin(sourceById('subaru')), 'label');
  ownSimulator.set(fallback, 'web-page');
  const { code, rows } = await check('subaru', 'stellantis');
  assert.equal(code, 1);
  const changed = rows.filter(({ result }) => result === 'changed');
  assert.deepEqual(
    changed.map(({ url, note }) => [new URL(url!).host, note]),
    [
      [fallback, 'an unknown web page'],
      ['www.subaru.com', 'a label for a car that cannot exist'],
    ],
  );
  assert.equal(rows.length, 5);
});

test('exit code 2 if nothing can be checked: no response, invalid arguments, or a store that can’t be opened', async (t) => {
  const { env, dataDir } = await setUp(t);
  const unreachable = { ...env, SOURCE_ORIGIN: 'http://127.0.0.1:9' };
  const file = `${dataDir}/a-file`;
  writeFileSync(file, '');
  const cases: [Record<string, string>, string[], RegExp][] = [
    [unreachable, ['gm', 'subaru'], /0 as described, 0 changed, 2 not checked/],
    [env, ['tesla'], /There is no source "tesla"\. Sources: ford, gm/],
    [env, ['--vin', '1234'], /"1234" isn't a VIN/],
    [env, ['gm', '--vin', newVin('ford')], /belongs to ford: name that source, or none/],
    [{ ...env, DATA_DIR: file }, [], /a-file/],
  ];
  for (const [caseEnv, args, message] of cases) {
    const { code, out, err } = await admin(caseEnv, 'check', ...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(out + err, message);
  }
  rmSync(file);
});

test('masked recordings contain no real VIN, and replay with the same verdicts for the masked VINs', async (t) => {
  const { env } = await setUp(t);
  const recorded = temporaryFolder(t);
  const cars = ['ford', 'toyota'].map(newVin);
  // Two Fords of one model must not get the same mask.
  const none = [newVin('nissan'), newVin('ford')];
  for (const vin of none) simulator.set(vin, 'none');
  const args = (vins: readonly string[]) => ['check', '--json', ...vins.flatMap((vin) => ['--vin', vin])];
  const vins = [...cars, ...none];
  const first = await admin(env, ...args(vins), '--record', recorded, '--mask');
  for (const name of readdirSync(recorded)) {
    const bytes = readFileSync(`${recorded}/${name}`);
    const texts = [
      name,
      bytes.toString('latin1'),
      Buffer.from(bytes.toString('latin1'), 'base64').toString('latin1'),
    ].map((text) => text.replace(/[^A-Za-z0-9]/g, '').toUpperCase());
    for (const vin of vins)
      assert.ok(
        texts.every((text) => !text.includes(vin)),
        `${name} contains ${vin}`,
      );
  }
  const replaying = await startSimulator({ replay: recorded });
  t.after(() => replaying.close());
  const second = await admin({ ...env, SOURCE_ORIGIN: replaying.origin }, ...args(vins.map(createVinMask())));
  const kinds = (out: string) =>
    (JSON.parse(out) as { checked: Row[] }).checked.map(
      ({ source, question, verdict, result }) => `${source} ${question} ${verdict} ${result}`,
    );
  assert.equal(kinds(first.out).filter((line) => line.endsWith('label as-described')).length, 4);
  assert.deepEqual(kinds(second.out), kinds(first.out));
});
