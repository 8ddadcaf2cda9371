// lane: drill
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { bundledMonth, loadBundled, loadVpic } from '@monroney/vin';
import { compileRelease } from '@monroney/vin/compile';
import { vpicProblem } from '../src/cli/admin/vpic-update.ts';
import { zipOf } from '../tools/pack/zip.ts';
import { dumpOf, madeUpTables } from './tiny-release.ts';
import { startHttpServer } from './http-server.ts';
import { admin } from './in-process.ts';
import { folderWithStore, storeIn, temporaryFolder } from './operator.ts';
import { startService } from './service.ts';

/** The operator's monthly update of vPIC's data. The releases are made up, with one maker and one car. */

const CAR = 'XYZAB1C23CA000001';
const LATER = '2098-01';

const fileName = (month: string) => `vPICList_lite_${month.replace('-', '_')}.plain.zip`;
const sqlOf = (month: string) => ({
  name: `vPICList_lite_${month.replace('-', '_')}.sql`,
  bytes: Buffer.from(dumpOf(madeUpTables())),
});
const zipFor = (month: string) => zipOf([sqlOf(month)], { isCompressed: true });

/** NHTSA's host, with these files. */
async function nhtsaWith(t: TestContext, files: Record<string, Buffer | RequestListener>) {
  const requested: string[] = [];
  const links = Object.keys(files).map((name) => `<a HREF="/downloads/${name}">…</a>`);
  const origin = await startHttpServer(t, (request, response) => {
    requested.push(request.url!);
    const [, name = null] = /^\/vpic\.nhtsa\.dot\.gov\/downloads\/(.*)$/.exec(request.url!) ?? [];
    const file = name === null ? undefined : files[name];
    if (name === '') response.end(links.join(' '));
    else if (typeof file === 'function') file(request, response);
    else if (file) response.end(file);
    else response.writeHead(404).end();
  });
  return { origin, requested };
}

const choiceIn = async (dataDir: string) => {
  const store = await storeIn(dataDir);
  try {
    return await store.vpic.choice();
  } finally {
    await store.close();
  }
};

test('an update fetches the newest release, and the next start of the service uses it; a rollback undoes it', async (t) => {
  const dataDir = await folderWithStore(t);
  const nhtsa = await nhtsaWith(t, {
    [fileName('2097-12')]: zipFor('2097-12'),
    [fileName(LATER)]: zipFor(LATER),
  });
  const env = { DATA_DIR: dataDir, SOURCE_ORIGIN: nhtsa.origin };
  const bundled = bundledMonth();
  const seen = async (service: Awaited<ReturnType<typeof startService>>) => {
    const { vpic, vpicAgeDays } = await service.json<{ vpic: string; vpicAgeDays: number }>('/status.json');
    const { vehicle } = await service.json<{ vehicle: { make: string } | null }>(`/api/v1/vin/${CAR}`);
    const [, released] = /^monroney_vpic_released_timestamp_seconds (.*)$/m.exec(
      service.runtime.metrics.text(),
    )!;
    assert.equal(Number(released) * 1000, Date.parse(`${vpic}-01`));
    assert.equal(Number.isInteger(vpicAgeDays), true);
    return { vpic, make: vehicle?.make };
  };
  const started = async () => {
    const service = await startService({ DATA_DIR: dataDir });
    try {
      return await seen(service);
    } finally {
      await service.close();
    }
  };

  const running = await startService({ DATA_DIR: dataDir });
  t.after(() => running.close());
  assert.deepEqual(await seen(running), { vpic: bundled, make: undefined });
  const updated = await admin(env, 'vpic', 'update', '--unchecked');
  assert.deepEqual([updated.code, updated.out.split('\n').length], [0, 3], updated.err);
  assert.match(updated.out, /^vPIC data of 2098-01 is stored \(.*\nRestart the service to use it/);
  assert.match(
    updated.err,
    /^Downloaded https:\/\/vpic\.nhtsa\.dot\.gov\/downloads\/\S+2098_01\.plain\.zip$/m,
  );
  assert.deepEqual(
    await seen(running),
    { vpic: bundled, make: undefined },
    'a running service is not changed',
  );
  await running.close();
  assert.deepEqual(await started(), { vpic: LATER, make: 'COMET' });
  assert.equal(bundledMonth(), bundled, 'the program is not changed');
  assert.match(
    (await admin(env, 'vpic')).out,
    /^vPIC data of 2098-01, -\d+ days old\.\nIt was stored by admin/,
  );

  nhtsa.requested.length = 0;
  const again = await admin(env, 'vpic', 'update', '--unchecked');
  assert.deepEqual(
    [again.code, again.out.split('.')[0]],
    [0, 'The data in effect, of 2098-01, is the newest that https://vpic'],
  );
  assert.deepEqual(nhtsa.requested, ['/vpic.nhtsa.dot.gov/downloads/'], 'it is not downloaded again');

  const back = await admin(env, 'vpic', 'rollback');
  assert.equal(back.code, 0, back.err);
  assert.match(back.out, new RegExp(`^The next start uses data of ${bundled}, of this version\\.`));
  assert.equal((await started()).vpic, bundled);
  assert.match((await admin(env, 'vpic', 'rollback')).out, /^The next start uses data of 2098-01 \(/);
});

test('a release that is damaged, incomplete or older is refused with its reason, and the data in effect stays', async (t) => {
  const dataDir = await folderWithStore(t);
  const folder = temporaryFolder(t);
  const env = { DATA_DIR: dataDir };
  const fileWith = (name: string, bytes: Buffer) => {
    writeFileSync(path.join(folder, name), bytes);
    return path.join(folder, name);
  };
  const good = fileWith(fileName(LATER), zipFor(LATER));
  assert.equal((await admin(env, 'vpic', 'update', good, '--unchecked')).code, 0);
  const before = await choiceIn(dataDir);
  assert.equal(before.current?.month, LATER);

  const next = '2098-02';
  const zip = zipFor(next);
  const { bytes: sql } = sqlOf(next);
  const cases: [string[], RegExp][] = [
    [[fileWith(fileName('2098-03'), Buffer.from('not a dump')), '--unchecked'], /has no table wmi/],
    [[fileWith(`a${fileName(next)}`, zip.subarray(0, -30)), '--unchecked'], /zip/],
    [[fileWith('cut_2098_02.sql', sql.subarray(0, -60)), '--unchecked'], /ends inside the table pattern/],
    [
      [fileWith(fileName('2097-12'), zip), '--unchecked'],
      /is of 2097-12, older than the data in effect \(2098-01\)/,
    ],
    [[fileWith(fileName(next), zip)], /the table wmi has 1 rows, which can't be right/],
    [[fileWith('nameless.sql', sql), '--unchecked'], /set it with --month YYYY-MM/],
    [[path.join(folder, 'missing.zip')], /There is no file .*missing\.zip\./],
  ];
  for (const [args, message] of cases) {
    const { code, err, out } = await admin(env, 'vpic', 'update', ...args);
    assert.deepEqual([code, out], [1, ''], args.join(' '));
    assert.match(err, message);
    assert.match(err, /Nothing was changed\.$/m);
  }
  const cut: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-length': 5000 });
    response.write(zip.subarray(0, 500), () => response.destroy());
  };
  const { origin } = await nhtsaWith(t, { [fileName(next)]: cut });
  const fetched = await admin({ ...env, SOURCE_ORIGIN: origin }, 'vpic', 'update', '--unchecked');
  assert.deepEqual([fetched.code, fetched.out], [1, '']);
  assert.match(fetched.err, /can't be downloaded: cut-short\. Nothing was changed\./);
  assert.deepEqual(await choiceIn(dataDir), before);
  assert.deepEqual(readdirSync(path.join(dataDir, 'tmp')), [], 'nothing is left behind');
});

test('a file whose name lacks the month is used with --month', async (t) => {
  const env = { DATA_DIR: await folderWithStore(t) };
  const file = path.join(temporaryFolder(t), 'release.sql');
  writeFileSync(file, dumpOf(madeUpTables()));
  const { code, err } = await admin(env, 'vpic', 'update', file, '--month', '2098-05', '--unchecked');
  assert.equal(code, 0, err);
  assert.equal((await choiceIn(env.DATA_DIR)).current?.month, '2098-05');
});

test('without data that can be loaded the service starts with its own, and warns', async (t) => {
  const dataDir = await folderWithStore(t);
  const store = await storeIn(dataDir);
  await store.vpic.add(LATER, Buffer.from('no data file'));
  await store.close();
  const startedWith = async () => {
    const service = await startService({ DATA_DIR: dataDir });
    const { vpic } = await service.json<{ vpic: string }>('/readyz');
    await service.close();
    return { vpic, warnings: service.logs.filter((line) => line.includes('"vpic: cannot load')) };
  };
  const other = await startedWith();
  assert.equal(other.vpic, bundledMonth());
  assert.match(other.warnings.join(), /isn't a vPIC data file/);

  const [name] = readdirSync(path.join(dataDir, 'vpic')).filter((each) => each.endsWith('.bin'));
  writeFileSync(path.join(dataDir, 'vpic', name!), 'other bytes.');
  assert.match((await startedWith()).warnings.join(), /is corrupted/);
  writeFileSync(path.join(dataDir, 'vpic/current.json'), '{');
  assert.equal((await startedWith()).warnings.length, 1);
});

test('data that came with a later version of the program is used instead of older data of an update', async (t) => {
  const dataDir = await folderWithStore(t);
  const file = path.join(temporaryFolder(t), 'old_2020_01.sql');
  writeFileSync(file, dumpOf(madeUpTables()));
  const { bytes } = await compileRelease(file, { checkCounts: false, quality: 1 });
  const store = await storeIn(dataDir);
  await store.vpic.add('2020-01', bytes);
  await store.close();
  const service = await startService({ DATA_DIR: dataDir });
  t.after(() => service.close());
  assert.equal((await service.json<{ vpic: string }>('/readyz')).vpic, bundledMonth());
  const { out } = await admin({ DATA_DIR: dataDir }, 'vpic', 'status');
  assert.match(out, /came with this version.*\nStored, but older, and so not used: data of 2020-01/);
});

test('new data must have as many rows as before, and decode what is known in the same way', async (t) => {
  const current = loadBundled();
  assert.equal(vpicProblem(current, current), null);
  const file = path.join(temporaryFolder(t), 'tiny_2098_01.sql');
  writeFileSync(file, dumpOf(madeUpTables()));
  const tiny = loadVpic((await compileRelease(file, { checkCounts: false, quality: 1 })).bytes);
  assert.match(vpicProblem(tiny, current)!, /^The table \w+ has \d rows\. The data in effect has \d+\.$/);
  const complete = { ...tiny, counts: current.counts };
  assert.match(vpicProblem(complete, current)!, /an example of \w+, decodes as no make instead of/);
  const vague: typeof current = {
    ...current,
    decode(vin, options) {
      const decoded = current.decode(vin, options);
      return { ...decoded, vehicle: decoded.vehicle && { ...decoded.vehicle, model: null } };
    },
  };
  assert.match(vpicProblem(vague, current)!, /^Of \d{3} sample VINs, only \d+ decode to the same make/);
});

test('vpic refuses what it does not understand, and a rollback without an update', async (t) => {
  const env = { DATA_DIR: await folderWithStore(t) };
  for (const args of [['upgrade'], ['rollback', 'x'], ['update', '--month', '2026-11'], ['update', 'a', 'b']])
    assert.equal((await admin(env, 'vpic', ...args)).code, 2, args.join(' '));
  const { code, err } = await admin(env, 'vpic', 'rollback');
  assert.deepEqual(
    [code, err.split('\n')[1]],
    [1, 'There is nothing to go back to: the data was never updated.'],
  );
  assert.equal(existsSync(path.join(env.DATA_DIR, 'vpic')), false);
});
