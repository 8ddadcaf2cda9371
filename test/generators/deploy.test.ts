import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { get, serve, type RunningService } from '../../tools/drill/drill.ts';
import { eventually } from '../operator.ts';
import { installPeers, peerGo, peerPath, peerPython } from '../third-party.ts';
import { freePort } from '../../tools/free-port.ts';

/** Third-party checks of the deployment files: linters, schemas, and Caddy itself. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const python = peerPython('deploy');
const skip = python === null && 'skipped: no Python';
const peer = (name: string) => join(dirname(python!), name);
let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'monroney-deploy-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program that must exit with 0, and returns its output. */
function runCheck(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

test('hadolint finds nothing in the Dockerfile', { skip }, () => {
  assert.equal(runCheck(peer('hadolint'), 'Dockerfile'), '');
});

test(
  'the Kubernetes example matches the schemas of the oldest supported and the newest version',
  { skip },
  () => {
    for (const version of ['1.30', '1.37'])
      runCheck(peer('kubernetes-validate'), '--strict', '--quiet', '-k', version, 'deploy/kubernetes.yaml');
  },
);

test('gixy finds nothing in the nginx configuration', { skip }, () => {
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `events {}\nhttp {\n${read('deploy/nginx.conf')}\n}\n`);
  runCheck(peer('gixy'), file);
});

const compose = peerGo('compose-go');
test(
  'the Compose reference implementation accepts compose.yaml',
  { skip: compose ? false : 'skipped: no Go' },
  () => {
    runCheck(compose!, 'compose.yaml');
    // Without a value for the variables that the operator sets.
    runCheck(compose!, '-no-interpolation', 'deploy/one-box/compose.yaml');
  },
);

test("the dashboard has the types of Grafana's published schema", () => {
  installPeers();
  symlinkSync(peerPath(''), join(folder, 'node_modules'));
  const file = join(folder, 'dashboard.ts');
  const text = read('deploy/grafana-dashboard.json');
  writeFileSync(
    file,
    `import type { Dashboard } from '@grafana/schema';\nexport const dashboard: Dashboard = ${text};`,
  );
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'esnext',
  ];
  runCheck(join(root, 'node_modules/.bin/tsc'), ...options, file);
});

test('Caddy accepts the configuration of a small server', { skip }, () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', 'deploy/one-box/Caddyfile'];
  runCheck('env', 'DOMAIN=stickers.example.org', peer('caddy'), ...args);
});

test('Caddy with the documented configuration works in front of two instances', { skip }, async (t) => {
  const [, documented = ''] = /^```\n(\{\n[\s\S]*?^monroney\.example \{\n[\s\S]*?)^```$/m.exec(
    read('docs/operations.md'),
  )!;
  const instances: RunningService[] = [];
  for (const name of ['one', 'two'])
    instances.push(await serve({ DATA_DIR: join(folder, name), LOG_LEVEL: 'error' }));
  const port = await freePort();
  const file = join(folder, 'Caddyfile');
  const adapted = documented
    .replace('{', '{\n\tadmin off\n\tauto_https off')
    .replace('monroney.example', `http://:${port}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${instances[0]!.port}`)
    .replace('127.0.0.1:8081', `127.0.0.1:${instances[1]!.port}`);
  writeFileSync(file, adapted);
  const caddy = spawn(peer('caddy'), ['run', '--adapter', 'caddyfile', '--config', file], {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  t.after(async () => {
    caddy.kill('SIGKILL');
    for (const each of instances) await each.kill('SIGKILL');
  });
  await eventually(
    () => get(port, '/healthz').catch(() => null),
    (response) => response?.status === 200,
  );

  const path = `/api/v1/vin/${specimens[0]!.vin}`;
  // Ten for each of the two instances, which don't share a limit here. At once, so that no time passes between them.
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, n) => get(port, path, { 'x-forwarded-for': `203.0.113.${n}` })),
  );
  assert.ok(
    responses.some(({ status }) => status === 429),
    'a client cannot choose its IP address',
  );

  await instances[0]!.kill('SIGKILL');
  for (let n = 0; n < 20; n++) assert.equal((await get(port, '/')).status, 200);
});
