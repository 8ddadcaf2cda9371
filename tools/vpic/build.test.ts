// lane: service
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { loadVpic } from '../../packages/vin/src/load.ts';
import { build } from './build.ts';
import { dumpOf, madeUpTables } from '../../test/tiny-release.ts';
import { zipOf } from '../pack/zip.ts';

const VIN = 'XYZAB1C23CA000001';
const now = new Date('2026-11-01T00:00:00Z');
const zipped = (name: string, bytes: Buffer) => zipOf([{ name, bytes }], { isCompressed: true });
let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vpic-build-'));
});
after(() => rm(folder, { recursive: true }));

async function buildFrom(name: string, bytes: string | Buffer, month?: string): Promise<Buffer> {
  const dump = join(folder, name);
  const out = join(folder, `${name}.bin`);
  await writeFile(dump, bytes);
  await build({ dump, out, month, checkCounts: false });
  return readFile(out);
}

test('plain, gzipped and zipped dumps give the same result', async () => {
  const sql = Buffer.from(dumpOf(madeUpTables()));
  const files = [
    await buildFrom('vPICList_lite_2026_09.sql', sql),
    await buildFrom('vPICList_lite_2026_09.sql.gz', gzipSync(sql)),
    await buildFrom('release.zip', zipped('vPICList_lite_2026_09.sql', sql)),
  ];
  const [plain, ...others] = files.map((bytes) => {
    const vpic = loadVpic(bytes);
    return { month: vpic.month, counts: vpic.counts, full: vpic.decodeFull(VIN, { now }) };
  });
  assert.equal(plain?.month, '2026-09');
  assert.equal(plain?.counts.pattern, 7);
  for (const other of others) assert.deepEqual(other, plain);
});

test('each step of the procedure contributes to a made-up car', async () => {
  const vpic = loadVpic(await buildFrom('steps_2026_09.sql', dumpOf(madeUpTables())));
  const { elements, codes, vehicle } = vpic.decodeFull(VIN, { now });
  const values = Object.fromEntries(
    elements.map(({ name, value, source }) => [name, `${value} (${source})`]),
  );
  assert.equal(values.Make, 'COMET (pattern)');
  assert.equal(values['Manufacturer Name'], 'COMET WORKS (wmi)');
  assert.equal(values['Body Class'], 'Wagon (pattern)');
  assert.equal(values['Engine Number of Cylinders'], '4 (engine model)');
  assert.equal(values['Displacement (L)'], '1.9840000000000000 (conversion)');
  assert.equal(values['Drive Type'], 'RWD (vehicle spec)');
  assert.equal(values.Doors, '3 (default)');
  assert.equal(values.Note, 'line one line two (pattern)');
  assert.deepEqual(codes, [0]);
  assert.deepEqual(vehicle?.engine, {
    displacement: '2.0L',
    cylinders: '4',
    fuel: null,
    electrification: null,
    horsepower: null,
  });
  assert.equal(vehicle?.doors, '3');
});

test('private patterns add no elements, but their characters are valid', async () => {
  const vpic = loadVpic(await buildFrom('private_2026_09.sql', dumpOf(madeUpTables())));
  const wrong = vpic.decodeFull('XYZKB1C25CA000001', { now });
  assert.equal(wrong.possibleValues, '(4:AX)');
});

test('the check digit of a VIN on the list of exceptions is not checked', async () => {
  const vpic = loadVpic(await buildFrom('exceptions_2026_09.sql', dumpOf(madeUpTables())));
  assert.deepEqual(vpic.decode('XYZAB1C20CA000009', { now }).codes, [0]);
  assert.deepEqual(vpic.decode('XYZAB1C20CA000008', { now }).codes, [1]);
});

test('the same input gives the same bytes', async () => {
  const sql = dumpOf(madeUpTables());
  assert.deepEqual(await buildFrom('same_2026_09.sql', sql), await buildFrom('same_2026_09.sql', sql));
});

test('a dump without a required table is an error that names the table', async () => {
  for (const table of ['pattern', 'wmi', 'bodystyle', 'vehiclespecschema_year']) {
    const tables = madeUpTables();
    delete tables[table];
    await assert.rejects(buildFrom('lacking_2026_09.sql', dumpOf(tables)), new RegExp(table, 'i'));
  }
  const tables = madeUpTables();
  tables.pattern!.columns = tables.pattern!.columns.replace('keys', 'key');
  await assert.rejects(buildFrom('lacking_2026_09.sql', dumpOf(tables)), /pattern.*keys/);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('lacking') && name !== 'lacking_2026_09.sql'),
    [],
  );
});

test('a release with far too few rows is an error that names the table', async () => {
  const dump = join(folder, 'few_2026_09.sql');
  await writeFile(dump, dumpOf(madeUpTables()));
  await assert.rejects(build({ dump, out: join(folder, 'few.bin') }), /table wmi has 1 rows/);
});

test('a truncated dump, zip or gzip is an error', async () => {
  const sql = Buffer.from(dumpOf(madeUpTables()));
  const zip = zipped('a_2026_09.sql', sql);
  await assert.rejects(
    buildFrom('short_2026_09.sql', sql.subarray(0, sql.length - 60)),
    /ends inside the table pattern/,
  );
  await assert.rejects(buildFrom('short_2026_09.sql.gz', gzipSync(sql).subarray(0, -40)));
  await assert.rejects(buildFrom('short_2026_09.zip', zip.subarray(0, -30)), /zip/);
});

test('the release month is the option, or comes from the file name', async () => {
  const sql = dumpOf(madeUpTables());
  assert.equal(loadVpic(await buildFrom('named_2026_09.sql', sql, '2025-12')).month, '2025-12');
  assert.equal(loadVpic(await buildFrom('named_2026_09.sql', sql)).month, '2026-09');
  await assert.rejects(buildFrom('nameless.sql', sql), /--month/);
  await assert.rejects(buildFrom('nameless.sql', sql, 'October'), /--month/);
});
