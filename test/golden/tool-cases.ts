import { specimens } from '../../src/lookup/specimens/index.ts';
import { tools } from '../../src/mcp/tools.ts';
import { message } from '../mcp-client.ts';
import * as c from './case.ts';
import { BASE, BROWSER, get, post, send, type Case } from './case.ts';

/** `/mcp`, in both eras of the protocol. */

const JSON_TYPE = 'application/json';
const ERAS = ['2026-07-28', '2025-11-25'] as const;
const REVISIONS = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
  '2026-07-28',
  '1999-01-01',
];

function call(
  era: (typeof ERAS)[number],
  method: string,
  params?: Record<string, unknown>,
  headers: Record<string, string> = {},
): Case {
  const { headers: own, body } = message(era, method, params);
  return rpc(body, { ...own, ...headers }, `${era} ${method} ${JSON.stringify(params ?? {})}`);
}

function rpc(body: unknown, headers: Record<string, string> = {}, name?: string): Case {
  const request = post('/mcp', JSON_TYPE, typeof body === 'string' ? body : JSON.stringify(body), headers);
  return name === undefined
    ? request
    : {
        ...request,
        name: `POST /mcp ${name}${Object.hasOwn(headers, 'Accept') ? ` [Accept: ${headers.Accept}]` : ''}`,
      };
}

const tool = (
  name: string,
  args: Record<string, unknown>,
  era: (typeof ERAS)[number] = '2025-11-25',
  headers?: Record<string, string>,
) => call(era, 'tools/call', { name, arguments: args }, headers);

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/** Tools with test VINs, and with arguments they do not take. */
const calls: readonly Case[] = [
  ...specimens.flatMap(({ vin }) => [
    tool('get_window_sticker', { vin }),
    tool('read_window_sticker', { vin }),
  ]),
  ...[c.HELD, c.NONE, c.UNKNOWN].map((vin) => tool('decode_vin', { vin })),
  ...[c.HELD, c.PICTURE, c.FAILED, c.OFF, c.NO_SOURCE].map((vin) => tool('explain_missing_sticker', { vin })),
  ...['small', 'medium', 'huge'].map((size) => tool('show_window_sticker', { vin: c.HELD, size })),
  tool('show_window_sticker', { vin: c.NONE }),
  tool('compare_window_stickers', { vins: [c.HELD, c.JEEP] }),
  tool('compare_window_stickers', { vins: [c.HELD, c.NONE] }),
  tool('compare_window_stickers', { vins: [c.HELD] }),
  tool('decode_vins', { vins: [c.HELD, c.NONE, 'x'] }),
  tool('decode_vins', { vins: `${c.HELD}, ${c.JEEP}` }),
  tool('list_covered_makes', {}),
  tool('list_covered_makes', { make: 'chevy' }),
  tool('list_covered_makes', { make: 'Honda' }),
  tool('get_window_sticker', { vin: '1FMUK8DHOTG000000' }),
  tool('get_window_sticker', {}),
  tool('get_window_sticker', { vin: 1 }),
  tool('get_window_sticker', { vin: c.HELD, color: 'red' }),
  tool('no_such_tool', {}),
  ...['get_window_sticker', 'read_window_sticker', 'decode_vin'].map((name) =>
    tool(name, { vin: c.HELD }, '2026-07-28'),
  ),
  tool('no_such_tool', {}, '2026-07-28'),
  tool('decode_vin', { vin: c.HELD }, '2025-11-25', { Accept: 'text/event-stream' }),
  tool('decode_vin', { vin: c.HELD }, '2026-07-28', { Accept: 'text/plain' }),
  ...ERAS.map((era) =>
    call(
      era,
      'tools/call',
      {
        name: 'get_window_sticker',
        arguments: { vin: c.HELD },
        ...(era === '2025-11-25' ? { _meta: { progressToken: 1 } } : {}),
      },
      {
        Accept: 'application/json, text/event-stream',
      },
    ),
  ),
];

/** The example of each tool that isn't called so far. */
const examples: readonly Case[] = tools
  .filter(({ name }) => !calls.some((call) => call.name.includes(`"${name}"`)))
  .map(({ name, example }) => tool(name, example({ held: c.HELD, another: c.JEEP, none: c.NONE })));

const methods: readonly Case[] = ERAS.flatMap((era) => [
  ...[
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'ping',
    'server/discover',
    'subscriptions/listen',
    'no/such',
  ].map((method) => call(era, method)),
  call(era, 'prompts/get', { name: 'compare_two_cars', arguments: { first: c.HELD, second: c.JEEP } }),
  call(era, 'prompts/get', { name: 'judge_asking_price', arguments: { vin: c.HELD } }),
  call(era, 'prompts/get', { name: 'nothing' }),
  call(era, 'prompts/get', { name: 'constructor' }),
  ...[
    'monroney://coverage',
    'monroney://coverage/ford',
    `vin://${c.HELD}`,
    'vin://x',
    `${BASE}/api/sticker/${c.HELD}`,
    `${BASE}/api/sticker/${c.HELD}/preview`,
    `${BASE}/api/sticker/${c.NONE}`,
    'ui://monroney/window-sticker.html',
    'nothing://x',
  ].map((uri) => call(era, 'resources/read', { uri })),
  call(era, 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'compare_two_cars' },
    argument: { name: 'first', value: '1f' },
  }),
]);

const listing = message('2025-11-25', 'tools/list').body;
const listed = JSON.stringify(listing);

const transport: readonly Case[] = [
  ...REVISIONS.map((version) => rpc(initialize(version))),
  ...REVISIONS.map((version) => rpc(listing, { 'MCP-Protocol-Version': version })),
  rpc({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  rpc({ jsonrpc: '2.0', id: 1, result: {} }),
  rpc({ jsonrpc: '1.0', id: 1, method: 'ping' }),
  rpc({ id: 1, method: 'ping' }),
  rpc({ jsonrpc: '2.0', id: null, method: 'ping' }),
  rpc({ jsonrpc: '2.0', id: 'text', method: 'ping' }),
  ...[
    '',
    '{',
    'null',
    '1',
    '[]',
    `[${listed}]`,
    `${'['.repeat(101)}${']'.repeat(101)}`,
    `[${'0,'.repeat(501)}0]`,
    `"${'x'.repeat(70_000)}"`,
    `\uFEFF${listed}`,
  ].map((body) => rpc(body)),
  post('/mcp', 'text/plain', listed),
  post('/mcp', 'application/json; charset=utf-8', listed),
  send('POST', '/mcp', {}, { body: listed, note: 'without a type' }),
  post('/mcp/', JSON_TYPE, listed),
  post('/mcp?contact=example.org', JSON_TYPE, listed),
  post('/mcp', JSON_TYPE, listed, { Accept: 'text/html' }),
  post('/mcp', JSON_TYPE, listed, { Host: 'evil.example' }),
  post('/mcp', JSON_TYPE, listed, { Host: 'stickers.example:443', Origin: 'https://evil.example' }),
  post('/mcp', JSON_TYPE, listed, { 'Accept-Encoding': 'gzip, br' }),
  get('/mcp'),
  get('/mcp', BROWSER),
  get('/mcp', { Accept: 'text/event-stream' }),
  get('/mcp', { Accept: 'text/html, text/event-stream' }),
  ...['HEAD', 'DELETE', 'PUT'].map((method) => send(method, '/mcp')),
  send('OPTIONS', '/mcp', {
    Origin: 'https://example.org',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type, mcp-protocol-version',
  }),
  send('OPTIONS', '/mcp/'),
];

export const toolCases: readonly Case[] = [...transport, ...methods, ...calls, ...examples];
