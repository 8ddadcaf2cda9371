import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { overflow, visit, withoutBrowser } from './browser.ts';
import { browser, service } from './site.ts';

/** Phone, tablet and desktop width, each in light and dark. */
export const VIEWS = [390, 820, 1440]
  .flatMap((width) => (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })))
  .map(({ width, colorScheme }, index) => ({
    index,
    name: `${width} px, ${colorScheme}`,
    width,
    options: { viewport: { width, height: 900 }, colorScheme } satisfies BrowserContextOptions,
  }));

type Flow = (page: Page, view: (typeof VIEWS)[number]) => Promise<void>;

/** Tests in each view what visitors do, one after the other on one page. It must cause no problems. */
export function testInViews(flows: Record<string, Flow>): void {
  for (const view of VIEWS)
    test(view.name, { skip: withoutBrowser }, async (t) => {
      const permissions = ['clipboard-read', 'clipboard-write'];
      const { page, problems } = await visit(browser, service.origin, { ...view.options, permissions });
      for (const [flow, run] of Object.entries(flows))
        await t.test(flow, async () => {
          await page.emulateMedia({ media: null });
          await run(page, view);
          assert.equal(await overflow(page), 0);
        });
      assert.deepEqual(problems, []);
      await page.context().close();
    });
}
