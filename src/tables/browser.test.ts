import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFile, readText, writeCsv } from './browser.ts';

const ford = '1FMUK8DH0TG000000';

/** What a module imports, and what those import. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.replace(/^import type .*$/gm, '').matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    if (found.has(name!)) continue;
    found.add(name!);
    if (name!.startsWith('.')) importsOf(join(file, '..', name!), found);
  }
  return found;
}

test('the entry for browsers loads neither Node nor what reads Parquet', () => {
  const imports = [...importsOf(join(import.meta.dirname, 'browser.ts'))];
  const libraries = imports.filter((name) => !name.startsWith('.'));
  assert.deepEqual(libraries.toSorted(), [
    '@monroney/vin/text',
    'csv-parse/browser/esm/sync',
    'fflate',
    'read-excel-file/universal',
  ]);
  const vin = join(import.meta.dirname, '../../packages/vin/src/text.ts');
  assert.ok([...importsOf(vin)].every((name) => name.startsWith('./')));
  assert.ok(globSync('*.ts', { cwd: import.meta.dirname }).length > 10);
});

test('pasted text is a table, with the cells that a spreadsheet copies, or VINs alone', () => {
  const pasted = readText(`Stock\tVIN\n7\t${ford}\n8\t\n`);
  assert.deepEqual([pasted.columns, pasted.vinColumn, pasted.delimiter], [['Stock', 'VIN'], 1, '\t']);
  assert.deepEqual(pasted.rows, [
    ['7', ford],
    ['8', ''],
  ]);
  assert.deepEqual(readText(`${ford}\n${ford}\n`).rows, [[ford], [ford]]);
  assert.throws(() => readText(' \n'), /^Error: There is nothing here\.$/);
});

test('a file that is read and written again is the same', async () => {
  const text = `\ufeffVIN;Note\n="${ford}";"a;b"\n`;
  const { columns, rows, delimiter, bom } = await readFile(Buffer.from(text));
  assert.equal(writeCsv(columns, rows, { delimiter, bom }), text);
});
