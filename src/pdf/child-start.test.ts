// lane: service, alone
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { silentLog } from '../lib/log.ts';
import type { launchChild, LabelChild } from './child-process.ts';
import { startChild } from './child-start.ts';
import { confinements } from './confinement.ts';
import { openPdfWorkers } from './pdf-workers.ts';

// Workers may write the compile cache of a test run, see child-process.ts.
delete process.env['NODE_COMPILE_CACHE'];

const CHANNEL = fileURLToPath(new URL('./channel.ts', import.meta.url));
const unstopped = new AbortController().signal;

test('the first child is tried with less and less confinement, and no later one gets less than it', async () => {
  const gaps = confinements().map(({ gap }) => gap);
  const [weakest, tried] = [gaps.length - 1, [] as (string | null)[]];
  let works = (level: number) => level === weakest;
  const launch: typeof launchChild = async (_kind, _stop, _program, { gap }, onComplaint) => {
    tried.push(gap);
    onComplaint?.('not here');
    return works(tried.length - 1) ? ({ gap } as LabelChild) : 'refused';
  };
  const start = () => startChild('text', unstopped, 'a program of this test', launch);
  assert.equal((await start())!.gap, gaps[weakest]);
  assert.deepEqual(tried.splice(0), gaps);
  works = () => true;
  await start();
  assert.deepEqual(tried.splice(0), [gaps[weakest]]);
  works = () => false;
  await assert.rejects(start(), /exits at start: not here/);
  assert.deepEqual(new Set(tried), new Set([gaps[weakest]]));
});

/** A program in a folder of its own, and a module that it imports from another. */
function programWith(t: TestContext, imported: string): string {
  const folders = ['program', 'elsewhere'].map((name) => mkdtempSync(join(tmpdir(), `${name}-`)));
  t.after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
  const [program, elsewhere] = folders.map((folder) => join(folder, 'code.mjs'));
  writeFileSync(elsewhere!, imported);
  writeFileSync(program!, `import ${JSON.stringify(elsewhere)};`);
  return program!;
}

test('where code is outside of the folders of the program, a child may read all files, and the service says so', async (t) => {
  const program = programWith(
    t,
    `import { Socket } from 'node:net';
     import { onMessage, sendMessage } from ${JSON.stringify(CHANNEL)};
     const channel = new Socket({ fd: 3, readable: true, writable: true });
     onMessage(channel, () => sendMessage(channel, { ok: true, result: 1, spent: false }));
     sendMessage(channel, 'ready');`,
  );
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (text: string) => void warnings.push(text) };
  const workers = openPdfWorkers({ program, log });
  t.after(() => workers.close());
  assert.equal((await workers.run({ job: null })).ok, true);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /^the kernel doesn't keep PDF workers from .*reading files/);
});

test('a child that starts with no confinement says why', async (t) => {
  await assert.rejects(
    startChild('text', unstopped, programWith(t, `throw new Error('no such engine');`)),
    /exits at start: [^]*no such engine/,
  );
});
