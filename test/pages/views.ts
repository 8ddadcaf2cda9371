import type { BrowserContextOptions } from 'playwright-core';

/** Phone, tablet and desktop width, each in light and dark. */
export const VIEWS = [390, 820, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${width} px, ${colorScheme}`,
    width,
    colorScheme,
    options: { viewport: { width, height: 900 }, colorScheme } satisfies BrowserContextOptions,
  })),
);
