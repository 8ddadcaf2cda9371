// lane: drill
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../src/lib/testing.ts';
import { specimenPdf, specimens } from '../../src/lookup/specimens/index.ts';
import { drawLabel } from '../specimens/draw.ts';

const tool = fileURLToPath(new URL('run.ts', import.meta.url));

const labels = (...args: string[]) => spawnSync(process.execPath, [tool, ...args], { encoding: 'utf8' });

test('the first run writes a snapshot of the readings, and later runs show what changed', (t) => {
  const folder = temporaryFolder(t);
  const [ford] = specimens.filter(({ make, label }) => make === 'Ford' && label);
  writeFileSync(join(folder, 'a ford.pdf'), specimenPdf(ford!.vin));
  writeFileSync(join(folder, 'no label.txt'), 'This is not a label.');
  const order = { vin: '5GAEVAKW0RJ000000', make: 'Buick', year: 2024 };
  writeFileSync(join(folder, 'b.pdf'), drawLabel({ ...order, exterior: 'MOSS GREEN' }));

  const first = labels(folder);
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stdout, /3 labels: 2 readable, 2 with a color, 2 whose prices add up\.\nFirst run/);
  const snapshot = JSON.parse(readFileSync(join(folder, 'readings.json'), 'utf8'));
  assert.deepEqual(
    [snapshot['b.pdf']['paint.color'], snapshot['no label.txt'].readable],
    ['MOSS GREEN', false],
  );

  const secondRun = labels(folder);
  assert.deepEqual([secondRun.status, /Nothing changed/.test(secondRun.stdout)], [0, true]);

  writeFileSync(join(folder, 'b.pdf'), drawLabel({ ...order, exterior: 'CORAL RED' }));
  rmSync(join(folder, 'no label.txt'));
  const changed = labels(folder);
  assert.equal(changed.status, 1);
  assert.match(changed.stdout, /^b\.pdf: paint\.color: "MOSS GREEN" -> "CORAL RED"$/m);
  assert.match(changed.stdout, /^no label\.txt: removed$/m);
  assert.doesNotMatch(changed.stdout, /^a ford\.pdf/m);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'readings.json'), 'utf8')), snapshot);
  assert.equal(labels(folder, '--accept').status, 0);
  const accepted = JSON.parse(readFileSync(join(folder, 'readings.json'), 'utf8'));
  assert.deepEqual(Object.keys(accepted), ['a ford.pdf', 'b.pdf']);
  assert.equal(accepted['b.pdf']['paint.color'], 'CORAL RED');
});

test('a missing or empty folder and an unknown option are usage errors', (t) => {
  const folder = temporaryFolder(t);
  for (const args of [[], [join(folder, 'none')], [folder], [folder, '--maybe']]) {
    const { status, stderr } = labels(...args);
    assert.equal(status, 2, args.join(' '));
    assert.notEqual(stderr, '');
  }
});
