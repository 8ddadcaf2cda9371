import { specimens } from '../../src/lookup/specimens/index.ts';
import * as c from './case.ts';
import { BROWSER, get, head, send, type Case } from './case.ts';

/** The pages, as browsers and as programs request them, and their files. */

/** As browsers request what `<img>` shows. */
const IMAGE = { Accept: 'image/avif,image/webp,image/svg+xml,*/*;q=0.8' };
const MARKDOWN = { Accept: 'text/markdown' };

/** Every page of the sitemap. */
export function sitemapCases(paths: readonly string[]): Case[] {
  return paths.flatMap((path) => {
    // Makes and errors are many pages of one kind: one of each shows what else they answer.
    const isOneOfMany = /^\/(makes|errors)\/(?!ford$|tesla$|no-label$)/.test(path);
    const isDocument = /^\/(docs|makes|status|connect)\b/.test(path) && !isOneOfMany;
    return [
      get(path, BROWSER),
      ...(isOneOfMany ? [] : [head(path, BROWSER)]),
      ...(isDocument ? [get(`${path}.md`)] : []),
      ...(path.startsWith('/errors/') ? [get(path, { Accept: 'application/json' })] : []),
    ];
  });
}

const CAR = `/window-sticker/${c.HELD}`;
const GZIP = { ...BROWSER, 'Accept-Encoding': 'gzip, deflate, br' };

const carCases: readonly Case[] = [
  get(CAR, {}, { note: 'as a program' }),
  get(CAR, GZIP),
  head(CAR, GZIP),
  get(CAR, { ...BROWSER, 'If-None-Match': '*' }),
  get(CAR, { ...GZIP, 'If-None-Match': '{etag}' }),
  get('/window-sticker/1fmuk8dh0tg000000', BROWSER),
  get(`/window-sticker/%20${c.HELD}-`, BROWSER),
  get(`/window-sticker/1FMUK8DHOTG000000`, BROWSER),
  get(`/window-sticker/1FMUK8DHOTG000000`),
  get(`/window-sticker/1FMUK8DH0TG0000`, BROWSER),
  get('/window-sticker/', BROWSER),
  get(`/window-sticker/${'A'.repeat(3000)}`, BROWSER),
  get('/window-sticker/%00%ff%E0%A4%A', BROWSER),
  get('/window-sticker/..%2f..%2fetc%2fpasswd', BROWSER),
  get(`/window-sticker/${c.WRONG_DIGIT}?as=typed`, BROWSER),
  get(`/window-sticker/${c.FAILED}?waited=30`, BROWSER),
  ...specimens
    .filter(({ vin }) => ![c.HELD, c.PICTURE].includes(vin))
    .map(({ vin }) => get(`/window-sticker/${vin}/picture?width=320`)),
  get(`${CAR}/picture`),
  get(`${CAR}/picture?width=640`),
  head(`${CAR}/picture?width=640`),
  get(`${CAR}/picture?width=640`, { 'If-None-Match': '{etag}' }),
  get(`${CAR}/picture?width=641`, BROWSER),
  get('/window-sticker/x/picture'),
  get(`${CAR}/preview.png`),
  head(`${CAR}/preview.png`),
  get(`/window-sticker/${c.PICTURE}/preview.png`),
  get(`/window-sticker/${c.NONE}/preview.png`),
  get('/window-sticker/x/preview.png', BROWSER),
  get(`${CAR}/ready`),
  get(`/window-sticker/${c.FAILED}/ready`),
  head(`${CAR}/ready`),
  get('/window-sticker/x/ready'),
  get(`${CAR}/nothing`, BROWSER),
  ...specimens.flatMap(({ vin }) => [get(`/embed/${vin}`, BROWSER), get(`/badge/${vin}.svg`, IMAGE)]),
  head(`/badge/${c.HELD}.svg`, IMAGE),
  get('/embed/x', BROWSER),
  get('/embed/x'),
  get('/badge/x.svg', IMAGE),
  get('/badge/x.svg'),
];

const VINS = `vins=${c.JEEP},${c.HELD}`;
const TWO = `${c.HELD}%20${c.JEEP}`;

const formCases: readonly Case[] = [
  get(`/find?vin=${c.HELD}`, BROWSER),
  get(`/find?vin=${c.HELD.toLowerCase()}%20`, BROWSER),
  get('/find', BROWSER),
  get('/find?vin=', BROWSER),
  get('/find?vin=1FMUK8DHOTG000000', BROWSER),
  get('/find?vin=1FMUK8DHOTG000000'),
  get(`/find?vin=${TWO}`, BROWSER),
  get(`/find?vin=${TWO}`),
  get(`/find?vin=${encodeURIComponent('"><script>alert(1)</script>')}`, BROWSER),
  get(`/compare?${VINS}`, BROWSER),
  get(`/compare/preview.png?${VINS}`),
  head(`/compare/preview.png?${VINS}`),
  get(`/compare/preview.png?vins=${c.HELD}`, BROWSER),
  get(`/compare?${VINS},${c.PICTURE}`, BROWSER),
  get(`/compare?${VINS},${c.PICTURE},${c.NONE}`, BROWSER),
  get(`/compare?vins=${c.NONE},${c.UNKNOWN}`, BROWSER),
  get(`/compare?vin=${c.JEEP}&vin=${c.HELD}`, BROWSER),
  get(`/compare?vins=${c.HELD},${c.HELD}`, BROWSER),
  get(`/compare?vin=${c.HELD}&vin=${c.HELD}`, BROWSER),
  get('/compare?vins=x,y', BROWSER),
  get('/compare?vins=x,y'),
  head(`/compare?${VINS}`, BROWSER),
  get('/unsubscribe', BROWSER),
  get('/unsubscribe?to=someone%40example.org&key=abc', BROWSER),
  head('/unsubscribe?to=someone%40example.org&key=abc', BROWSER),
  send(
    'POST',
    '/unsubscribe?to=someone%40example.org&key=abc',
    { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' },
    { body: 'List-Unsubscribe=One-Click' },
  ),
  send('POST', '/unsubscribe', {}, { body: '' }),
  send('PUT', '/unsubscribe', BROWSER),
];

const REDIRECTED = [
  'terms',
  'privacy',
  'support',
  'pricing',
  'changelog',
  'limits',
  'errors',
  'api',
  'docs/connect',
  'docs/status',
  'coverage',
  'how-it-works',
  'why-no-window-sticker',
  'monroney-label',
  'api-docs',
  'make',
  'makes/Ford',
  'make/Alfa%20Romeo',
  'make/nothing',
  'makes/nothing',
  'docs/',
  'docs/limits/?a=b',
  'makes/',
  'status/',
  'connect/',
  'compare/',
  `vin/${c.HELD}`,
  c.HELD.toLowerCase(),
  `${c.HELD}/`,
  `sticker/${c.HELD}/`,
];

const otherCases: readonly Case[] = [
  ...REDIRECTED.map((path) => get(`/${path}`, BROWSER)),
  get('/terms'),
  head('/terms'),
  get(`/${c.HELD}`),
  get('/', MARKDOWN),
  get('/docs/limits', MARKDOWN),
  get('/docs/limits', { Accept: 'text/html, text/markdown;q=0.5' }),
  get('/docs/limits', {}, { note: 'as a program' }),
  get('/docs/limits', GZIP),
  get('/docs/limits.md', GZIP),
  head('/docs/limits.md'),
  get('/docs/limits', { ...GZIP, 'If-None-Match': '{etag}' }),
  get('/errors/no-label', MARKDOWN),
  get('/errors/no-label.md'),
  get('/errors/nothing'),
  get('/errors/nothing', BROWSER),
  send('OPTIONS', '/errors/no-label'),
  ...[
    '/nothing',
    '/nothing/',
    '/docs/nothing',
    '/docs//',
    '//example.com/',
    '/nothing.txt',
    '/index.php',
    '/a\\b',
    '/%E0%A4%A',
    '/window-sticker',
  ].flatMap((path) => [get(path, BROWSER), get(path)]),
  head('/nothing'),
  head('/nothing', BROWSER),
  ...['POST', 'DELETE', 'OPTIONS'].flatMap((method) => [
    send(method, '/', BROWSER),
    send(method, '/docs/limits'),
    send(method, '/nothing'),
  ]),
  get('/?vin=1', BROWSER),
  get('/', { ...BROWSER, Cookie: 'a=b', Origin: 'https://example.org' }),
  get('/', { ...BROWSER, 'X-Forwarded-Proto': 'http', 'X-Forwarded-Host': 'evil.example' }),
  get('/', { Host: 'bad host', ...BROWSER }),
  get('/', { Host: 'example.com:99999', ...BROWSER }),
  get('/', { Host: '[::1]:8080', ...BROWSER }),
];

/** One file of each kind, by the URLs in a page. */
export function assetCases(html: string): Case[] {
  const paths = [...new Set(html.match(/\/assets\/[\w./-]+/g))];
  const [styles, script, worker, module] = [/\.css$/, /recent/, /barcode/, /\/modules-.*\/web/].map((kind) =>
    paths.find((path) => kind.test(path))!,
  );
  const wasm = worker!.replace(/[^/]+$/, 'reader.wasm');
  const largeModule = module!.replace(/[^/]+$/, 'decoder.js');
  return [
    ...[styles!, script!, worker!, module!, largeModule].flatMap((path) => [
      get(path),
      get(path, { 'Accept-Encoding': 'gzip, br' }),
      head(path),
    ]),
    get(styles!, { 'If-None-Match': '{etag}' }),
    get(wasm),
    head(wasm, { 'Accept-Encoding': 'gzip' }),
    send('POST', styles!, {}, { body: 'x' }),
    get('/assets/gone-0000000000.css'),
    get('/assets/nothing', BROWSER),
    get('/assets/'),
  ];
}

export const pageCases: readonly Case[] = [...carCases, ...formCases, ...otherCases];
