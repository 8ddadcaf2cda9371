import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ROOT } from '../../tools/pack/compile.ts';
import { startService, type Service } from '../service.ts';
import { installedPackages } from './project.ts';

/** Runs every JavaScript, Python and shell snippet in the README, the docs and the packages as a reader would. */

const specimen = '1FMUK8DH0TG000000';
const VERSIONS = [20, 24];

/** Snippets that other suites run, or that need a program we can't install here. */
const NOT_RUN_HERE: [RegExp, string][] = [
  [/^npm ci && npm (start|test)/m, '.ci/run does this'],
  [/^npm ci && npm run pack/m, 'this suite packs all packages and installs them'],
  [/openapi-typescript|from monroney\b/, 'test:generators runs the generators'],
  [/import pandas/, 'test:vpic reads a list with pandas'],
  [/from vpic import|vpic\.nhtsa\.dot\.gov/, 'test:vpic runs these clients'],
  [/^(claude|codex|gemini) mcp add/m, 'needs that assistant'],
  [
    /admin -- restore/,
    'needs an empty DATA_DIR; test:machine backs up and restores with the documented commands',
  ],
  [/completion (bash|zsh|fish)/, 'changes the shell’s own files; src/cli tests the completions'],
  [/admin (-- )?check/, 'contacts manufacturers; the tests of `admin check` use a simulator'],
  [/admin -- quarantine/, 'needs an entry; the tests of `admin quarantine` make one'],
  [/^npm run -s mcp/m, 'waits for an assistant; test:mcp talks to it'],
  [/^docker build/m, 'test:image builds and runs the image'],
  [/^docker compose/m, 'needs the Compose plugin'],
  [/^systemctl/m, 'changes the machine, and needs systemd'],
  [/^git -C \/opt\/monroney|^curl http:\/\/127\.0\.0\.1:9100/m, 'test:machine runs these on a clean machine'],
  [/^npm run drill/m, 'takes hours; `npm run test:slow` runs the drills for a short time'],
  [/^pip install pyspark/m, 'tables.test.ts runs the example'],
  [/^java -jar openapi-generator/m, 'test:generators runs the generators'],
];

interface Snippet {
  document: string;
  language: string;
  code: string;
}

function snippets(): Snippet[] {
  const documents = globSync(['README.md', 'docs/*.md', 'docs/site/*.md', 'packages/*/README.md'], {
    cwd: ROOT,
  });
  return documents
    .sort()
    .flatMap((document) =>
      [...readFileSync(join(ROOT, document), 'utf8').matchAll(/^```(js|python|sh)\n([^]*?)^```$/gm)].map(
        ([, language, code]) => ({ document, language: language!, code: code! }),
      ),
    );
}

const { project, byVersion, remove } = installedPackages(VERSIONS);
let service: Service;

before(async () => {
  service = await startService({ LIMIT: 'off' });
  project.write('vins.txt', `${specimen}\n1G1YB2D43S5000000\n`);
  project.write('inventory.csv', `Stock,VIN\nA1,${specimen}\nA2,1G1YB2D43S5000000\n`);
  copyFileSync(join(ROOT, `src/lookup/specimens/${specimen}.pdf`), join(project.folder, 'some-label.pdf'));
});
after(async () => {
  await service?.close();
  remove();
});

/** `npm run NAME` as a function that runs the script in the reader's folder, where it may write files. */
function shell(): string {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const cases = Object.entries(scripts)
    .filter(([, script]) => script.startsWith('node bin/'))
    .map(
      ([name, script]) => `${name}) '${process.execPath}' '${ROOT}'/${script.slice('node '.length)} "$@" ;;`,
    );
  return [
    'set -euo pipefail',
    'npm() { shift; [ "$1" = -s ] && shift; local name=$1; shift; [ "${1-}" = -- ] && shift; run "$name" "$@"; }',
    `run() { local name=$1; shift; case $name in ${cases.join(' ')} *) echo "no script $name"; exit 9 ;; esac; }`,
    'monroney() { run monroney "$@"; }',
    '',
  ].join('\n');
}

function run(program: string, args: string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(program, args, {
    cwd: project.folder,
    env: {
      PATH: process.env.PATH,
      HOME: project.folder,
      MONRONEY_URL: service.origin,
      DATA_DIR: service.dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })));
}

test("the packages' snippets compile under strict TypeScript", () => {
  const files = snippets()
    .filter(({ language, code }) => language === 'js' && /@monroney\/(client|label|vin)/.test(code))
    .map(({ document, code }, index) => {
      const name = `snippet-${index}.mts`;
      project.write(name, `// ${document}\n${code}export {};\n`);
      return name;
    });
  assert.ok(files.length >= 6);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const result = spawnSync(process.execPath, [tsc, '-p', project.folder], { encoding: 'utf8' });
  assert.equal(result.stdout, '');
});

for (const { document, language, code } of snippets()) {
  const reason = NOT_RUN_HERE.find(([pattern]) => pattern.test(code))?.[1];
  const title = `${document}: ${code.trim().split('\n')[0]!.slice(0, 60)}`;
  test(title, { skip: reason ?? false }, async () => {
    const text = code
      .replaceAll('{{specimen}}', specimen)
      .replaceAll('{{baseUrl}}', service.origin)
      .replaceAll('http://localhost:8080', service.origin)
      .replaceAll('localhost:8080', service.origin)
      .replaceAll('https://stickers.example.org', service.origin)
      .replaceAll(' /backups/', ` ${project.folder}/backups/`);
    const runs: [string, string[]][] = [];
    if (language === 'js') {
      writeFileSync(join(project.folder, 'snippet.mjs'), text);
      for (const version of VERSIONS) runs.push([byVersion.get(version)!, ['snippet.mjs']]);
    } else if (language === 'python') runs.push(['python3', ['-c', text]]);
    else runs.push(['bash', ['-c', shell() + text.replaceAll('curl ', 'curl -fsS ')]]);
    for (const [program, args] of runs) {
      const { status, output } = await run(program, args);
      assert.equal(status, 0, `${program}\n${text}\n${output}`);
    }
  });
}
