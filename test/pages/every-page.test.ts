import { test } from 'node:test';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { sources } from '../../src/makers/index.ts';
import { assertSound, withoutBrowser } from './browser.ts';
import { recordBusyDay } from './busy-day.ts';
import { browser, service } from './site.ts';

const skip = withoutBrowser;
const COMMON_WIDTHS = [390, 1280];
const WIDTHS = [320, ...COMMON_WIDTHS, 2560];

const ford = sources.find((source) => source.id === 'ford')!;

/** Every kind of page. */
const PAGES: Record<string, string> = {
  status: '/status',
  home: '/',
  read: '/read',
  'not-a-vin': '/find?vin=1FTFW1O5',
  'letter-o': '/window-sticker/1FMUK8DH0TGOOOOOO',
  'compare-form': '/compare',
  'compare-two': '/compare?vins=1C4RJHBR7TC000000,1FMUK8DH0TG000000',
  'compare-three': '/compare?vins=1C4RJHBR7TC000000,1FMUK8DH0TG000000,5NMJECDE7TH000000',
  'compare-without-label': '/compare?vins=1C4RJHBR7TC000000,1HGCV3F53MA000000',
  'as-typed': '/window-sticker/5GAEVAKW4RJ000000?as=typed',
  asking: `/window-sticker/${ford.example.slice(0, -4)}WIDTH?as=typed`,
  'not-found': '/nothing/here',
  makes: '/makes',
  'make-ford': '/makes/ford',
  'make-kia': '/makes/kia',
  'make-lexus': '/makes/lexus',
  docs: '/docs',
  api: '/docs/api',
  'getting-started': '/docs/getting-started',
  limits: '/docs/limits',
  privacy: '/docs/privacy',
  specimens: '/docs/specimens',
  errors: '/docs/errors',
  'error-no-label': '/errors/no-label',
  connect: '/connect',
  unsubscribe: '/unsubscribe?to=someone%40example.org&key=abc',
  ...Object.fromEntries(
    specimens.map(({ vin, make }) => [
      `sticker-${make.toLowerCase() || 'unknown'}`,
      `/window-sticker/${vin}`,
    ]),
  ),
};

for (const [name, path] of Object.entries(PAGES)) {
  for (const width of name.startsWith('sticker-') && name !== 'sticker-jeep' ? COMMON_WIDTHS : WIDTHS) {
    test(`${name} at ${width} px has no errors and is accessible, light and dark`, { skip }, async () => {
      if (name === 'status') await recordBusyDay(service.runtime);
      await assertSound(browser, service.origin, {
        name,
        path: path.replace('WIDTH', String(width).padStart(4, '0')),
        width,
      });
    });
  }
}
