import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { TEMPLATES } from '../src/http/routes.ts';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { sources } from '../src/makers/index.ts';
import { PAGE_TEMPLATES } from '../src/pages/index.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { admin, adminWithInput } from './in-process.ts';
import { eventually, folderWithStore, newVin, temporaryFolder, storeIn } from './operator.ts';
import { freshIp, startService } from './service.ts';
import { allLabels } from '../src/store/all-labels.ts';
import { pdfName, rowName } from '../src/store/label-bytes.ts';

/** The operator withdraws a label with a store of its own while the service serves it. */

const kia = sources.find(({ id }) => id === 'kia')!.example;
const get = (url: string) => fetch(url, { headers: { 'x-forwarded-for': freshIp() } });

test('a withdrawn label is gone from every URL, and stays gone after a restore and a rebuild', async (t) => {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const dataDir = temporaryFolder(t);
  const env = { DATA_DIR: dataDir, TRUSTED_PROXIES: '127.0.0.1,::1' };
  const outside = { ...env, SOURCE_ORIGIN: simulator.origin, SOURCE_PACE_MS: '0' };
  const first = await startService(outside);
  const urls = (origin: string) => [
    `${origin}/api/sticker/${kia}`,
    `${origin}/api/sticker/${kia}/preview`,
    `${origin}/api/v1/vin/${kia}/label`,
    `${origin}/window-sticker/${kia}`,
    `${origin}/window-sticker/${kia}/picture`,
  ];
  const statuses = async (origin: string) =>
    Promise.all(
      urls(origin).map(async (url) => {
        const response = await get(url);
        await response.arrayBuffer();
        return response.status;
      }),
    );
  assert.equal((await get(urls(first.origin)[0]!)).status, 200);
  assert.deepEqual(await statuses(first.origin), [200, 200, 200, 200, 200]);

  // A backup from before the withdrawal: the label's file and its row.
  const store = await storeIn(dataDir);
  const label = (await store.find(kia)).label!;
  await store.close();
  const files = [pdfName(label), rowName(kia)].map((name) => path.join(dataDir, name));
  const backup = files.map((file) => readFileSync(file));

  const withdrawn = await admin(env, 'withdraw', kia.toLowerCase(), '--reason', 'asked by the owner');
  assert.equal(withdrawn.code, 0, withdrawn.err);
  assert.match(withdrawn.out, /Its label was deleted/);
  // Every URL about the VIN, and the query strings that our pages use.
  const printed = withdrawn.out.split('\n').map((line) => line.trim());
  const about = [...TEMPLATES, ...PAGE_TEMPLATES].filter((template) => /^\/(?!vpic).*\{vin\}/.test(template));
  for (const template of about)
    assert.ok(
      printed.some((line) => line.endsWith(template.replace('{vin}', kia))),
      template,
    );
  for (const query of ['?download=1', '/preview?width=640', '/picture?width=1920'])
    assert.ok(
      printed.some((line) => line.endsWith(query)),
      query,
    );
  // One URL until it is gone, which takes seconds, then all of them.
  await eventually(
    async () => (await get(urls(first.origin)[0]!)).status,
    (status) => status === 451,
  );
  await eventually(
    () => statuses(first.origin),
    (codes) => codes.every((status) => status === 451),
  );
  const problem = (await (await get(urls(first.origin)[0]!)).json()) as Record<string, unknown>;
  assert.equal(problem['reason'], 'withdrawn');
  assert.match(String(problem['detail']), /withdrawn on .* Reason: asked by the owner\./);
  const { windowSticker, vehicle } = (await (
    await get(`${first.origin}/api/v1/vin/${kia}`)
  ).json()) as VinResponse;
  assert.equal(vehicle?.make, 'KIA');
  assert.deepEqual([windowSticker.available, windowSticker.pdf, windowSticker.bytes], [false, null, null]);
  assert.equal(windowSticker.reason, 'withdrawn');
  assert.match(windowSticker.note!, /asked by the owner/);
  assert.ok(!files.some((file) => existsSync(file)));
  await first.close();

  const listed = await admin(env, 'withdraw', '--list');
  assert.match(listed.out, new RegExp(`^${kia}  \\d{4}-\\d\\d-\\d\\d  asked by the owner$`, 'm'));

  // The database is lost, and the files are restored from the older backup.
  for (const end of ['', '-wal', '-shm']) rmSync(path.join(dataDir, `labels.sqlite${end}`), { force: true });
  for (const [index, file] of files.entries()) writeFileSync(file, backup[index]!);
  const rebuilt = await admin(env, 'rebuild');
  assert.equal(rebuilt.code, 0, rebuilt.err);
  assert.match(rebuilt.out, /^0 rows rebuilt/);
  assert.ok(!files.some((file) => existsSync(file)));
  const restarted = await startService(outside);
  t.after(() => restarted.close());
  assert.deepEqual(await statuses(restarted.origin), [451, 451, 451, 451, 451]);
});

test('restoring a database from before the withdrawal does not bring the label back', async (t) => {
  const dataDir = temporaryFolder(t);
  const env = { DATA_DIR: dataDir };
  const database = path.join(dataDir, 'labels.sqlite');
  let store = await storeIn(dataDir);
  const label = {
    vin: kia,
    make: 'KIA',
    source: 'kia',
    host: 'a.example',
    fetched: 1,
    paint: null,
    reader: null,
  };
  const added = await store.addLabel(label, Buffer.from(`%PDF-1.4 ${kia}`));
  await store.close();
  copyFileSync(database, `${database}.backup`);
  assert.equal((await admin(env, 'withdraw', kia, '--reason', 'x')).code, 0);
  for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true });
  copyFileSync(`${database}.backup`, database);
  store = await storeIn(dataDir);
  t.after(() => store.close());
  assert.equal((await store.find(kia)).label, null);
  assert.equal((await store.find(kia)).withdrawal?.reason, 'x');
  await assert.rejects(store.pdf(added));
});

test('withdraw, restore-label and labels refuse what they do not understand', async (t) => {
  const env = { DATA_DIR: await folderWithStore(t) };
  const cases: [string[], RegExp][] = [
    [['withdraw'], /^Usage:/m],
    [['withdraw', kia], /Give a reason/],
    [['withdraw', kia, '--list'], /^Usage:/m],
    [['withdraw', kia, '--make', 'KIA', '--reason', 'x'], /^Usage:/m],
    [['withdraw', '--source', 'KIA', '--reason', 'x'], /There is no source "KIA"\. Sources: ford, /],
    [
      ['withdraw', '--file', '/nowhere/vins.txt', '--reason', 'x'],
      /^\/nowhere\/vins\.txt: File not found\./m,
    ],
    [['restore-label'], /^Usage:/m],
    [['labels', '--since', 'monday'], /--since takes a date like 2026-11-01, got "monday"/],
    [['labels', '--totals', '--make', 'KIA'], /^Usage:/m],
  ];
  for (const [args, message] of cases) {
    const { code, err } = await admin(env, ...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(err, message);
  }
});

/** A store with these labels, each stored a day after the one before. */
async function storeWith(t: TestContext, labels: readonly { vin: string; make: string; source: string }[]) {
  const dataDir = temporaryFolder(t);
  const store = await storeIn(dataDir);
  t.after(() => store.close());
  for (const [index, label] of labels.entries()) {
    const fetched = Date.UTC(2026, 10, 1 + index);
    const rest = { host: 'a.example', fetched, paint: null, reader: null };
    await store.addLabel({ ...label, ...rest }, Buffer.from(`%PDF-1.4 ${label.vin}`));
  }
  const held = async () => (await Array.fromAsync(allLabels(store))).map(({ vin }) => vin);
  return { store, env: { DATA_DIR: dataDir }, held };
}

test('many VINs are withdrawn, from the arguments, a file and standard input, and each is told what happened', async (t) => {
  const [argument, inFile, typed, before] = ['kia', 'kia', 'ford', 'gm'].map(newVin) as [
    string,
    string,
    string,
    string,
  ];
  const { env, store, held } = await storeWith(t, [
    { vin: argument, make: 'KIA', source: 'kia' },
    { vin: inFile, make: 'KIA', source: 'kia' },
    { vin: typed, make: 'FORD', source: 'ford' },
  ]);
  await store.withdraw({ vin: before, reason: 'earlier', at: Date.UTC(2026, 9, 5) });
  const letter = path.join(temporaryFolder(t), 'letter.csv');
  writeFileSync(letter, `No.,VIN\r\n1,${inFile}\r\n2,${inFile}\r\n`);
  const unknown = newVin('toyota');
  const mistyped = unknown.slice(0, 8) + (unknown[8] === '0' ? '1' : '0') + unknown.slice(9);
  const input = `${typed.toLowerCase()}\n\n${before}\nKIA\n${unknown}\n${mistyped}\n`;
  const args = ['withdraw', argument, '-', '--file', letter];

  const rehearsed = await adminWithInput(env, input, ...args, '--dry-run');
  assert.equal((await held()).length, 3, 'a dry run changes nothing');
  assert.equal((await store.withdrawals()).length, 1);
  assert.equal(rehearsed.code, 1);
  assert.match(rehearsed.out, new RegExp(`^${argument}  would be withdrawn\\. Its label would be`, 'm'));
  assert.match(rehearsed.out, /A dry run: nothing was changed\./);
  assert.doesNotMatch(rehearsed.out, /Purge/);

  const { out, code } = await adminWithInput(env, input, ...args, '--reason', 'asked by Kia');
  const lineOf = (start: string) => out.split('\n').filter((line) => line.startsWith(start));
  for (const vin of [argument, inFile, typed])
    assert.match(lineOf(vin).join('\n'), /^\S+ {2}is withdrawn\. Its label was deleted \(.*\)\.$/);
  assert.match(lineOf(before)[0]!, /was already withdrawn on 2026-10-05: earlier$/);
  assert.match(lineOf('KIA')[0]!, /isn't a VIN\. A VIN has 17 characters/);
  assert.match(lineOf(unknown)[0]!, /is withdrawn, but it had no stored label\. .*restore-label/);
  assert.match(lineOf(mistyped)[0]!, /it had no stored label\. Its check digit is wrong: is it mistyped\?$/);
  assert.match(out, /^With a label: 3\. Without: 2\. Withdrawn before: 1\. Refused: 2\.$/m);
  assert.equal(code, 1, 'two had no label, and two lines have no VIN');
  assert.match(out, /for each VIN above/);
  assert.match(out, /^ {2}\S+\/api\/sticker\/\{vin\}$/m);
  assert.deepEqual(await held(), []);
  const { code: again } = await admin(env, 'withdraw', argument, inFile, '--reason', 'asked by Kia');
  assert.equal(again, 0, 'withdrawn before is no mistake');
});

test('a make or a source can be withdrawn as a whole; the others stay', async (t) => {
  const labels = [
    { vin: newVin('kia'), make: 'KIA', source: 'kia' },
    { vin: newVin('gm'), make: 'BUICK', source: 'gm' },
    { vin: newVin('gm'), make: 'CADILLAC', source: 'gm' },
    { vin: newVin('ford'), make: 'FORD', source: 'ford' },
  ];
  const { env, held } = await storeWith(t, labels);
  const [kia1, buick, cadillac, ford] = labels.map(({ vin }) => vin) as [string, string, string, string];
  const none = await admin(env, 'withdraw', '--make', 'Tesla', '--reason', 'asked');
  assert.equal(none.code, 1);
  assert.match(
    none.out,
    /no stored label of the make Tesla\. Makes with stored labels: BUICK, CADILLAC, FORD/,
  );
  const make = await admin(env, 'withdraw', '--make', 'buick', '--reason', 'asked');
  assert.equal(make.code, 0, make.err);
  assert.match(make.out, /can still be fetched from gm\. To stop that: admin source off gm --withhold/);
  assert.deepEqual(await held(), [kia1, cadillac, ford].sort());
  await admin(env, 'source', 'off', 'gm', '--reason', 'asked');
  const source = await admin(env, 'withdraw', '--source', 'gm', '--reason', 'asked');
  assert.deepEqual([source.code, source.out.includes('can still be fetched')], [0, false]);
  assert.deepEqual(await held(), [kia1, ford].sort());
  assert.ok(source.out.startsWith(`${cadillac}  is withdrawn.`), source.out);
  assert.ok(!source.out.includes(buick));
});

test('labels lists what is stored as JSON Lines, by make, source and date', async (t) => {
  const stored = [
    { vin: newVin('kia'), make: 'KIA', source: 'kia' },
    { vin: newVin('gm'), make: 'BUICK', source: 'gm' },
    { vin: newVin('gm'), make: 'CADILLAC', source: 'gm' },
  ];
  const { env, store } = await storeWith(t, stored);
  const vins = stored.map(({ vin }) => vin) as [string, string, string];
  const list = async (...args: string[]) => {
    const { code, out } = await admin(env, 'labels', ...args);
    assert.equal(code, 0);
    return out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const listed = async (...args: string[]) => (await list(...args)).map(({ vin }) => vin);
  const [first] = await list('--make', 'kia');
  const { sha256, bytes } = (await store.find(vins[0])).label!;
  const fetched = '2026-11-01T00:00:00.000Z';
  const rest = { host: 'a.example', fetched, bytes, sha256, reader: null };
  assert.deepEqual(first, { ...stored[0], ...rest });
  assert.deepEqual(await listed(), vins.toSorted());
  assert.deepEqual(await listed('--source', 'gm'), vins.slice(1).sort());
  assert.deepEqual(await listed('--since', '2026-11-03'), [vins[2]]);
  assert.deepEqual(await listed('--source', 'gm', '--make', 'BUICK'), [vins[1]]);
  assert.deepEqual(await listed('--make', 'TESLA'), []);
});

test('a withdrawal can be undone: the label is fetched again at the next lookup', async (t) => {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const dataDir = temporaryFolder(t);
  const service = await startService({ DATA_DIR: dataDir, SOURCE_ORIGIN: simulator.origin });
  t.after(() => service.close());
  const env = { DATA_DIR: dataDir };
  const vin = newVin('ford');
  const status = async () => (await service.get(`/api/sticker/${vin}`)).status;
  assert.equal(await status(), 200);
  assert.equal((await admin(env, 'withdraw', vin, '--reason', 'a mistake')).code, 0);
  await eventually(status, (code) => code === 451);
  const { code, out } = await adminWithInput(env, `${vin}\n`, 'restore-label', '-');
  assert.deepEqual([code, out.startsWith(`${vin}  is no longer withdrawn. `)], [0, true]);
  assert.equal(await status(), 200);
  assert.equal(simulator.requests.filter((request) => request.vin === vin).length, 2);
  const again = await admin(env, 'restore-label', vin, 'KIA');
  assert.deepEqual([again.code, again.out.split('\n')[0]], [1, `${vin}  was not withdrawn.`]);
  assert.match(again.out, /^KIA {2}isn't a VIN/m);
});
