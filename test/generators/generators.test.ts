import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPeers, peerGo, peerJars, peerPath, peerPython } from '../third-party.ts';
import { freshIp, startService, type Service } from '../service.ts';

/**
 * Third-party generators read `/openapi.json`, their output compiles, and the generated clients make typical calls to a
 * later version of the service: a lookup, a reading, a PDF, one that fails, one without a sticker, and a batch with an error.
 */

const STORED_VIN = '1FMUK8DH0TG000000';
const TYPESCRIPT = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const CALLERS = fileURLToPath(new URL('callers/', import.meta.url));
/** The configuration for openapi-python-client from the documentation. */
const CLIENTS_PAGE = '/docs/clients.md';

/** A code that no version of the service sends. */
const LATER_REASON = 'added-later';

let service: Service;
let later: Server;
let folder: string;
let missingVin: string;
let expected: unknown;
const run = (program: string, args: string[], cwd = folder, env: Record<string, string> = {}) =>
  promisify(execFile)(program, args, {
    cwd,
    env: { ...process.env, ...env },
    maxBuffer: 1e8,
  });

/** Every object has a new field, except `places`, which is a map, and no sticker has another reason. */
function addLater(key: string, value: unknown): unknown {
  if (value === 'no-label') return LATER_REASON;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || key === 'places') return value;
  return { ...value, addedLater: {} };
}

/** A later version of the service. */
function laterService(): Server {
  return createServer(({ url = '', method = 'GET', headers }, response) => {
    const { host: _, connection: __, 'accept-encoding': ___, ...sent } = headers;
    const forwarded = request(`${service.origin}${url}`, { method, headers: sent }, (answer) => {
      void answer.toArray().then((chunks) => {
        const body = Buffer.concat(chunks);
        const isJson = /[/+]json/.test(answer.headers['content-type']!);
        const changed = isJson ? Buffer.from(JSON.stringify(JSON.parse(body.toString(), addLater))) : body;
        response.writeHead(answer.statusCode!, { ...answer.headers, 'content-length': changed.length });
        response.end(changed);
      });
    });
    response.req.pipe(forwarded);
  });
}

before(async () => {
  installPeers();
  service = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });
  folder = mkdtempSync(join(tmpdir(), 'monroney-generated-'));
  symlinkSync(peerPath(''), join(folder, 'node_modules'));
  cpSync(CALLERS, folder, { recursive: true });

  const { specimens } = await import('../../src/lookup/specimens/index.ts');
  missingVin = specimens.find(({ state }) => state === 'none')!.vin;
  const lookup = await service.json<{ vehicle: { make: string }; windowSticker: { bytes: number } }>(
    `/api/v1/vin/${STORED_VIN}`,
  );
  const reading = await service.json<{ label: { prices: { total: number } } }>(
    `/api/v1/vin/${STORED_VIN}/label`,
  );
  const { bytes } = lookup.windowSticker;
  const { total } = reading.label.prices;
  assert.ok(total > 0);
  expected = {
    make: lookup.vehicle.make,
    bytes,
    total,
    pdf: [bytes, '%PDF-'],
    error: [404, LATER_REASON],
    later: LATER_REASON,
    batch: [lookup.vehicle.make, 'bad-vin'],
  };
  later = laterService().listen(0, '127.0.0.1');
  await once(later, 'listening');
});
after(async () => {
  later.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Throws an error with the program's output. */
function failWithOutput(error: Error & { stdout?: string; stderr?: string }): never {
  assert.fail(`${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`.slice(0, 4000));
}

const openapi = () => `${service.origin}/openapi.json`;

async function runCaller(program: string, args: string[], cwd?: string, env?: Record<string, string>) {
  const { stdout } = await run(
    program,
    [...args, `http://127.0.0.1:${(later.address() as AddressInfo).port}`, STORED_VIN, missingVin, freshIp()],
    cwd,
    env,
  );
  assert.deepEqual(JSON.parse(stdout), expected);
}

/** With strict settings. */
async function compile(file: string): Promise<string> {
  const types = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));
  const options = `--strict --target es2023 --lib es2023,dom,dom.iterable --types node --typeRoots ${types} --module nodenext --outDir out`;
  await run(process.execPath, [TYPESCRIPT, ...options.split(' '), file]).catch(failWithOutput);
  return join(folder, 'out', file.replace(/\.ts$/, '.js'));
}

test('a client from openapi-typescript and openapi-fetch compiles and works', async () => {
  await run(process.execPath, [
    peerPath('openapi-typescript/bin/cli.js'),
    openapi(),
    '--output',
    'schema.d.ts',
  ]);
  await runCaller(process.execPath, [await compile('openapi-fetch.ts')]);
});

test('a client from @hey-api/openapi-ts compiles and works', async () => {
  await run(process.execPath, [
    peerPath('@hey-api/openapi-ts/bin/run.js'),
    '--input',
    openapi(),
    '--output',
    'hey',
  ]);
  await runCaller(process.execPath, [await compile('hey-api.ts')]);
});

test('a client from openapi-python-client works with the documented settings', async (t) => {
  const python = peerPython();
  if (!python) return t.skip('skipped: no python3 with venv');
  const page = await (await service.get(CLIENTS_PAGE)).text();
  const settings = /```yaml\n(# openapi-python-client[^]*?)```/.exec(page)?.[1];
  assert.ok(settings, `${CLIENTS_PAGE} has the settings`);
  writeFileSync(join(folder, 'settings.yaml'), settings);
  const bin = join(python, '..');
  const { stdout } = await run(
    join(bin, 'openapi-python-client'),
    ['generate', '--url', openapi(), '--config', 'settings.yaml', '--meta', 'none', '--fail-on-warning'],
    folder,
    // It formats its output with the ruff in its folder.
    { PATH: `${bin}:${process.env['PATH']}` },
  ).catch(failWithOutput);
  assert.doesNotMatch(stdout, /warning/i);
  await run(python, ['-m', 'compileall', '-q', 'monroney']);
  await runCaller(python, ['caller.py']);
});

test('a client from oapi-codegen compiles and works', async (t) => {
  const codegen = peerGo('oapi-codegen');
  if (!codegen) return t.skip('skipped: no go');
  const project = join(folder, 'go');
  mkdirSync(join(project, 'api'));
  await run(
    codegen,
    ['-generate', 'types,client', '-package', 'api', '-o', 'api/api.go', openapi()],
    project,
  );
  await run('go', ['mod', 'tidy'], project);
  await run('go', ['vet', './...'], project);
  await run('go', ['build', '-o', 'caller', '.'], project);
  await runCaller(join(project, 'caller'), []);
});

test('a client from openapi-generator compiles in Java and works', async (t) => {
  if (spawnSync('javac', ['-version']).error) return t.skip('skipped: no javac');
  const [generator, ...jars] = await peerJars();
  const project = join(folder, 'java');
  const generate = ['generate', '--generator-name', 'java', '--library', 'native', '--input-spec', openapi()];
  await run('java', ['-jar', generator!, ...generate, '--output', 'generated'], project).catch(
    failWithOutput,
  );
  const sources = globSync('generated/src/main/**/*.java', { cwd: project });
  const classPath = ['-classpath', [...jars, 'classes'].join(delimiter)];
  await run('javac', ['-proc:none', '-d', 'classes', ...classPath, 'Caller.java', ...sources], project).catch(
    failWithOutput,
  );
  await runCaller('java', [...classPath, 'Caller'], project);
});
