import { specimens } from '../../src/lookup/specimens/index.ts';
import * as c from './case.ts';
import { get, head, post, send, type Case } from './case.ts';

/** The API, NHTSA's operations and the documents for programs. */

/** For the variables in OpenAPI's paths. */
const VALUES: Readonly<Record<string, string>> = {
  vin: c.HELD,
  reason: 'no-label',
  wmi: '1FM',
  make: 'honda',
  makeid: '474',
  modelyear: '2021',
  vehicletype: 'truck',
  manufacturer: '988',
  variable: '39',
};

const BATCH = `{"vins":["${c.HELD}","${c.NONE}","short"]}`;
const FORM = 'application/x-www-form-urlencoded';

export interface OpenApi {
  paths: Record<string, Record<string, unknown>>;
}

/** Every operation, with every method. */
export function operationCases({ paths }: OpenApi): Case[] {
  return Object.entries(paths).flatMap(([template, operations]) => {
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!VALUES[name]) throw new Error(`add an example of ${name} to VALUES`);
      return VALUES[name];
    });
    const isPost = 'post' in operations;
    const [type, body] = template.startsWith('/vpic/')
      ? [FORM, `data=${c.HELD},2026;${c.NONE}`]
      : ['application/json', BATCH];
    return [
      isPost ? post(path, type, body) : get(path),
      head(path),
      send('OPTIONS', path, {
        Origin: 'https://example.org',
        'Access-Control-Request-Method': isPost ? 'POST' : 'GET',
      }),
      send('DELETE', path),
      ...(isPost
        ? [get(path)]
        : [send('POST', path, { 'Content-Type': 'application/json' }, { body: '{}' })]),
      ...(template.startsWith('/vpic/') ? [] : [get(`${path}/`), ...(isPost ? [] : negotiated(path))]),
    ];
  });
}

/** Codings and conditional requests. */
const negotiated = (path: string): Case[] => [
  get(path, { 'If-None-Match': '{etag}' }),
  get(path, { 'Accept-Encoding': 'br, gzip' }),
  get(path, { 'Accept-Encoding': 'br, gzip', 'If-None-Match': '{etag}' }),
  get(path, { 'Accept-Encoding': 'gzip;q=1, br;q=0.5' }),
  head(path, { 'Accept-Encoding': 'gzip;q=1, br;q=0.5' }),
  get(path, { 'If-None-Match': '{etag}' }, { note: 'of another coding' }),
];

/** The readings come before the pages, which would not wait long for them. */
export const specimenCases: readonly Case[] = specimens.flatMap(({ vin }) => [
  get(`/api/v1/vin/${vin}`, {}, { note: 'as a test VIN' }),
  get(`/api/v1/vin/${vin}?sticker=false`),
  get(`/api/v1/vin/${vin}/label`, {}, { note: 'as a test VIN' }),
  get(`/api/sticker/${vin}/preview`, {}, { note: 'as a test VIN' }),
  get(`/api/sticker/${vin}`, {}, { note: 'as a test VIN' }),
  head(`/api/sticker/${vin}`, {}, { note: 'as a test VIN' }),
]);

const LOOKUP = `/api/v1/vin/${c.HELD}`;
const PDF = `/api/sticker/${c.HELD}`;
const LABEL = `${LOOKUP}/label`;
const PREVIEW = `${PDF}/preview`;
const range = (value: string, more: Record<string, string> = {}) => get(PDF, { Range: value, ...more });

const requestCases: readonly Case[] = [
  ...['true', '1', 'FALSE', '0', 'maybe', '', '%66alse', 'true&sticker=false', '%zz'].map((value) =>
    get(`${LOOKUP}?sticker=${value}`),
  ),
  get(`${LOOKUP}?unknown=1&contact=example.org`),
  get(LOOKUP, { 'X-Contact': 'someone@example.org' }),
  get(LOOKUP, { Origin: 'https://example.org' }),
  get(LOOKUP, { Accept: 'text/csv' }),
  get(LOOKUP, c.BROWSER),
  get(LOOKUP.toLowerCase()),
  get(`${LOOKUP.toLowerCase()}?sticker=0&contact=a.example`),
  get(PDF.toLowerCase()),
  get(`${PDF.toLowerCase()}/preview?width=320`),
  get(LOOKUP, { 'If-Match': '"other"' }),
  get(LOOKUP, { 'If-Match': '{etag}' }),
  get(LOOKUP, { 'If-None-Match': '*' }),
  get(LOOKUP, { 'If-None-Match': '"other", {etag}' }),
  get(LOOKUP, { 'If-None-Match': 'W/{etag}' }),
  get(LOOKUP, { 'Accept-Encoding': 'br;q=0, *' }),
  get(`/api/v1/vin/${c.FAILED}`, { Prefer: 'wait=5' }),
  get(LOOKUP, { Prefer: 'wait=0' }),
  get(LOOKUP, { Prefer: 'respond-async, wait=999' }),
  get(LOOKUP, { Prefer: 'wait=soon' }),
  get(PDF, { Prefer: 'wait=3' }),
  get(`${LABEL}?include=text`),
  get(`${LABEL}?include=all`),
  ...['320', '640', '999', '640&width=320'].map((width) => get(`${PREVIEW}?width=${width}`)),
  get(`${PDF}?download=1`),
  head(`${PDF}?download=1`),
  get(`${PDF}?download=1&download=1`),
  get(`${PDF}?download=yes`),
  get(PDF, { 'Accept-Encoding': 'br, gzip' }, { note: 'never compressed' }),
  range('bytes=0-99'),
  range('bytes=100-'),
  range('bytes=-50'),
  range('bytes=0-0,10-20'),
  range('bytes=9999999-'),
  range('bytes=5-1'),
  range('lines=1-2'),
  range('bytes=0-99', { 'If-Range': '{etag}' }),
  range('bytes=0-99', { 'If-Range': '"other"' }),
  range('bytes=0-99', { 'If-Range': '{modified}' }),
  range('bytes=0-99', { 'If-None-Match': '{etag}' }),
  head(PDF, { Range: 'bytes=0-99' }),
  get(PDF, { 'If-Modified-Since': '{modified}' }),
  get(PDF, { 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' }),
  get(PDF, { 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' }),
  get(PDF, { 'If-Match': '"other"' }),
  ...[
    '',
    'I',
    '1FMUK8DHOTG000000',
    '1FMUK8DH0TG00000',
    `${c.HELD}0`,
    '1FMUK8DH0TG00000%30',
    '%00',
    '%F0%9F%9A%97',
    '%zz',
    'A'.repeat(3000),
  ].map((segment) => get(`/api/v1/vin/${segment}`)),
  get('/api/sticker/1FMUK8DHOTG000000'),
  get('/api/v1/vin/1FMUK8DHOTG000000/label'),
  get('/api/sticker/1FMUK8DHOTG000000/preview'),
  ...[
    '/api/',
    '/api/v1',
    '/api/v2/vin/1',
    '/api//v1',
    `${LOOKUP}/label/x`,
    '/vpic/api/vehicles/NoSuch/1',
  ].map((path) => get(path)),
  get('/api/nothing', c.BROWSER),
  ...['PUT', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'].map((method) => send(method, LOOKUP)),
  send('OPTIONS', LOOKUP),
  send('OPTIONS', '/api/nothing'),
  get('/healthz', { 'If-None-Match': '{etag}' }, { note: 'never stored' }),
];

const DECODE = '/api/v1/decode';
const JSON_TYPE = 'application/json';
const vins = (count: number) => JSON.stringify({ vins: Array.from({ length: count }, () => c.HELD) });

const batchCases: readonly Case[] = [
  post(DECODE, JSON_TYPE, JSON.stringify({ vins: specimens.map(({ vin }) => vin) })),
  post(DECODE, JSON_TYPE, BATCH, { Accept: 'application/x-ndjson' }),
  post(DECODE, JSON_TYPE, BATCH, { 'Accept-Encoding': 'br' }),
  post(DECODE, 'text/plain', BATCH),
  post(DECODE, JSON_TYPE, BATCH, { 'Content-Encoding': 'gzip' }),
  ...[
    '',
    '{',
    '[]',
    'null',
    '{"vins":[]}',
    '{"vins":"x"}',
    '{"vins":[1]}',
    '{"vins":[null]}',
    vins(51),
    `{"vins":["${'x'.repeat(70_000)}"]}`,
  ].map((body) => post(DECODE, JSON_TYPE, body)),
  send('POST', DECODE, {}, { note: 'without a body' }),
  post(DECODE, JSON_TYPE, vins(50)),
  post(`${DECODE}?contact=example.org`, JSON_TYPE, BATCH),
];

const VPIC = '/vpic/api/vehicles';

export const vpicCases: readonly Case[] = [
  ...['/vpic', '/vpic/', '/vpic/api', VPIC, `${VPIC}/`].map((path) => get(path)),
  get(`${VPIC}/decodevin/${c.HELD.toLowerCase()}?format=json&modelyear=2026`),
  get(`${VPIC}/DecodeVin/${c.HELD}/`),
  get(`${VPIC}/DecodeVinValues/${c.HELD}?format=xml`),
  get(`${VPIC}/DecodeVinValues/${c.HELD}?format=csv`),
  get(`${VPIC}/DecodeVinValues/${c.HELD}?format=json&format=json`),
  get(`${VPIC}/DecodeVinValues/${c.HELD}?modelyear=soon`),
  get(`${VPIC}/DecodeVinValues/1FMUK8DH*TG`),
  get(`${VPIC}/DecodeVinValues/${'A'.repeat(101)}`),
  get(`${VPIC}/DecodeVinValues/%zz`),
  get(`${VPIC}/DecodeVinValues/%2531FMUK8DH`),
  get(`${VPIC}/DecodeVinValues/${c.HELD}`, { 'If-None-Match': '{etag}' }),
  get(`${VPIC}/DecodeVinValues/${c.HELD}`, { 'Accept-Encoding': 'gzip' }),
  get(`${VPIC}/DecodeWMI/ZZZ`),
  get(`${VPIC}/GetModelsForMake/mercedes%20benz`),
  get(`${VPIC}/GetModelsForMakeId/x`),
  get(`${VPIC}/GetModelsForMakeYear/make/honda/modelyear/x`),
  post(`${VPIC}/DecodeVINValuesBatch/`, FORM, `format=json&data=${c.HELD};5UXWX7C5*BA, 2011`),
  post(`${VPIC}/DecodeVINValuesBatch`, FORM, 'data='),
  post(`${VPIC}/DecodeVINValuesBatch`, FORM, `data=${`${c.HELD};`.repeat(51)}`),
  post(`${VPIC}/DecodeVINValuesBatch`, JSON_TYPE, BATCH),
  post(`${VPIC}/DecodeVINValuesBatch`, FORM, `data=${'x'.repeat(70_000)}`),
];

/** Documents for programs that aren't in OpenAPI. */
const DOCUMENTS = [
  '/openapi.json',
  '/openapi.yaml',
  '/api/v1/',
  ...['vin-response', 'label', 'problem', 'status'].map((name) => `/schemas/${name}.json`),
  ...[
    'api-catalog',
    'mcp/server-card.json',
    'ai-catalog.json',
    'agent-skills/index.json',
    'security.txt',
  ].map((name) => `/.well-known/${name}`),
  ...['robots.txt', 'llms.txt', 'llms-full.txt', 'sitemap.xml', 'status.atom', 'manifest.webmanifest'].map(
    (name) => `/${name}`,
  ),
  ...['icon.svg', 'favicon.svg', 'favicon.ico', 'apple-touch-icon.png', 'icon-192.png', 'icon-512.png'].map(
    (name) => `/${name}`,
  ),
  ...['limits', 'server'].map((name) => `/${name}.json`),
  '/mcp/server-card',
  '/skills/window-sticker/SKILL.md',
];

export const documentCases: readonly Case[] = [
  ...DOCUMENTS.flatMap((path) => [get(path), head(path)]),
  ...negotiated('/openapi.json'),
  get('/favicon.ico', { 'If-None-Match': '{etag}' }),
  get('/llms.txt', c.BROWSER),
  get('/robots.txt?utm=1'),
  get('/robots.txt/'),
  get('/.well-known/openid-configuration'),
  get('/.well-known/oauth-authorization-server', c.BROWSER),
  get('/.well-known/oauth-protected-resource'),
  get('/.well-known/oauth-protected-resource/mcp'),
  get('/nothing.json'),
  send('OPTIONS', '/openapi.json', { Origin: 'https://example.org', 'Access-Control-Request-Method': 'GET' }),
  send('OPTIONS', '/nothing.json'),
  send('POST', '/openapi.json', {}, { body: 'x' }),
  send('POST', '/.well-known/nothing', {}, { body: 'x' }),
];

export const apiCases: readonly Case[] = [...requestCases, ...batchCases];
