// lane: service
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { vpic } from '../../test/decoder.ts';
import { elementCodes } from './fields.ts';
import { openTable, START } from './input.ts';
import { planOf } from './plan.ts';
import { openPool } from './pool.ts';
import { kindOfName } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'monroney-pool-'));
after(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'input.csv');
const rows = Array.from(
  { length: 40 },
  (_, index) => `1FTFW1E5${index % 10}PFA${String(index).padStart(5, '0')},${index}`,
);
writeFileSync(path, `vin,id\n${rows.join('\n')}\n`);
const FIELDS = ['year', 'make', 'suggested', 'warning'];
const decode = {
  shape: 'flat',
  now: Date.UTC(2026, 10),
  modelYear: null,
  correct: false,
} as const;

/** The parts of the output, and how many chunks this thread gave to others. */
async function partsOf(name: string, jobs: number, aloneRows?: number, fields: string[] = FIELDS) {
  const { signal } = new AbortController();
  const table = await openTable({ path, otherwise: 'csv', vinColumn: null, signal });
  const written = kindOfName(name);
  const plan = planOf(table, {
    written,
    decode: { ...decode, fields },
    prefix: 'vin_',
    keepsInput: true,
    lookups: [],
  });
  const pool = await openPool(plan, jobs, aloneRows);
  try {
    const chunks = await Array.fromAsync(table.chunks({ bytes: 1e6, rows: 5, isEager: false }, START));
    const parts = await Promise.all(chunks.map((chunk) => pool.run(chunk)));
    // What is sent to another thread is no longer here.
    const given = chunks.filter((chunk) => 'bytes' in chunk && chunk.bytes.length === 0).length;
    return { parts: parts.map(({ bytes }) => Buffer.from(bytes)), given };
  } finally {
    await pool.close();
  }
}

describe('threads', () => {
  for (const name of ['out.csv', 'out.jsonl', 'out.csv.gz', 'out.parquet']) {
    test(`give the same parts as one: ${name}`, async () => {
      const one = await partsOf(name, 1);
      const two = await partsOf(name, 2, 20);
      assert.deepEqual([one.given, two.given], [0, 2]);
      assert.deepEqual(two.parts, one.parts);
    });
  }

  test('give the same parts as one with every element', async () => {
    const every = elementCodes(vpic);
    const [one, two] = [
      await partsOf('out.parquet', 1, 20, every),
      await partsOf('out.parquet', 2, 20, every),
    ];
    assert.equal(two.given, 2);
    assert.deepEqual(two.parts, one.parts);
  });

  test('are not started for a short table', async () => {
    assert.equal((await partsOf('out.csv', 2)).given, 0);
  });
});
