import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OpenApi } from '../../tools/lint/document.ts';
import { startSimulator, type Simulator } from '../../tools/simulator/simulator.ts';
import { installPeers, peerPython, runPeer } from '../peers.ts';
import { startService, type Service } from '../service.ts';

/** Third-party linters of the OpenAPI document, and checks that the service follows it. */

const HERE = fileURLToPath(new URL('.', import.meta.url));
let simulator: Simulator;
let service: Service;
let folder: string;

before(async () => {
  installPeers();
  simulator = await startSimulator();
  service = await startService({ SOURCE_ORIGIN: simulator.origin });
  folder = mkdtempSync(join(tmpdir(), 'monroney-linters-'));
});
after(async () => {
  await service.close();
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Spectral's findings with our published ruleset, as `code path`. */
async function spectral(document: string): Promise<string[]> {
  const script = '@stoplight/spectral-cli/dist/index.js';
  const args = ['lint', document, '--ruleset', `${service.origin}/rulesets/spectral.json`];
  const { out, err } = await runPeer(script, [...args, '--format', 'json', '--quiet'], folder);
  assert.ok(out.trim().startsWith('['), `${out.slice(0, 1000)}${err.slice(0, 2000)}`);
  const findings = JSON.parse(out.slice(0, out.lastIndexOf(']') + 1)) as { code: string; path: string[] }[];
  return findings.map(({ code, path }) => `${code} ${path.join('.')}`);
}

test('Spectral finds nothing with its own rules and our published ruleset', async () => {
  assert.deepEqual(await spectral(`${service.origin}/openapi.json`), []);
});

test('every rule of the published ruleset finds its violation', async () => {
  const document = await service.json<OpenApi>('/openapi.json');
  const file = join(folder, 'broken.json');
  writeFileSync(file, JSON.stringify(violateEveryRule(document)));
  const codes = new Set((await spectral(file)).map((finding) => finding.split(' ')[0]));
  const { rules } = await service.json<{ rules: object }>('/rulesets/spectral.json');
  assert.deepEqual(
    Object.keys(rules).filter((name) => !codes.has(name)),
    [],
  );
});

type Loose = Record<string, any>; // eslint-disable-line typescript/no-explicit-any

/** A document that violates every rule at least once. */
function violateEveryRule(document: OpenApi): unknown {
  const changed = document as unknown as Loose;
  const { info, components, paths } = changed as { info: Loose; components: Loose; paths: Loose };
  changed['openapi'] = '3.1';
  for (const name of ['jsonSchemaDialect', 'security', 'externalDocs']) delete changed[name];
  info['version'] = 'one';
  delete info['summary'];
  changed['servers'][0].url = '/here';
  delete changed['tags'][0].description;
  const operation = paths['/api/v1/vin/{vin}'].get as Loose;
  Object.assign(operation, { operationId: 'vin', summary: 'Short.', description: 'no', tags: [] });
  const { responses } = operation as { responses: Loose };
  responses['default'] = responses['500'];
  for (const status of ['500', '429', '304']) delete responses[status];
  for (const name of ['RateLimit', 'ETag']) delete responses['200'].headers[name];
  responses['200'].content['application/json'] = { schema: {} };
  paths['/healthz'].get.responses['200'].content['application/json'].examples = {
    far: { externalValue: 'https://monroney.test/far' },
  };
  delete components['parameters'].Sticker.example;
  components['responses'].BadRequest.content = { 'text/plain': { schema: {} } };
  delete components['responses'].TooManyRequests.headers['Retry-After'];
  components['schemas'].bad_name = { type: 'object', properties: { Bad_one: { type: 'string' } } };
  components['schemas'].Paint.additionalProperties = false;
  return changed;
}

test('Schemathesis finds no response that violates the OpenAPI document', async (t) => {
  const python = peerPython();
  if (!python) return t.skip('skipped: no python3 with venv');
  const args = [
    'run',
    `${service.origin}/openapi.json`,
    '--phases=examples,coverage,fuzzing,stateful',
    '--max-examples=15',
    '--max-time=100',
    '--continue-on-failure',
    '--generation-deterministic',
    '--no-color',
  ];
  const env = { ...process.env, PYTHONPATH: HERE, SCHEMATHESIS_HOOKS: 'fresh_ip' };
  const config = ['--config-file', join(HERE, 'schemathesis.toml')];
  const { stdout } = await promisify(execFile)(join(python, '../schemathesis'), [...config, ...args], {
    cwd: folder,
    env,
    timeout: 230_000,
    maxBuffer: 1e8,
  }).catch((error: Error & { stdout?: string }) => assert.fail((error.stdout ?? error.message).slice(-6000)));
  const cases = Number(/(\d+) generated/.exec(stdout)?.[1]);
  assert.ok(cases > 500, stdout.slice(-2000));
  t.diagnostic(`${cases} requests`);
});
