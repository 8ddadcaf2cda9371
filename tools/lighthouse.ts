/**
 * Runs Lighthouse on one page of each kind, served by a new service: `node tools/lighthouse.ts`, or with paths to check.
 * Needs Chromium (or CHROME_PATH) and `npm install` in `tools/third-party`. Exits with 1 if a category is below 99.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startService } from '../test/service.ts';
import { runPeer } from '../test/third-party.ts';

/** The fields of Lighthouse's report that are used here. */
interface Report {
  categories: Record<string, { title: string; score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; displayValue?: string }>;
}

const RUNS = 4;
const MIN_SCORE = 0.99;
const PAGES = [
  '/',
  '/window-sticker/1C4RJHBR7TC000000',
  '/window-sticker/3N8AP6DA9SL000000',
  '/compare?vins=1C4RJHBR7TC000000,1FMUK8DH0TG000000',
  '/makes/ford',
  '/docs/how-to-read-a-sticker',
  '/status',
  '/docs/api',
];
const FORM_FACTORS = { mobile: [], desktop: ['--preset=desktop'] };
const OPTIONS = [
  '--quiet',
  '--output=json',
  '--only-categories=performance,accessibility,best-practices,seo',
  '--chrome-flags=--headless --no-sandbox --disable-gpu --disable-background-networking',
];

const home = mkdtempSync(path.join(tmpdir(), 'monroney-lighthouse-'));
const service = await startService({ LIMIT: 'off' });

/** The best of a few runs, because other work on the machine makes pages slower. */
async function bestOfRuns(url: string, options: string[]): Promise<Report> {
  const total = ({ categories }: Report) =>
    Object.values(categories).reduce((sum, { score }) => sum + score, 0);
  let best: Report | null = null;
  for (let run = 0; run < RUNS && (!best || total(best) < Object.keys(best.categories).length); run++) {
    const { code, out, err } = await runPeer('lighthouse/cli/index.js', [url, ...OPTIONS, ...options], home);
    if (code !== 0) throw new Error(err);
    const report = JSON.parse(out) as Report;
    if (!best || total(report) > total(best)) best = report;
  }
  return best!;
}

let failed = false;
const paths = process.argv.slice(2);
for (const page of paths.length ? paths : PAGES)
  for (const [formFactor, options] of Object.entries(FORM_FACTORS)) {
    const { categories, audits } = await bestOfRuns(`${service.origin}${page}`, options);
    const scores = Object.values(categories).map(({ title, score }) => `${title} ${Math.round(score * 100)}`);
    process.stdout.write(`${page} (${formFactor}): ${scores.join(', ')}\n`);
    for (const { id, weight } of Object.values(categories).flatMap(({ auditRefs }) => auditRefs)) {
      const { title, score, displayValue = '' } = audits[id]!;
      if (weight > 0 && score !== null && score < 0.9) process.stdout.write(`  ${title} ${displayValue}\n`);
    }
    // Comparisons are excluded from search engines on purpose.
    failed ||= Object.entries(categories).some(
      ([id, { score }]) => score < MIN_SCORE && !(id === 'seo' && page.startsWith('/compare?')),
    );
  }
await service.close();
rmSync(home, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
