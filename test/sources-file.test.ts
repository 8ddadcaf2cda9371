import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../src/config.ts';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { impossibleVin } from '../src/lookup/check.ts';
import { sources } from '../src/makers/index.ts';
import { parseOverrides } from '../src/makers/overrides.ts';
import { labelOf } from '../tools/simulator/labels.ts';
import { sheetOf } from '../tools/simulator/reply.ts';
import { startHttpServer } from './http-server.ts';
import { admin } from './in-process.ts';
import { folderWithStore, temporaryFolder, newVin } from './operator.ts';
import { startService } from './service.ts';

/** `SOURCES_FILE`: adapting to a source's new URL and wording without a release. */

const docs = readFileSync(new URL('../docs/watching-sources.md', import.meta.url), 'utf8');
const example = /```json\n([^]*?)```/.exec(docs)![1]!;
const ids = sources.map(({ id }) => id);

test('the documented example is a valid file', () => {
  const { overrides, faults } = parseOverrides(example, ids);
  assert.deepEqual(faults, []);
  assert.deepEqual(Object.keys(overrides), ['gm', 'kia']);
});

test('the service uses the URL, headers and response texts from the file', async (t) => {
  const received: { url: string; headers: IncomingHttpHeaders }[] = [];
  const bodies = new Map<string, { type: string; body: string | Buffer }>();
  const origin = await startHttpServer(t, (request, response) => {
    received.push({ url: request.url!, headers: request.headers });
    const { type, body } = bodies.get(/[A-Z0-9]{17}/.exec(request.url!)![0])!;
    response.writeHead(200, { 'Content-Type': type }).end(body);
  });
  const file = `${temporaryFolder(t)}/sources.json`;
  const moved = {
    gm: {
      addresses: ['https://stickers.gm.example/v3/{VIN}.pdf'],
      headers: {
        Accept: 'application/pdf',
        Referer: 'https://www.gm.example/',
        Origin: 'https://www.gm.example',
      },
      none: ['...', 'Nothing  on file'],
      refused: ['Please come back with a browser'],
    },
  };
  writeFileSync(file, JSON.stringify(moved));
  const env = { SOURCES_FILE: file, SOURCE_ORIGIN: origin };
  const service = await startService(env);
  t.after(() => service.close());
  const gm = sources.find(({ id }) => id === 'gm')!;
  const lookUp = async (type: string, bodyFor: (vin: string) => string | Buffer) => {
    const vin = newVin('gm');
    bodies.set(vin, { type, body: bodyFor(vin) });
    const { windowSticker } = await service.json<VinResponse>(`/api/v1/vin/${vin}`);
    return windowSticker.reason ?? 'available';
  };
  assert.equal(await lookUp('application/pdf', (vin) => labelOf(gm, 'cws.gm.com', vin)), 'available');
  const [first] = received;
  assert.match(first!.url, /^\/stickers\.gm\.example\/v3\/[A-Z0-9]{17}\.pdf$/);
  assert.equal(first!.headers.accept, 'application/pdf');
  // Operators who may speak for a site can name it; by default we name none.
  assert.equal(first!.headers.referer, 'https://www.gm.example/');
  assert.equal(first!.headers.origin, 'https://www.gm.example');
  assert.match(first!.headers['user-agent']!, /^Monroney/);
  // In plain text, in a PDF, and as a built-in text.
  assert.equal(await lookUp('text/plain', () => 'Sorry: nothing\non file for you.'), 'no-label');
  assert.equal(await lookUp('application/pdf', () => sheetOf(['NOTHING ON FILE'])), 'no-label');
  assert.equal(
    await lookUp('application/json', () => '{"errorMessage":"No Window Sticker found"}'),
    'no-label',
  );
  assert.equal(await lookUp('text/html', () => '<html>Please come back with a browser'), 'source-refused');

  // Without "...", the operator's texts for "none" replace the built-in ones, in `admin check` too.
  writeFileSync(file, JSON.stringify({ gm: { ...moved.gm, none: ['Nothing on file'] } }));
  const vin = newVin('gm');
  bodies.set(vin, { type: 'application/json', body: '{"errorMessage":"No Window Sticker found"}' });
  bodies.set(impossibleVin(gm), { type: 'text/plain', body: 'Nothing on file' });
  const checkEnv = { ...env, DATA_DIR: await folderWithStore(t), SOURCE_PACE_MS: '0' };
  const checked = await admin(checkEnv, 'check', '--vin', vin, '--json');
  const rows = (JSON.parse(checked.out) as { checked: { verdict: string; url: string }[] }).checked;
  assert.deepEqual(
    rows.map(({ verdict }) => verdict),
    ['failed', 'none'],
  );
  assert.ok(rows.every(({ url }) => url.startsWith('https://stickers.gm.example/')));
});

test('an invalid file prevents startup; the error names the JSON path and the fix', (t) => {
  const file = `${temporaryFolder(t)}/sources.json`;
  const faultsOf = (content: unknown, env: Record<string, string> = {}) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    try {
      readConfig({ SOURCES_FILE: file, ...env });
      return '';
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      for (const line of error.message.split('\n'))
        assert.ok(line.startsWith(`SOURCES_FILE (${file}): `), line);
      return error.message.replaceAll(`SOURCES_FILE (${file}): `, '');
    }
  };
  const bad: [unknown, RegExp][] = [
    ['{"gm": ', /^It isn't JSON: /],
    [[], /^It must be an object of sources/],
    [{ tesla: {} }, /^tesla is not a source\. Sources: ford, gm, /],
    [
      { gm: 'https://x.example' },
      /^gm must be an object with any of addresses, hosts, headers, none, refused\.$/,
    ],
    [{ gm: { adresses: [] } }, /^gm\.adresses is unknown\. Fields: addresses, /],
    [{ gm: { addresses: [] } }, /^gm\.addresses must be a list of 1 to 20 strings/],
    [
      { gm: { hosts: ['ok.example', 'https://x.example'] } },
      /^gm\.hosts\[1\] is "https:\/\/x\.example"\. It must be /,
    ],
    [
      { gm: { none: ['no'] } },
      /^gm\.none\[0\] is "no"\. It must be words of 4 to 200 characters, or "\.\.\."/,
    ],
    [{ gm: { refused: 'Access Denied' } }, /^gm\.refused must be a list of at most 20 strings/],
    [
      { gm: { headers: { 'User-Agent': 'Mozilla' } } },
      /^gm\.headers\["User-Agent"\] can't be set\. Remove it\.$/,
    ],
    [{ gm: { headers: { Cookie: 'a=b' } } }, /^gm\.headers\["Cookie"\] can't be set/],
    [
      { gm: { headers: { Accept: 'a\r\nX: y' } } },
      /^gm\.headers\["Accept"\] is "a\\r\\nX: y"\. It must be a valid header/,
    ],
  ];
  for (const [content, message] of bad) assert.match(faultsOf(content), message);
  for (const url of [
    'http://x.example/{VIN}',
    'https://x.example/label.pdf',
    'https://{VIN}.example/label.pdf',
    'https://me:secret@x.example/{VIN}',
    'https://127.0.0.1/{VIN}',
    'https://[::1]/{VIN}',
    'https://169.254.169.254/{VIN}',
    'https://2130706433/{VIN}',
    'https://localhost/{VIN}',
    'not a URL {VIN}',
    7,
  ])
    assert.match(
      faultsOf({ gm: { addresses: ['https://x.example/{VIN}', url] } }),
      /^gm\.addresses\[1\] is .*\. It must be an https:\/\/ URL of a public host name/,
      String(url),
    );
  // All errors are reported at once.
  assert.equal(faultsOf({ gm: { none: [1] }, kia: { hosts: 1 } }).split('\n').length, 2);
  const both = { gm: { addresses: ['https://x.example/{VIN}'] } };
  assert.match(
    faultsOf(both, { ADDRESS_GM: 'https://y.example/{VIN}' }),
    /^gm\.addresses is also set by ADDRESS_GM\. Remove one of them\.$/,
  );
  assert.throws(
    () => readConfig({ SOURCES_FILE: '/nowhere.json' }),
    /^ConfigError: SOURCES_FILE can't be read: ENOENT/,
  );
  assert.equal(faultsOf({ $schema: 'x', gm: { hosts: [] } }), '');
});
