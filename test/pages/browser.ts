import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Frame, type Page } from 'playwright-core';

/** Opens pages in a real browser. Without one, tests are skipped with the reason. */

const BROWSER_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = [process.env.CHROMIUM, ...BROWSER_PATHS].find((file) => file && existsSync(file));

/** Why a test is skipped; false if there is a browser. */
export const withoutBrowser: string | false = executablePath
  ? false
  : 'No Chromium found. Install it (Debian: apt-get install chromium), or set CHROMIUM to its path.';

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: 0,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** A page and the problems it caused. */
export interface Visit {
  page: Page;
  /** Errors on the console, exceptions, requests to other hosts. */
  problems: string[];
  /** Body size of every response, as transferred. */
  bytes(): Promise<number>;
}

export async function visit(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...options });
  // How long a page takes depends on the machine. The runner ends a test that hangs.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  const problems: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on('console', (message) => {
    // The browser itself reports the status of an error page; that is not the page's error.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
    problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    // A page makes URLs of its own data: `blob:http://…`.
    if (
      !request
        .url()
        .replace(/^blob:/, '')
        .startsWith(origin) &&
      !request.url().startsWith('data:')
    ) {
      problems.push(`request elsewhere: ${request.url()}`);
    }
  });
  page.on('response', (response) => {
    if (response.status() >= 400 && response.request().resourceType() !== 'document') {
      problems.push(`missing: ${response.url()} ${response.status()}`);
    }
  });
  page.on('requestfinished', (request) => {
    // Rejects if the page is closed meanwhile.
    const size = request.sizes().catch(() => ({ responseBodySize: 0 }));
    sizes.push(size.then(({ responseBodySize }) => responseBodySize));
  });
  return {
    page,
    problems,
    bytes: async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Violations found by axe, including contrast below 7:1, and by other rules that are off by default. */
export async function violations(page: Page | Frame, ...extraRules: string[]): Promise<string[]> {
  await page.evaluate(axe);
  const results = await page.evaluate(
    async (names) => {
      const { axe } = globalThis as unknown as {
        axe: { run(options: unknown): Promise<{ violations: Violation[] }> };
      };
      const rules = Object.fromEntries(names.map((name) => [name, { enabled: true }]));
      const results = await axe.run({ rules });
      return results.violations;
    },
    ['color-contrast-enhanced', ...extraRules],
  );
  return results.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
  );
}

/** Horizontal overflow of the page in pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

const SCREENSHOT_FOLDER = path.join(import.meta.dirname, '../../shots');

/** With SHOTS=1, saves a screenshot for review in a folder that Git ignores. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  mkdirSync(SCREENSHOT_FOLDER, { recursive: true });
  await page.screenshot({ path: path.join(SCREENSHOT_FOLDER, `${name}.png`), fullPage: true });
}

/** Checks a page at this width, light and dark: no errors in its console, accessible, and nothing beside the screen. */
export async function assertSound(
  browser: Browser,
  origin: string,
  { name, path, width }: { name: string; path: string; width: number },
): Promise<void> {
  const { page, problems } = await visit(browser, origin, { viewport: { width, height: 900 } });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(path, { waitUntil: 'load' });
    await page.evaluate(() => document.querySelectorAll('img').forEach((image) => (image.loading = 'eager')));
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    await screenshot(page, `${name}-${colorScheme}-${width}`);
    assert.deepEqual(await violations(page), []);
    assert.equal(await overflow(page), 0);
  }
  assert.deepEqual(problems, []);
  await page.context().close();
}
