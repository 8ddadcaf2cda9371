// lane: service
import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encrypted, sheetOf, stream } from '../../tools/drill/hostile-pdfs.ts';
import { childEnv } from '../../test/command.ts';
import { runInProcess } from '../../test/in-process.ts';

const specimen = (vin: string) => fileURLToPath(new URL(`../lookup/specimens/${vin}.pdf`, import.meta.url));
const fordVin = '1FMUK8DH0TG000000';

interface Line {
  file: string;
  vin: string | null;
  make: string | null;
  paint: { color: string; code: string | null } | null;
  label: { prices: { total: number } } | null;
  proof: { closes: boolean } | null;
  readable: boolean;
  reason: string | null;
  error?: string;
}

async function read(...args: string[]): Promise<{ code: number | null; lines: Line[]; err: string }> {
  const { code, out, err } = await runInProcess(['read', ...args], childEnv);
  const lines = out
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
  return { code, lines, err };
}

describe('monroney read', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-'));
    await mkdir(join(folder, 'deep', 'er'), { recursive: true });
    await copyFile(specimen(fordVin), join(folder, 'b.pdf'));
    await copyFile(specimen('1G1YB2D43S5000000'), join(folder, 'deep', 'er', '1G1YB2D43S5000000.PDF'));
    await writeFile(join(folder, 'a.pdf'), 'not a label');
    await writeFile(join(folder, 'c.pdf'), encrypted(['SECRET']));
    await writeFile(join(folder, '3N8AP6DA9SL000000.pdf'), sheetOf(stream('0 0 9 9 re f')));
    await writeFile(join(folder, 'notes.md'), 'not looked at');
  });
  after(() => rm(folder, { recursive: true }));

  test('writes a line for every file, in order, even if some are unreadable', async () => {
    const { code, lines, err } = await read(folder, join(folder, 'missing.pdf'));
    assert.equal(code, 1);
    assert.equal(err, '');
    assert.deepEqual(
      lines.map((line) => [
        line.file.slice(folder.length + 1),
        line.readable,
        line.reason,
        Boolean(line.error),
      ]),
      [
        ['3N8AP6DA9SL000000.pdf', false, 'picture', false],
        ['a.pdf', false, 'broken', true],
        ['b.pdf', true, null, false],
        ['c.pdf', false, 'encrypted', true],
        ['deep/er/1G1YB2D43S5000000.PDF', true, null, false],
        ['missing.pdf', false, 'broken', true],
      ],
    );
    for (const line of lines) {
      for (const field of ['file', 'vin', 'make', 'paint', 'label', 'proof']) assert.ok(field in line, field);
    }
  });

  test('prints VIN, make, paint and prices; the printed VIN takes precedence over the one in the file name', async () => {
    const misnamed = join(folder, 'deep', '1C4RJHBR7TC000000.pdf');
    await copyFile(specimen(fordVin), misnamed);
    const { code, lines } = await read(misnamed, join(folder, '3N8AP6DA9SL000000.pdf'));
    assert.equal(code, 0);
    assert.deepEqual(
      lines.map((line) => [line.vin, line.make]),
      [
        [fordVin, 'Ford'],
        ['3N8AP6DA9SL000000', 'Nissan'],
      ],
    );
    const [ford] = lines;
    assert.deepEqual(ford!.paint, { color: 'HARBOR BLUE METALLIC', code: null });
    assert.ok(ford!.proof!.closes && ford!.label!.prices.total > 1_000_000);
    await rm(misnamed);
  });
});
