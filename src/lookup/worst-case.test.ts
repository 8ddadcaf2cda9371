// lane: drill
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { optionName } from '@monroney/label/lib/option-names';
import { sources } from '../makers/index.ts';
import type { Source } from '../makers/maker.ts';
import { unwrapBase64, createJudge, type Judge } from './judge.ts';
import { linesOf } from '@monroney/label/reading/lines';
import type { LabelText, TextItem } from '@monroney/label/reading/types';

/**
 * Input that a hostile source would send. Linear code takes milliseconds for each of these; the quadratic code they are
 * made against took seconds to minutes, so that the bound is far from both.
 */
const BOUND_MS = 2000;

/** The beginning of every pattern and what its repetitions repeat: the pieces that a quadratic search rereads. */
const PIECES = [
  '<h1',
  '<h1 ',
  '<h1>',
  '<h1>are you a ',
  '<title',
  '<title>',
  '<title> ',
  '<title >\n',
  '<html ',
  ' ',
  '>',
  '&#60;h1',
  'are you a ',
  'sticker ',
  'vehicle not ',
  '"not found',
  'Not actual Monroney Label',
  'Not actual Monroney Label. ',
  'window sticker for this vehicle ',
  'No Window Sticker found for the requested ',
  'Access ',
  'not ',
];

const judgeOf = (text: LabelText) =>
  createJudge({ text: () => Promise.resolve({ ok: true as const, text }) });

const pageOf = (items: TextItem[]): LabelText => ({
  version: 0,
  positioned: true,
  pages: [{ width: 612, height: 792, items }],
});

/** One source with the patterns of all, so that each text is searched for each of them. */
const everySource: Source = {
  ...sources.find(({ picture }) => picture)!,
  none: sources.flatMap(({ none, placeholder = [] }) => [...none, ...placeholder]),
  refused: sources.flatMap(({ refused = [] }) => refused),
  page: sources.find(({ id }) => id === 'subaru')!.page,
};

async function judgeQuickly(what: string, judge: Judge, body: Buffer): Promise<void> {
  const began = process.cpuUsage();
  await judge(everySource, everySource.example, { status: 200, headers: {}, body, host: 'host.example' });
  const took = cpuMs(began);
  assert.ok(took < BOUND_MS, `${what} took ${Math.round(took)} ms`);
}

test('no web page makes a pattern slow', async () => {
  const judge = judgeOf(pageOf([]));
  for (const piece of PIECES) {
    for (const begin of ['<html>', '{'])
      await judgeQuickly(begin + piece, judge, Buffer.from(begin + piece.repeat(255_000 / piece.length)));
  }
});

test('no text of a PDF makes a pattern slow', async () => {
  const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(200_000), Buffer.from('%%EOF')]);
  for (const piece of [...PIECES, 'VIN ', '-', 'A-', '1G1YB2D40N590000 ', 'VIN1G1YB2D40N590000']) {
    // The most text that the extractor returns.
    const text = piece.repeat(2000 / piece.length);
    const items = Array.from({ length: 200 }, () => ({ text, x: 0, y: 0, width: 9, size: 9 }));
    await judgeQuickly(piece, judgeOf(pageOf(items)), pdf);
  }
});

/** CPU time rather than wall time: other processes must not fail a test. */
function cpuMs(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

test('twenty megabytes of unusual base64 are decoded quickly and in little memory', async () => {
  // In a worker with a small heap: the text fits into it, while a list of matches would not.
  const work = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(new URL('./judge.ts', import.meta.url).href)}).then(({ unwrapBase64 }) => {
      const took = {};
      for (const fill of ['\\\\/', 'A\\n', 'A\\\\n', 'A', ' ', '=', '"', '\\\\']) {
        const body = Buffer.alloc(20 * 1024 * 1024, fill);
        body.write('JVBERi0xLjQK');
        const began = process.threadCpuUsage();
        unwrapBase64(body);
        const { user, system } = process.threadCpuUsage(began);
        took[fill] = (user + system) / 1000;
      }
      parentPort.postMessage(took);
    });`;
  const worker = new Worker(work, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 48 } });
  const [took] = (await once(worker, 'message')) as [Record<string, number>];
  await worker.terminate();
  for (const [fill, ms] of Object.entries(took))
    assert.ok(ms < BOUND_MS, `${JSON.stringify(fill)} took ${Math.round(ms)} ms`);
});

test('base64 is decoded as Node does, whatever is between its digits', () => {
  for (let length = 6; length < 60; length++) {
    const bytes = Buffer.concat([
      Buffer.from('%PDF-'),
      Buffer.from(Array.from({ length }, (_, at) => at * 41)),
    ]);
    const plain = bytes.toString('base64');
    for (const text of [
      plain,
      plain.replace(/=+$/, ''),
      bytes.toString('base64url'),
      plain.slice(0, 8) + plain.slice(8).replace(/./g, '$&\r\n'),
      JSON.stringify(plain).replaceAll('/', '\\/'),
      JSON.stringify(plain.replace(/.{7}/g, '$&\r\n')),
      `data:application/pdf;base64,${plain}`,
      ` "data:application/pdf;base64,${plain}" \n`,
    ]) {
      assert.deepEqual(unwrapBase64(Buffer.from(text)), bytes, text);
    }
    for (const text of [`${plain}!`, `${plain}===`, `${plain.slice(0, 9)}.${plain.slice(9)}`, `${plain}\\x`])
      assert.equal(unwrapBase64(Buffer.from(text)).toString(), text);
  }
});

test('a line with the maximum number of words is joined quickly', () => {
  const items = Array.from({ length: 20_000 }, (_, at) => ({
    text: at % 3 ? 'twenty letters long.' : 'twenty letters long ',
    x: at * 100,
    y: 100,
    width: at % 2 ? 100 : 95,
    size: 10,
  }));
  const began = process.cpuUsage();
  const [line, ...others] = linesOf(pageOf(items));
  const took = cpuMs(began);
  assert.ok(took < BOUND_MS, `20,000 words took ${Math.round(took)} ms`);
  assert.equal(others.length, 0);
  assert.deepEqual(
    line!.cells.map(({ text }) => text),
    [line!.text],
  );
  const words = items.map(({ text }, at) => (at % 2 ? text : `${text} `));
  assert.equal(line!.text, words.join('').replace(/\s+/g, ' ').trim());
});

test('a long run of colons in a name takes linear time', () => {
  // Pages are rendered on the main thread. It took 15 s.
  const name = `${':'.repeat(100_000)}x`;
  const began = process.cpuUsage();
  assert.equal(optionName(name), name);
  const took = cpuMs(began);
  assert.ok(took < BOUND_MS, `100,000 colons took ${Math.round(took)} ms`);
});
