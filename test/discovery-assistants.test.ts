import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { tools } from '../src/mcp/tools.ts';
import { BASE, startDocuments } from './document-service.ts';

/** The documents for AI assistants and their installers, over real sockets. */

const { service, text } = await startDocuments();

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

test('the MCP server card and the registry file agree and point to /mcp', async () => {
  type Card = Record<'$schema' | 'name' | 'title' | 'description' | 'version', string> & {
    remotes: { url: string }[];
  };
  const card = JSON.parse(await text('/mcp/server-card')) as Card;
  const registry = JSON.parse(await text('/server.json')) as Card;
  assert.equal(card.name, 'example.labels/window-stickers');
  assert.equal(card.remotes[0]!.url, `${BASE}/mcp`);
  for (const key of ['name', 'title', 'description', 'version'] as const)
    assert.equal(card[key], registry[key], key);
  assert.ok(registry.description.length <= 100);
  assert.match(registry.name, /^[a-z0-9.-]+\/[a-z0-9._-]+$/);
  assert.match(registry.$schema, /2025-12-11\/server\.schema\.json$/);
  assert.deepEqual(registry.remotes, [{ type: 'streamable-http', url: `${BASE}/mcp` }]);
  const catalog = JSON.parse(await text('/.well-known/ai-catalog.json')) as {
    entries: { url: string; capabilities?: string[] }[];
  };
  assert.deepEqual(
    catalog.entries[0]!.capabilities,
    tools.map(({ name }) => name),
  );
});

test('the install links have the format that Cursor, LM Studio, VS Code and Kiro expect', async () => {
  const page = await text('/connect.md');
  const link = (name: string) => new URL(new RegExp(`\\[Add to ${name}\\]\\(([^)]+)\\)`).exec(page)![1]!);
  for (const [name, expected] of [
    ['Cursor', 'https://cursor.com/en/install-mcp'],
    ['LM Studio', 'https://lmstudio.ai/install-mcp'],
  ] as const) {
    const url = link(name);
    assert.equal(`${url.origin}${url.pathname}`, expected);
    assert.equal(url.searchParams.get('name'), 'monroney');
    const config = Buffer.from(url.searchParams.get('config')!, 'base64').toString('utf8');
    assert.deepEqual(JSON.parse(config), { url: `${BASE}/mcp` });
  }
  const kiro = link('Kiro');
  assert.equal(`${kiro.origin}${kiro.pathname}`, 'https://kiro.dev/launch/mcp/add');
  assert.deepEqual(JSON.parse(kiro.searchParams.get('config')!), { url: `${BASE}/mcp` });
  const code = link('VS Code');
  assert.equal(`${code.origin}${code.pathname}`, 'https://vscode.dev/redirect/mcp/install');
  assert.equal(code.searchParams.get('name'), 'monroney');
  assert.deepEqual(JSON.parse(code.searchParams.get('config')!), { type: 'http', url: `${BASE}/mcp` });
});

test('llms.txt names every tool and make, and links to the main documents', async () => {
  const llms = await text('/llms.txt');
  assert.match(llms, /^# Monroney\n\n> /);
  for (const { name } of tools) assert.ok(llms.includes(`- ${name}: `), name);
  for (const { makes } of service.runtime.lookup.sources) {
    for (const make of makes) assert.match(llms, new RegExp(`\\b${make}\\b`, 'i'));
  }
  for (const path of ['/openapi.json', '/mcp', '/docs/limits.md', '/docs/privacy.md', '/status.json']) {
    assert.ok(llms.includes(`${BASE}${path}`), path);
  }
});

test('llms-full.txt has the documentation pages, with absolute links', async () => {
  const full = await text('/llms-full.txt');
  for (const title of ['# Limits', '# Privacy', '# Trust', '# Roadmap'])
    assert.ok(full.includes(title), title);
  assert.doesNotMatch(full, /\]\(\//);
});
