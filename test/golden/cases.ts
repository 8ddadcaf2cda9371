import { specimens } from '../../src/lookup/specimens/index.ts';
import * as api from './api-cases.ts';
import { askingGroups, limitCases } from './asking-cases.ts';
import { BASE, BROWSER, get, head, HELD, send, type Case, type Group } from './case.ts';
import { assetCases, pageCases, sitemapCases } from './page-cases.ts';
import { toolCases } from './tool-cases.ts';
import { wireCases } from './wire-cases.ts';

/** What the service itself lists, so that a new operation or page is recorded without a new line here. */
export interface Listed {
  openapi: api.OpenApi;
  sitemap: string;
  home: string;
}

/** All exchanges, in the order they are sent. */
export function groupsOf({ openapi, sitemap, home }: Listed): Group[] {
  const pages = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url!.slice(BASE.length));
  const operations = api.operationCases(openapi);
  const isNhtsas = ({ path }: Case) => path.startsWith('/vpic/');
  const own = operations.filter((one) => !isNhtsas(one));
  return [
    { area: 'api', server: 'plain', cases: [...api.specimenCases, ...own, ...api.apiCases] },
    { area: 'vpic', server: 'plain', cases: [...operations.filter(isNhtsas), ...api.vpicCases] },
    { area: 'documents', server: 'plain', cases: api.documentCases },
    { area: 'pages', server: 'plain', cases: [...sitemapCases(pages), ...pageCases, ...assetCases(home)] },
    { area: 'tools', server: 'plain', cases: toolCases },
    { area: 'wire', server: 'plain', cases: wireCases },
    { area: 'limits', server: 'plain', cases: limitCases },
    ...askingGroups,
    { area: 'unlimited', server: 'unlimited', cases: unlimited },
    { area: 'admin', server: 'admin', cases: admin },
  ];
}

/** What workers render: the pictures of the test VINs. */
export const renderedCases = specimens
  .filter(({ label }) => label !== null)
  .map(({ vin }) => get(`/api/sticker/${vin}/preview`));

const unlimited = [
  get(`/api/v1/vin/${HELD}`),
  get(`/api/sticker/${specimens.at(-1)!.vin}`),
  get('/', BROWSER),
  get('/limits.json'),
  get('/docs/limits', BROWSER),
  get('/.well-known/security.txt'),
  send('OPTIONS', `/api/v1/vin/${HELD}`),
  send(
    'POST',
    '/mcp',
    { Host: 'localhost', 'Content-Type': 'application/json' },
    { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
  ),
].map((one) => ({ ...one, name: `without limits: ${one.name}` }));

const admin = [
  get('/metrics'),
  get('/readyz'),
  get('/'),
  get('/metrics?x'),
  head('/readyz'),
  send('POST', '/metrics', {}, { body: 'x' }),
].map((one) => ({ ...one, name: `admin port: ${one.name}` }));
