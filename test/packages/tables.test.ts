import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { parquetWriteFile } from 'hyparquet-writer';
import { ROOT } from '../../tools/pack/compile.ts';
import { startService } from '../service.ts';
import { peerPython } from '../third-party.ts';
import { PACKAGES } from '../../tools/pack/run.ts';
import { emptyProject, outputOf, packPackages, type Project } from './project.ts';

/** The examples for tables too large for one machine, or in a database, with the command as installed from its package. */

const samples = readFileSync(join(ROOT, 'packages/vin/test/vins.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => (JSON.parse(line) as { vin: string }).vin);

let project: Project;
let env: Record<string, string>;
let programs: string | null;

const command = (): string => join(project.folder, 'node_modules/.bin/monroney');

before(() => {
  const python = peerPython('tables');
  programs = python && dirname(python);
  project = emptyProject();
  const packed = packPackages(...PACKAGES);
  project.install('--omit=optional', ...Object.values(packed.tarballs));
  packed.remove();
  env = {
    PATH: [dirname(process.execPath), programs, process.env['PATH']].join(':'),
    HOME: project.folder,
    // With this Node: executors have a PATH of their own.
    MONRONEY: `${process.execPath} ${command()}`,
    SPARK_LOCAL_IP: '127.0.0.1',
  };
});
after(() => project?.remove());

const run = (program: string, ...args: string[]) => outputOf(program, args, { cwd: project.folder, env });

test('the Spark example decodes a list on two executors, like the command alone', async (t) => {
  if (!programs) return t.skip('skipped: no python3 with venv');
  if (spawnSync('java', ['-version']).error) return t.skip('skipped: no Java');
  const list = join(project.folder, 'vins.txt');
  writeFileSync(list, [...samples, 'not a VIN'].map((vin) => `${vin}\n`).join(''));
  const example = join(ROOT, 'examples/spark/decode.py');
  const output = join(project.folder, 'spark.parquet');
  await run(join(programs, 'spark-submit'), '--master', 'local-cluster[2,1,1024]', example, list, output);
  const files = globSync('*.parquet', { cwd: output });
  const decoded = await Promise.all(
    files.map(async (name) => parquetReadObjects({ file: await asyncBufferFromFile(join(output, name)) })),
  );
  const rows = decoded.flat().map(({ vin, year, make, model, error }) => [vin, year, make, model, error]);
  const fields = ['--fields', 'year,make,model'];
  const alone = (await run(process.execPath, command(), 'decode', list, ...fields)).trimEnd().split('\n');
  const expected = alone
    .map((line) => JSON.parse(line) as Record<string, string | null>)
    .map(({ vin, year, make, model, error }) => [vin, year, make, model, error]);
  const inOrder = (some: unknown[][]) => some.map((row) => JSON.stringify(row)).toSorted();
  assert.equal(rows.length, samples.length + 1);
  assert.deepEqual(inOrder(rows), inOrder(expected));
});

test('the DuckDB example joins a table with what its VINs say', async (t) => {
  if (!programs) return t.skip('skipped: no python3 with venv');
  const vins = ['1FMUK8DH0TG000000', '1FMUK8DH0TG000000', '1C4RJHBR7TC000000', null];
  parquetWriteFile({
    filename: join(project.folder, 'stock.parquet'),
    columnData: [{ name: 'vin', data: vins, type: 'STRING' }],
  });
  const table = await run('sh', join(ROOT, 'examples/duckdb/decode.sh'), 'stock.parquet');
  assert.match(table, /FORD\W+Explorer\W+2\W+JEEP\W+Grand Cherokee\W+1\b/);
});

test('a Parquet file keeps every type and value, whatever codec it is compressed with', async (t) => {
  if (!programs) return t.skip('skipped: no python3 with venv');
  const script = join(ROOT, 'test/packages/parquet-types.py');
  const out = await run(join(programs, 'python'), script, process.execPath, command());
  assert.ok(Number(out) >= 32);
});

test('DuckDB, pandas, Polars and Spark compare years, sum prices and know dates without a cast', async (t) => {
  if (!programs) return t.skip('skipped: no python3 with venv');
  const service = await startService({ LIMIT: 'off' });
  const vins = [
    '1FMUK8DH0TG000000',
    '1C4RJHBR7TC000000',
    '1G1YB2D43S5000000',
    '1M8GDM9AXKP042788',
    'not a VIN',
  ];
  writeFileSync(join(project.folder, 'typed.csv'), ['vin', ...vins, ''].join('\n'));
  const enrich = (to: string) =>
    run(process.execPath, command(), 'enrich', 'typed.csv', '-o', to, '--url', service.origin);
  await enrich('typed.parquet');
  await enrich('typed.jsonl');
  await service.close();
  const rows = readFileSync(join(project.folder, 'typed.jsonl'), 'utf8').trimEnd().split('\n');
  const totals = rows.map((line) => (JSON.parse(line) as { vin_total: number | null }).vin_total);
  const [ford, jeep, chevrolet, ...others] = totals;
  assert.deepEqual(others, [null, null]);
  const readers = ['duckdb', 'pandas', 'polars', ...(spawnSync('java', ['-version']).error ? [] : ['spark'])];
  for (const reader of readers) {
    const script = join(ROOT, 'test/packages/typed-columns.py');
    const out = await run(join(programs, 'python'), script, reader, 'typed.parquet');
    // Ten doors, and displacements of 2.3, 2.0 and 6.2 liters.
    const expected = [3, 10, 10.5, ford! + jeep! + chevrolet!, 'CHEVROLET', '2025-01-02'];
    assert.deepEqual(JSON.parse(out.trim().split('\n').at(-1)!), expected, reader);
  }
});
