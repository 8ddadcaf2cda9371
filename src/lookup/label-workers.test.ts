// lane: service
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { labelOf } from '../../tools/simulator/labels.ts';
import { sheetOf } from '../../tools/simulator/reply.ts';
import { sources } from '../makers/index.ts';
import type { PdfWorkers } from '../pdf/pdf-workers.ts';
import { createWorkerJudge, openLabelWorkers } from './label-workers.ts';

const workers = openLabelWorkers({ deadlineMs: 30_000 });
after(() => workers.close());

const ford = sources.find(({ id }) => id === 'ford')!;
const vin = ford.example;
const label = labelOf(ford, 'host.example', vin);

function judging(with_: Pick<typeof workers, 'run'> = workers) {
  const judge = createWorkerJudge(with_, () => 'FORD');
  const outcomeOf = (body: Buffer | string, status = 200, headers: Record<string, string> = {}) =>
    judge(ford, vin, { status, headers, body: Buffer.from(body), host: 'host.example' });
  return { outcomeOf };
}

test('a label comes back with its exact bytes, text and reading', async () => {
  const outcome = await judging().outcomeOf(label);
  assert.ok(outcome.kind === 'label' && outcome.pdf.equals(label));
  assert.equal(outcome.host, 'host.example');
  assert.ok(outcome.text!.pages[0]!.items.length > 10);
  assert.ok(outcome.read!.make === 'FORD' && outcome.read!.reading.proof!.closes);
});

test("another car's label, a truncated one and a broken one are failures", async () => {
  const { outcomeOf } = judging();
  const other = `${vin.slice(0, 12)}54321`;
  assert.deepEqual(await outcomeOf(sheetOf([`VIN ${other}`])), { kind: 'failed', why: 'wrong-vin' });
  assert.deepEqual(await outcomeOf(label.subarray(0, 9000)), { kind: 'failed', why: 'truncated' });
  assert.deepEqual(await outcomeOf(`%PDF-1.4\n${'x'.repeat(9000)}%%EOF`), {
    kind: 'failed',
    why: 'unreadable',
  });
});

test('pages of any length have the same outcome in the worker as inline', async () => {
  const { outcomeOf } = judging();
  for (const filling of ['', ' '.repeat(5000), ' '.repeat(200_000)]) {
    const page = (words: string) => `<html><title>${words}</title>${filling}</html>`;
    assert.partialDeepStrictEqual(await outcomeOf(page('Access Denied')), {
      kind: 'refused',
      why: 'blocked',
    });
    assert.deepEqual(await outcomeOf(page('Slow down'), 429, { 'retry-after': '7' }), {
      kind: 'refused',
      why: 'too-many-requests',
      retryAfterMs: 7000,
    });
  }
});

test('a body that exceeds the worker timeout is unreadable, and a full queue is reported as busy', async () => {
  const failing = (reason: 'timeout' | 'busy') => ({
    run: async () => ({ ok: false as const, reason }),
  });
  assert.deepEqual(await judging(failing('timeout')).outcomeOf(label), { kind: 'failed', why: 'unreadable' });
  assert.deepEqual(await judging(failing('busy')).outcomeOf(label), { kind: 'failed', why: 'workers-busy' });
});

test('small bodies other than PDFs need no worker', async () => {
  const none = { run: () => assert.fail('a worker was asked') } as unknown as Pick<PdfWorkers, 'run'>;
  const { outcomeOf } = judging(none as never);
  assert.equal((await outcomeOf('<html><title>Access Denied</title></html>')).kind, 'refused');
  assert.equal((await outcomeOf('')).kind, 'failed');
});
