import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { hasRightCheckDigit } from '@monroney/vin';
import { specimens } from '../src/lookup/specimens/index.ts';
import { securityTxt } from '../src/site/discovery/crawler-files.ts';
import { startService } from './service.ts';
import { serviceOfFile } from './simulated.ts';

/**
 * The documents for programs, assistants and crawlers, and the text pages. `golden/` records each of them, and its rules
 * apply to all.
 */

const BASE = 'https://labels.example';
const service = await serviceOfFile({ BASE_URL: BASE, SOURCE_ORIGIN: 'http://127.0.0.1:9' });

async function text(path: string, accept = '*/*'): Promise<string> {
  const response = await service.get(path, { headers: { accept } });
  assert.equal(response.status, 200, path);
  return response.text();
}
const json = async <T>(path: string) => JSON.parse(await text(path)) as T;

interface Coverage {
  make: string;
  source: string;
  state: string;
  kind: string;
  years: string;
  lastWorked: string | null;
  verifiedOn: number;
}

test('health checks, the status and explanations of errors can be revalidated, as /openapi.json says', async () => {
  for (const path of ['/healthz', '/readyz', '/status.json', '/errors/no-label']) {
    // `service.get` checks that the document has these responses.
    const conditional = async (headers: Record<string, string>) =>
      (await service.get(path, { headers })).status;
    assert.equal(await conditional({ 'if-none-match': '*' }), 304, path);
    assert.equal(await conditional({ 'if-match': '"another"' }), 412, path);
  }
});

test('security.txt expires in more than 30 days and less than a year', () => {
  const now = Date.UTC(2026, 10, 17, 15);
  const [, expires] = /^Expires: (\S+)$/m.exec(securityTxt(BASE, null, now))!;
  const days = (Date.parse(expires!) - now) / 86_400_000;
  assert.ok(days > 30 && days < 365, expires);
});

test('without SECURITY_CONTACT, security.txt links to a page that explains how to report a problem', async () => {
  const contact = /^Contact: (\S+)$/m.exec(await text('/.well-known/security.txt'))![1]!;
  const page = await text(new URL(contact).pathname, 'text/html');
  const section = /A security problem:.*?<\/li>/s.exec(page)![0];
  assert.match(section, /has not provided a contact.*Report a vulnerability.*source repository/s);
  assert.doesNotMatch(section, /security\.txt/);
});

test('what the operator sets, switches off and counts shows up in documents, the feed and the pages', async (t) => {
  const other = await startService({ SECURITY_CONTACT: 'mailto:security@labels.example' });
  t.after(() => other.close());
  const { store, lookup } = other.runtime;
  const since = Date.UTC(2026, 10, 12);
  const reason = 'Kia & <friends> asked for a pause';
  await store.setSwitch({ source: 'kia', state: 'off', reason, since });
  await lookup.switches.refresh();
  for (const outcome of ['label', 'label', 'none', 'refused', 'failed'] as const)
    // oxlint-disable-next-line tests/no-clock -- The page shows the last days.
    await store.countSourceRequest('ford', Date.now(), outcome, 1500);
  // oxlint-disable-next-line tests/no-clock -- As above.
  await store.countSourceRequest('gm', Date.now(), 'label', 1500);
  const pages: [path: string, ...expected: RegExp[]][] = [
    ['/.well-known/security.txt', /^Contact: mailto:security@labels\.example$/m],
    ['/support', /<a href="mailto:security@labels\.example">/],
    ['/status.json', /"state":"off","reason":"Kia & <friends> asked for a pause"/],
    [
      '/status.atom',
      /<title>We paused lookups for Kia: Kia &amp; &lt;friends&gt; asked for a pause\.<\/title>/,
      new RegExp(`<updated>${new Date(since).toISOString()}</updated>`),
    ],
    ['/makes/kia', /Paused/, /Kia &amp; &lt;friends&gt; asked for a pause/],
    [
      '/status',
      /Paused/,
      /Kia &amp; &lt;friends&gt; asked for a pause/,
      /5 lookups: 2 stickers, 1 none, 1 refused, 1 failed/,
      /1 lookup: 1 sticker</,
      /class="bar-refused"/,
      /class="bar-failed"/,
      /Unstable/,
    ],
  ];
  for (const [path, ...expected] of pages) {
    const body = await (await other.get(path, { headers: { accept: 'text/html, */*;q=0.5' } })).text();
    for (const pattern of expected) assert.match(body, pattern, path);
  }
});

test('/status.json matches its published schema', async () => {
  const ajv = new Ajv2020({ strict: false });
  ajvFormats.default(ajv);
  const validate = ajv.compile(await json<object>('/schemas/status.json'));
  assert.ok(validate(await json('/status.json')), JSON.stringify(validate.errors));
});

test('every limit of /limits.json is on the page about limits, with the same figures', async () => {
  const { limits, connection, connections, request } = JSON.parse(await text('/limits.json')) as {
    limits: Record<string, number | string>[];
    connection: Record<string, number>;
    connections: number;
    request: { bodyBytes: number; headerBytes: number; vins: number };
  };
  const page = await text('/docs/limits.md');
  const { bodyBytes, headerBytes, vins } = request;
  const figures = [
    ...limits.flatMap(({ requests, atOnce }) => [requests, atOnce]),
    ...Object.values(connection),
    connections,
    bodyBytes / 1024,
    headerBytes / 1024,
    vins,
  ];
  for (const figure of figures.filter((one) => one !== undefined))
    assert.match(page, new RegExp(`\\b${figure.toLocaleString('en')}\\b`));
});

test('/api/v1/makes has one row per make with the words of the status page', async () => {
  const { ok, makes } = JSON.parse(await text('/api/v1/makes')) as { ok: boolean; makes: Coverage[] };
  const { sources } = JSON.parse(await text('/status.json')) as {
    sources: (Coverage & { makes: string[] })[];
  };
  assert.ok(ok);
  assert.deepEqual(
    makes.map(({ make, source, state }) => [make, source, state]),
    sources.flatMap(({ makes: names, source, state }) => names.map((make) => [make, source, state])),
  );
  const { verifiedOn, kind, years, lastWorked } = makes.find(({ make }) => make === 'Lexus')!;
  assert.deepEqual([verifiedOn, kind, lastWorked], [0, 'dealer-copy', null]);
  assert.match(years, /\d{4}/);
});

test('the skill index has the digest of the served file and a valid name', async () => {
  const index = JSON.parse(await text('/.well-known/agent-skills/index.json')) as {
    skills: { name: string; type: string; description: string; url: string; digest: string }[];
  };
  const [skill] = index.skills;
  const file = await text(skill!.url.slice(BASE.length));
  assert.equal(skill!.digest, `sha256:${hash('sha256', file, 'hex')}`);
  assert.match(skill!.name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  assert.ok(skill!.description.length > 50 && skill!.description.length <= 1024);
  assert.match(file, new RegExp(`^---\\nname: ${skill!.name}\\n`));
  assert.doesNotMatch(file, /\{\{/);
});

test('llms-full.txt has the documentation pages, with absolute links', async () => {
  const full = await text('/llms-full.txt');
  for (const title of ['# Limits', '# Privacy', '# Trust', '# Roadmap'])
    assert.ok(full.includes(title), title);
  assert.doesNotMatch(full, /\]\(\//);
});

test('every test VIN is listed and responds with the listed status', async () => {
  const body = await text('/docs/specimens.md');
  for (const { vin, state } of specimens) {
    const line = body.split('\n').find((row) => row.includes(vin));
    assert.ok(line, vin);
    const { status } = await service.get(`/api/sticker/${vin}`);
    const listed = /PDF (\d{3})/.exec(line)?.[1] ?? '200';
    assert.equal(String(status), listed, `${vin} (${state})`);
  }
});

test('every VIN in the README and the docs has a right check digit, unless it is a specimen', () => {
  const specimenVins = new Set(specimens.map(({ vin }) => vin));
  const files = globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md']);
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?=\w*\d)(?=\w*[A-Z])[A-HJ-NPR-Z0-9]{17}\b/g)].map(
      ([vin]) => ({
        file,
        vin,
      }),
    ),
  );
  assert.ok(found.length > 20);
  assert.deepEqual(
    found.filter(({ vin }) => !hasRightCheckDigit(vin) && !specimenVins.has(vin)),
    [],
  );
});

test('each version in the changelog has a date and says what an operator has to do', () => {
  const [, ...versions] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  assert.ok(versions.length > 0);
  for (const version of versions) {
    assert.match(version, /^\d+\.\d+\.\d+ \([A-Z][a-z]+ \d{1,2}, \d{4}\)\n/);
    assert.match(version, /^### What an operator has to do\n\n\S/m, version.slice(0, 30));
  }
});

test('the commands that get a new version are the same in all documents', () => {
  const section = (file: string, heading: string) =>
    readFileSync(`docs/${file}`, 'utf8')
      .split(/^##+ /m)
      .find((part) => part.startsWith(`${heading}\n`))!;
  const commands = section('small-server.md', 'Keep it up to date').match(/^git .*$/gm) ?? [];
  assert.equal(commands.length, 2);
  for (const command of commands)
    assert.ok(section('operations.md', 'Upgrade').includes(`\`${command}\``), command);
});

test('every link to a file in a Markdown file leads to one', () => {
  const files = globSync(['*.md', '{docs,test,src,tools,examples,deploy}/**/*.md', 'packages/*/*.md'], {
    // What other programs installed has Markdown files of its own.
    exclude: ['**/node_modules/**', 'tools/third-party/venv*/**'],
  });
  assert.ok(files.length > 40, `only ${files.length} files were found`);
  const dead = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\]\(([^\s():#{}/][^\s():#{}]*)(?:#[^\s()]*)?\)/g)]
      .filter(([, target]) => !existsSync(join(dirname(file), target!)))
      .map(([link]) => `${file}: ${link}`),
  );
  assert.deepEqual(dead, []);
});
