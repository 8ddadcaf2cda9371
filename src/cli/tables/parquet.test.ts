import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { encodeRows, groupsIn, movedGroups, outputSchema, PARQUET_HEAD, parquetFooter } from './parquet.ts';

test('groups of rows that were encoded apart are one file', async () => {
  const schema = outputSchema(['vin', 'price'], { price: 'DOUBLE' });
  const rows = (from: number) =>
    Array.from({ length: 100 }, (_, index) => ({
      number: from + index,
      cells: [`V${from + index}`, index % 3 ? 1.5 : null],
    }));
  const parts = [rows(0), rows(100), rows(200)].map((some) => encodeRows(some, schema));
  let file: Buffer = PARQUET_HEAD;
  let groups: ReturnType<typeof groupsIn> = [];
  for (const { bytes, groups: some } of parts) {
    // As if each group were written by another run, which finds the footer as text in the saved state.
    const all = [...groups, ...movedGroups(some, file.length - PARQUET_HEAD.length)];
    const saved = Buffer.from(parquetFooter(schema, all)).toString('base64');
    groups = groupsIn(Buffer.from(saved, 'base64'));
    file = Buffer.concat([file, bytes]);
  }
  file = Buffer.concat([file, parquetFooter(schema, groups)]);
  const read = await parquetReadObjects({ file: new Uint8Array(file).buffer });
  assert.equal(groups.length, 3);
  assert.deepEqual(
    read.map(({ vin }) => vin as string),
    [...rows(0), ...rows(100), ...rows(200)].map(({ cells }) => cells[0]),
  );
  assert.deepEqual([read[0]!['price'], read[1]!['price']], [null, 1.5]);
});

test('a value of another type than before is an error that names the row', () => {
  const schema = outputSchema(['price'], { price: 'DOUBLE' });
  assert.throws(
    () => encodeRows([{ number: 7, cells: ['12 USD'] }], schema),
    /^Error: Row 7 has "12 USD" in price/,
  );
});
