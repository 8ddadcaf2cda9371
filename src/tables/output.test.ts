// lane: service
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { loadVpic } from '@monroney/vin';
import { randomFrom } from '../../tools/vpic/random-vins.ts';
import { openTable, START } from './input.ts';
import { createJob } from './job.ts';
import { earlierRun, openOutput, type TableOutput } from './output.ts';
import { groupOf } from './parquet-output.ts';
import { planOf } from './plan.ts';
import { kindOfName } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'monroney-output-'));
after(() => rmSync(folder, { recursive: true }));

const input = join(folder, 'input.csv');
writeFileSync(
  input,
  `vin,id\n${Array.from({ length: 40 }, (_, index) => `1FTFW1E5${index % 10}PFA${String(index).padStart(5, '0')},${index}`).join('\n')}\n`,
);
const decode = {
  fields: ['year', 'make'],
  shape: 'flat',
  now: Date.UTC(2026, 10),
  modelYear: null,
  correct: false,
} as const;
const writeOut = async () => true;

/** Writes up to `limit` parts of the output, after those of an earlier run. */
async function write(path: string, limit: number): Promise<{ output: TableOutput; continuedAfter: number }> {
  const table = await openTable({
    path: input,
    otherwise: 'csv',
    vinColumn: null,
    signal: new AbortController().signal,
  });
  const written = kindOfName(path);
  const plan = planOf(table, { written, decode, prefix: 'vin_', keepsInput: true, lookups: [] });
  const earlier = await earlierRun(path, 'options');
  const { identity } = table;
  const output = await openOutput({ path, plan, options: 'options', identity, earlier, writeOut });
  const continuedAfter = output.counts['rows']!;
  const job = await createJob(plan, loadVpic());
  let count = 0;
  const size = { bytes: 1e6, rows: 5, isEager: false };
  for await (const chunk of table.chunks(size, earlier?.position ?? START)) {
    if (count++ === limit) break;
    const { next } = chunk;
    await output.write(await job.run(chunk), next);
  }
  return { output, continuedAfter };
}

const contents: Record<string, (path: string) => unknown> = {
  csv: (path) => readFileSync(path, 'utf8'),
  'csv.gz': (path) => gunzipSync(readFileSync(path)).toString(),
  jsonl: (path) => readFileSync(path, 'utf8'),
  parquet: async (path) => parquetReadObjects({ file: await asyncBufferFromFile(path) }),
};

for (const [format, read] of Object.entries(contents)) {
  test(`${format}: a run that was killed is continued without a byte lost or doubled`, async () => {
    const whole = join(folder, `whole.${format}`);
    await (await write(whole, Infinity)).output.finish();

    const path = join(folder, `killed.${format}`);
    // Saved after two parts. Killed after another, in the middle of a fourth.
    assert.equal(await (await write(path, 2)).output.stop(), true);
    const saved = join(folder, `saved.${format}`);
    cpSync(`${path}.part.json`, saved);
    await (await write(path, 1)).output.stop();
    cpSync(saved, `${path}.part.json`);
    appendFileSync(`${path}.part`, 'half a row');

    const { output, continuedAfter } = await write(path, Infinity);
    assert.equal(continuedAfter, 9, 'the first part has the header');
    await output.finish();
    assert.equal(output.counts['rows'], 40);
    assert.deepEqual(await read(path), await read(whole));
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith(`killed.${format}.`)),
      [],
    );
  });
}

test('other options, or fewer bytes than were saved, start over', async () => {
  const path = join(folder, 'other.csv');
  await (await write(path, 2)).output.stop();
  assert.equal(await earlierRun(path, 'others'), null);
  assert.notEqual(await earlierRun(path, 'options'), null);
  writeFileSync(`${path}.part`, '');
  assert.equal(await earlierRun(path, 'options'), null);
});

test('the bytes of a row group are the same whatever was written before it', () => {
  const random = randomFrom(3);
  const group = () => {
    const text = Array.from({ length: 100 }, () => 'ABCD'[Math.floor(random() * 4)]).join('');
    return [{ name: 'text', type: 'text' as const, cells: [text] }];
  };
  for (let each = 0; each < 500; each++) {
    const one = group();
    const { bytes } = groupOf(one, 1, new Set(['text']));
    groupOf(group(), 1, new Set(['text']));
    assert.deepEqual(groupOf(one, 1, new Set(['text'])).bytes, bytes);
  }
});
