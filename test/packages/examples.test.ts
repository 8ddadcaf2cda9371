import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from '../../tools/pack/compile.ts';
import { startService, type Service } from '../service.ts';
import { openBrowser, withoutBrowser } from '../pages/browser.ts';
import { emptyProject, installNodes, outputOf, RUNTIMES, serveFolder, type Project } from './project.ts';

/** The examples as they are in the checkout, each with its own service, because of the rate limit. */

const examples = join(ROOT, 'examples');
let tools: Project;
let node20: string;
let service: Service;
let expected: string;

before(async () => {
  tools = emptyProject();
  tools.install('--ignore-scripts', ...RUNTIMES);
  node20 = installNodes([20], tools).get(20)!;
});
after(() => tools?.remove());

/** Starts a service, runs an example and checks its output. */
async function withService(runExample: () => Promise<string>): Promise<void> {
  service = await startService();
  try {
    const vin = '1FMUK8DH0TG000000';
    type Lookup = { vehicle: Record<string, string>; windowSticker: { bytes: number } };
    const { vehicle, windowSticker } = await service.json<Lookup>(`/api/v1/vin/${vin}`);
    const { label } = await service.json<{ label: { prices: { total: number } } }>(
      `/api/v1/vin/${vin}/label`,
    );
    expected = `${vehicle['year']} ${vehicle['make']} ${vehicle['model']}\n${windowSticker.bytes} bytes, $${label.prices.total / 100} when new`;
    assert.equal((await runExample()).trim(), expected);
  } finally {
    await service.close();
  }
}

const run = (program: string, args: readonly string[]): Promise<string> => {
  const env = { PATH: process.env['PATH'], HOME: tools.folder, NO_COLOR: '1', MONRONEY_URL: service.origin };
  return outputOf(program, args, { cwd: examples, env });
};

const program = (pattern: string): string =>
  join(tools.folder, globSync(pattern, { cwd: tools.folder })[0] ?? '');

const JAVASCRIPT = 'javascript/lookup.mjs';

test('the JavaScript example works in Node 20', () => withService(() => run(node20, [JAVASCRIPT])));

test('the JavaScript example works in Bun', () =>
  withService(() => run(program('node_modules/@oven/*/bin/bun'), [JAVASCRIPT])));

test('the JavaScript example works in Deno', () =>
  withService(() => {
    const allowed = ['--allow-net', '--allow-env', '--no-lock'];
    return run(program('node_modules/@deno/*/deno'), ['run', ...allowed, JAVASCRIPT]);
  }));

test('the Python example works', () => withService(() => run('python3', ['python/lookup.py'])));

test('the browser example works', async (t) => {
  if (withoutBrowser) return t.skip(withoutBrowser);
  const site = await serveFolder(join(examples, 'browser'));
  const browser = await openBrowser();
  try {
    await withService(async () => {
      const tab = await browser.newPage();
      tab.setDefaultTimeout(0);
      await tab.goto(`${site.origin}/?url=${encodeURIComponent(service.origin)}`);
      const result = tab.locator('#result:not(:empty)');
      await result.waitFor({ state: 'attached' });
      return (await result.textContent())!;
    });
  } finally {
    await browser.close();
    site.close();
  }
});
