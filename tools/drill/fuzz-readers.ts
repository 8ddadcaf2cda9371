/**
 * Feeds generated label texts to the judge and every reader, and measures how CPU time grows with size:
 * `npm run drill -- fuzz-readers --minutes 10 --seed 1`. `test/fuzz/corpus` has recipes that once took seconds to minutes.
 */
import fc from 'fast-check';
import { createJudge } from '../../src/lookup/judge.ts';
import { sources } from '../../src/makers/index.ts';
import { readText } from '@monroney/label/read-text';
import type { Outcome, Source } from '../../src/makers/maker.ts';
import type { LabelText, Reading } from '@monroney/label/reading/types';
import { collectFailures, type DrillResult } from './drill.ts';
import { recipe, textOf, type Recipe } from './fuzz-recipes.ts';

/** CPU time that the largest input may take. Less than a worker gets. Linear code takes a twentieth of it; quadratic code more, on any machine. */
const MAX_CPU_MS = 4000;
/** For garbage collection and code that isn't compiled yet. */
const SLACK_MS = 1000;
const maxCpuMs = (share: number) => MAX_CPU_MS * share + SLACK_MS;
/** From small to large, so that quadratic code is found before it takes minutes. */
const SHARES = [1 / 16, 1 / 2, 1];

const PDF = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(200_000), Buffer.from('%%EOF')]);

/** What went wrong with one recipe, or null. */
export async function tryRecipe(recipe: Recipe): Promise<string | null> {
  for (const share of SHARES) {
    const failure = await trySize(recipe, share);
    if (failure) return `${failure} at ${Math.round(share * 100)}% of the largest: ${JSON.stringify(recipe)}`;
  }
  return null;
}

async function trySize(recipe: Recipe, share: number): Promise<string | null> {
  const source = sources.find(({ id }) => id === recipe.source)!;
  const text = await textOf(recipe, share);
  const judge = createJudge({ text: async () => ({ ok: true, text }) });
  const received = { status: 200, headers: {}, body: PDF, host: 'host.example' };
  const judged = await timed(() => judge(source, source.example, received), maxCpuMs(share));
  if (judged.ms > maxCpuMs(share)) return `judging a text took ${Math.round(judged.ms)} ms`;
  const readings: Reading[] = [];
  for (const make of [source.makes[0]!, undefined]) {
    const context = { vin: source.example, ...(make ? { make } : {}) };
    const read = await timed(async () => readText(text, context), maxCpuMs(share));
    if (read.ms > maxCpuMs(share))
      return `reading it as ${make ?? 'any make'} took ${Math.round(read.ms)} ms`;
    readings.push(read.value);
  }
  const wrong = readings.map(wrongReading).find((failure) => failure !== null);
  return wrongLabel(judged.value, source, text) ?? wrong ?? null;
}

function wrongLabel(outcome: Outcome, source: Source, text: LabelText): string | null {
  const all = text.pages.flatMap(({ items }) => items.map((item) => item.text)).join('');
  const hasVin = all
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .includes(source.example);
  return outcome.kind === 'label' && !hasVin && !source.picture ? 'a label without its VIN' : null;
}

function wrongReading({ readable, label, proof, reason }: Reading): string | null {
  if (readable !== (label !== null) || readable !== (proof !== null)) return 'an incomplete reading';
  if (readable === (reason !== null)) return 'a reading with a reason, or neither';
  return JSON.stringify(label).includes('null,null,null,null,null') ? 'an empty reading' : null;
}

/** The least CPU time of up to three attempts: a busy machine is slow once, quadratic code every time. */
async function timed<T>(work: () => Promise<T>, maxMs: number): Promise<{ value: T; ms: number }> {
  let best = Infinity;
  for (let attempt = 1; ; attempt++) {
    const from = process.cpuUsage();
    const value = await work();
    const { user, system } = process.cpuUsage(from);
    best = Math.min(best, (user + system) / 1000);
    if (best <= maxMs || attempt === 3) return { value, ms: best };
  }
}

export async function run({ minutes, seed }: { minutes: number; seed: number }): Promise<DrillResult> {
  const { expect, result } = collectFailures();
  let tried = 0;
  const property = fc.asyncProperty(recipe, async (recipe) => {
    tried++;
    const failure = await tryRecipe(recipe);
    if (failure) throw new Error(failure);
  });
  const details = await fc.check(property, {
    seed,
    numRuns: 1e6,
    interruptAfterTimeLimit: minutes * 60_000,
    endOnFailure: true,
  });
  const error = details.errorInstance as Error | null;
  expect(!details.failed || details.interrupted || !error, error?.message ?? '');
  return result({ tried, seed });
}
