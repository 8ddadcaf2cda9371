import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/property.ts';
import { textChunks } from './chunks.ts';
import { parseRows } from './csv.ts';
import { START } from './input.ts';

async function* partsOf(text: string, sizes: readonly number[]) {
  const bytes = Buffer.from(text);
  for (let from = 0, index = 0; from < bytes.length; index++) {
    const size = sizes[index % sizes.length]!;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', 'é', '😀'), maxLength: 5 });
const csvOf = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\n');

test('rows survive any division into parts and chunks', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 12 });
  const limit = fc.record({
    bytes: fc.integer({ min: 1, max: 40 }),
    rows: fc.integer({ min: 1, max: 5 }),
    isEager: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(rows, sizes, limit, async (written, parts, size) => {
      const text = csvOf(written);
      const chunks = await Array.fromAsync(textChunks(partsOf(text, parts), ',', size, START));
      const read = chunks.flatMap(({ bytes, row }) => parseRows(Buffer.from(bytes).toString(), ',', row));
      assert.deepEqual(
        read.map(({ cells }) => cells),
        written,
      );
      assert.deepEqual(
        read.map(({ number }) => number),
        written.map((_, index) => index + 1),
      );
      assert.equal(chunks.at(-1)!.next.offset, Buffer.byteLength(text));
      // A later run that begins between two chunks sees the rest.
      const { next } = chunks[0]!;
      const rest = partsOf(Buffer.from(text).subarray(next.offset).toString(), parts);
      const later = await Array.fromAsync(textChunks(rest, ',', size, next));
      assert.deepEqual(later.at(-1)?.next ?? next, chunks.at(-1)!.next);
    }),
  );
});

test('a quotation mark within a cell quotes nothing', async () => {
  const text = 'a,24" wheels\nb,"two\nlines"\nc,""\n="d",5""6\ne,f\n';
  const size = { bytes: 1, rows: 1, isEager: false };
  const chunks = await Array.fromAsync(textChunks(partsOf(text, [4]), ',', size, START));
  assert.deepEqual(
    chunks.map(({ bytes }) => Buffer.from(bytes).toString()),
    ['a,24" wheels\n', 'b,"two\nlines"\n', 'c,""\n', '="d",5""6\n', 'e,f\n'],
  );
});

test('a quotation mark that is never closed is an error, not a chunk of any size', async () => {
  const endless = partsOf(`a,b\n"${'x'.repeat(3_000_000)}`, [100_000]);
  await assert.rejects(
    Array.fromAsync(textChunks(endless, ',', { bytes: 1_000, rows: 10, isEager: true }, START)),
    /^Error: Row 2 /,
  );
});

test('a list keeps only the beginning of an endless line', async () => {
  const text = `one\n${'x'.repeat(500_000)}\ntwo`;
  const chunks = await Array.fromAsync(
    textChunks(partsOf(text, [70_000]), '', { bytes: 1e6, rows: 1e6, isEager: true }, START),
  );
  const bytes = Buffer.concat(chunks.map((chunk) => chunk.bytes));
  assert.ok(bytes.length < 100_000);
  assert.match(bytes.toString(), /^one\nx+two$/);
  assert.equal(chunks.at(-1)!.next.offset, text.length);
});
