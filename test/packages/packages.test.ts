import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { formatMessage } from 'publint/utils';
import { publint } from 'publint';
import { ROOT } from '../../tools/pack/compile.ts';
import { PACKAGES, writeChecksums, writeSbom } from '../../tools/pack/run.ts';
import { installPeers, peerPath } from '../third-party.ts';
import { startService, type Service } from '../service.ts';
import { emptyProject, installedPackages, outputOf } from './project.ts';

/** The packed files, installed into an empty project and used there. */

const VERSIONS = [20, 22, 24];
const vin = '1FMUK8DH0TG000000';
const { built, project, tools, byVersion, remove } = installedPackages(VERSIONS, 'monroney');
let service: Service;

before(async () => {
  // The client's requests come from one IP address.
  service = await startService({ LIMIT: 'off' });
});
after(async () => {
  await service?.close();
  remove();
});

test('publint finds no problems', async () => {
  for (const name of PACKAGES) {
    const { messages, pkg } = await publint({ pkgDir: join(built.folder, name), strict: true });
    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg)),
      [],
      name,
    );
  }
});

test('a release has a bill of materials in CycloneDX, and checksums that sha256sum accepts', () => {
  const sbom = writeSbom(built.folder);
  const { bomFormat, metadata, components } = JSON.parse(readFileSync(sbom, 'utf8')) as {
    bomFormat: string;
    metadata: { component: { name: string } };
    components: { name: string; version: string }[];
  };
  assert.deepEqual([bomFormat, metadata.component.name], ['CycloneDX', 'monroney']);
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  assert.ok(devDependencies.typescript && !components.some(({ name }) => name === 'typescript'));
  for (const [name, version] of Object.entries(dependencies))
    assert.ok(
      components.some((component) => component.name === name && component.version === version),
      name,
    );
  const files = [...Object.values(built.tarballs), sbom];
  writeChecksums(built.folder, files);
  const check = () =>
    spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: built.folder, encoding: 'utf8' });
  const { status, stdout } = check();
  assert.deepEqual([status, stdout.match(/: OK$/gm)?.length], [0, files.length]);
  appendFileSync(sbom, ' ');
  assert.equal(check().status, 1);
});

test('the decoder is smaller than 8 MB packed', (t) => {
  const folder = join(project.folder, 'node_modules/@monroney/vin');
  const files = readdirSync(folder, { recursive: true }).map((file) => statSync(join(folder, String(file))));
  const unpacked = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  const packed = statSync(built.tarballs.vin).size;
  t.diagnostic(`${unpacked} bytes unpacked, ${packed} packed`);
  assert.ok(packed < 8e6, `${packed} bytes`);
});

test('attw finds no problems with the types', () => {
  installPeers();
  const attw = peerPath('@arethetypeswrong/cli/dist/index.js');
  const { tarballs } = built;
  // The entries for browsers and workers and the service are ES modules only.
  const runs = [
    [tarballs.client, '--profile', 'node16'],
    [tarballs.vin, '--profile', 'node16', '--exclude-entrypoints', './web', './split', './compile'],
    [tarballs.vin, '--profile', 'esm-only', '--entrypoints', './web', './split', './compile'],
    [tarballs.label, '--profile', 'node16'],
    [tarballs.monroney, '--profile', 'esm-only'],
  ];
  for (const args of runs) {
    const result = spawnSync(process.execPath, [attw, ...args], { encoding: 'utf8' });
    assert.equal(result.status, 0, `${args.join(' ')}\n${result.stdout}${result.stderr}`);
  }
});

test('npm publish --dry-run gives no warning, and provenance is on', () => {
  for (const name of PACKAGES) {
    const result = spawnSync('npm', ['publish', '--dry-run', built.tarballs[name]], {
      cwd: built.folder,
      encoding: 'utf8',
    });
    assert.equal(result.status, 0, result.stderr);
    const warnings = result.stderr.split('\n').filter((line) => /warn/.test(line) && !/ notice /.test(line));
    // A dry run isn't logged in, and npm warns about the machine's settings.
    assert.deepEqual(
      warnings.filter((line) => !/requires you to be logged in|user config|npm notice/.test(line)),
      [],
    );
    const manifest = readFileSync(join(built.folder, name, 'package.json'), 'utf8');
    const { publishConfig } = JSON.parse(manifest) as { publishConfig: unknown };
    assert.deepEqual(publishConfig, { access: 'public', provenance: true });
  }
});

test('only the reader has dependencies, and the libraries contain no TypeScript source', () => {
  assert.deepEqual(
    readdirSync(join(project.folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['@hyzyla', '@monroney', 'zod'],
  );
  for (const name of ['client', 'label', 'vin'] as const) {
    const manifest = readFileSync(join(built.folder, name, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: object };
    assert.deepEqual(
      Object.keys(dependencies),
      name === 'label' ? ['@hyzyla/pdfium', '@monroney/vin', 'zod'] : [],
    );
    const files = readdirSync(join(project.folder, 'node_modules/@monroney', name), { recursive: true }).map(
      String,
    );
    assert.deepEqual(
      files.filter((file) => /(?<!\.d)\.ts$|\.test\./.test(file)),
      [],
    );
    for (const needed of ['README.md', 'LICENSE', 'package.json']) assert.ok(files.includes(needed), needed);
  }
});

const USE_VIN = `
  const vpic = loadVpic();
  const { vehicle, repair } = vpic.decode('1M8GDM9AXKP042788', { now: new Date('2026-11-01') });
  console.log(JSON.stringify([vehicle.make, vehicle.year, parseVin('x').ok, repair]));`;

const USE_CLIENT = `
  const client = createClient({ baseUrl: process.env.SERVICE });
  const run = async () => {
    const { vehicle } = await client.lookup('${vin}');
    const bytes = await client.sticker('${vin}');
    const { proof } = await client.label('${vin}');
    const makes = await client.makes();
    const missing = await client.sticker('1HGCV3F53MA000000').catch((error) => [error instanceof MonroneyError, error.reason]);
    console.log(JSON.stringify([vehicle.model, bytes.length, proof.closes, makes.length, missing, checkDigit('1M8GDM9A_KP042788')]));
  };
  run();`;

const NAMES = { vin: 'loadVpic, parseVin', client: 'createClient, MonroneyError', check: 'checkDigit' };

function write(name: string, body: string, from: Record<string, string>): [string, string] {
  const lines = Object.entries(from);
  const esm = lines.map(([module, names]) => `import { ${names} } from '${module}';\n`).join('');
  const cjs = lines.map(([module, names]) => `const { ${names} } = require('${module}');\n`).join('');
  project.write(`${name}.mjs`, esm + body);
  project.write(`${name}.cjs`, cjs + body);
  return [`${name}.mjs`, `${name}.cjs`];
}

/** What an example prints according to its comments. Comments that only explain begin with "what". */
function printedBy(code: string): string {
  const lines = [...code.matchAll(/console\.log\(.*\); \/\/ (?!what )(.*)/g)].map(([, text]) => text);
  return `${lines.join('\n')}\n`;
}

for (const version of VERSIONS) {
  test(`the decoder works in Node ${version}, imported and required`, () => {
    for (const file of write('use-vin', USE_VIN, { '@monroney/vin': NAMES.vin })) {
      const out = project.run(byVersion.get(version)!, file);
      assert.deepEqual(JSON.parse(out), ['MOTOR COACH INDUSTRIES', '1989', false, null], file);
    }
  });

  test(`the README's examples work in Node ${version}`, () => {
    for (const name of ['vin', 'label']) {
      const readme = readFileSync(join(project.folder, 'node_modules/@monroney', name, 'README.md'), 'utf8');
      for (const [, code = ''] of readme.matchAll(/```js\n([^]*?)```/g)) {
        project.write('readme.mjs', code);
        assert.equal(project.run(byVersion.get(version)!, 'readme.mjs'), printedBy(code), name);
      }
    }
  });

  test(`the client works in Node ${version}, imported and required`, async () => {
    const from = { '@monroney/client': NAMES.client, '@monroney/client/vin': NAMES.check };
    const response = await service.get(`/api/sticker/${vin}`, { method: 'HEAD' });
    const size = Number(response.headers.get('content-length'));
    for (const file of write('use-client', USE_CLIENT, from)) {
      const options = { cwd: project.folder, env: { SERVICE: service.origin } };
      const out = await outputOf(byVersion.get(version)!, [file], options);
      assert.deepEqual(
        JSON.parse(out),
        ['Explorer', size, true, 20, [true, 'make-not-supported'], 'X'],
        file,
      );
    }
  });
}

test('types resolve for import and require with Node resolution', () => {
  const body = `
    const client = createClient({ baseUrl: 'http://localhost', contact: 'dealer.example' });
    export const color = async (): Promise<string | undefined> => (await client.lookup('${vin}')).windowSticker.paint?.color;
    export const bytes: Promise<Uint8Array> = client.sticker('${vin}');
    export const wrong = (error: MonroneyError): boolean => error.reason === 'no-label';
    export const digit: string | null = checkDigit('${vin}');
    export const total = async (pdf: Uint8Array): Promise<number | null | undefined> =>
      (await readLabel(pdf, { vin: '${vin}' })).label?.prices.total;
    export const pixels = async (pdf: Uint8Array): Promise<Uint8ClampedArray> =>
      (await renderPage(pdf, { width: 640 })).data;
    export const make: string | null | undefined = loadVpic().decode('${vin}').vehicle?.make;
    // @ts-expect-error: there is no such reason
    export const never = (error: MonroneyError): boolean => error.reason === 'no-lable';
  `;
  const imports = `import { createClient, type MonroneyError } from '@monroney/client';
    import { checkDigit } from '@monroney/client/vin';
    import { readLabel, renderPage } from '@monroney/label';
    import { loadVpic } from '@monroney/vin';`;
  project.write('types.mts', imports + body);
  project.write('types.cts', imports + body);
  for (const module of ['node16', 'nodenext']) {
    const options = {
      module,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      strict: true,
      noEmit: true,
      types: [],
    };
    project.write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: options, files: ['types.mts', 'types.cts'] }),
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const result = spawnSync(process.execPath, [tsc, '-p', project.folder], { encoding: 'utf8' });
    assert.equal(result.stdout, '', module);
  }
});

test('the client adds at most 4.6 KB to a page', () => {
  tools.install('esbuild@0.28.2');
  const entry = join(project.folder, 'node_modules/@monroney/client/esm/client/src/index.js');
  const esbuild = join(tools.folder, 'node_modules/esbuild/bin/esbuild');
  const result = spawnSync(esbuild, [entry, '--bundle', '--minify', '--format=esm', '--target=es2022'], {
    encoding: 'utf8',
  });
  assert.equal(result.status, 0, result.stderr);
  const size = gzipSync(result.stdout, { level: 9 }).length;
  assert.ok(size > 1000 && size <= 4710, `${size} bytes`);
});

test('the service and its command work from their package', async (t) => {
  const other = emptyProject();
  t.after(() => other.remove());
  other.install(...Object.values(built.tarballs));
  const installed = join(other.folder, 'node_modules/monroney');
  assert.deepEqual(
    readdirSync(installed, { recursive: true })
      .map(String)
      .filter((file) => /(?<!\.d)\.ts$/.test(file)),
    [],
  );
  // The package doesn't include Node, so use this process's.
  const monroney = (...args: string[]) =>
    spawnSync('npx', ['--no-install', 'monroney', ...args], {
      cwd: other.folder,
      encoding: 'utf8',
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
        HOME: other.folder,
        DATA_DIR: join(other.folder, 'var'),
      },
    });
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const printed = monroney('version');
  assert.equal(printed.stdout, `monroney ${version}\n`, printed.stderr);
  const lookup = monroney('lookup', '--local', vin);
  assert.match(lookup.stdout, /HARBOR BLUE METALLIC/, lookup.stderr);
  const read = monroney('read', '--local', vin);
  assert.match(read.stdout, /"closes":true/, read.stderr);
  const file = join(installed, `src/lookup/specimens/${vin}.pdf`);
  assert.match(monroney('read', file).stdout, /"readable":true/);
  assert.match(monroney('decode', vin).stdout, /"FORD"/);
  // Relative paths mean the caller's folder, and Parquet needs nothing else to be installed.
  other.write('stock.csv', `VIN\n${vin}\n`);
  const enriched = monroney('enrich', 'stock.csv', '-o', 'stock.parquet');
  assert.equal(enriched.status, 0, enriched.stderr);
  assert.match(monroney('decode', 'stock.parquet').stdout, /"FORD"/);

  other.write(
    'embed.mjs',
    `import { start } from 'monroney';
     import { readConfig } from 'monroney/config';
     import { createLog } from 'monroney/log';
     const running = await start(readConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: 'var' }), createLog('silent'));
     const page = await (await fetch(running.origin + '/read')).text();
     const worker = /data-read="([^"]+)"/.exec(page)[1];
     const pdfium = /data-pdfium="([^"]+)"/.exec(page)[1];
     const all = ['/', worker, pdfium, '/docs/terms', '/openapi.json', '/api/v1/vin/${vin}', '/api/sticker/${vin}/preview', '/llms.txt'];
     const statuses = [];
     for (const path of all) statuses.push((await fetch(running.origin + path)).status);
     await running.close();
     console.log(JSON.stringify(statuses));`,
  );
  assert.deepEqual(JSON.parse(other.run(byVersion.get(24)!, 'embed.mjs')), Array(8).fill(200));
});
