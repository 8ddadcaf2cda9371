import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { startSimulator, type Simulator } from '../../tools/simulator/simulator.ts';
import { freePort } from '../../tools/free-port.ts';
import { eventually } from '../operator.ts';
import { BASE, PROJECT, startEngine, withoutEngine, type Engine } from './engine.ts';

/** The image, built from the Dockerfile and run as documented. */

const VIN = '1FTEW2LP7TKE12345';
const LIMIT_MB = 300;
/**
 * The size of node:24.21.0-bookworm-slim with Node 24.21.0 of 9 September 2026, from Docker's own records
 * (https://github.com/docker-library/repo-info, "Virtual Size"). The replacement is smaller: it has no yarn, corepack or headers.
 */
const OFFICIAL_BASE_MB = 230;

/** On a busy machine, making the base image and building ours takes many minutes. */
const timeout = 1_200_000;

describe('the image', { skip: withoutEngine(), timeout }, () => {
  let engine: Engine;
  let simulator: Simulator;
  let port: number;
  let serial = 0;

  before(
    async () => {
      engine = await startEngine();
      simulator = await startSimulator();
      port = await freePort();
      const options = '--isolation=chroot --pull=never --network host --format docker -t monroney';
      await engine.podman('build', ...options.split(' '), PROJECT);
    },
    { timeout },
  );
  after(async () => {
    await engine?.stop();
    await simulator?.close();
  });

  async function startContainer(): Promise<string> {
    const name = `instance${++serial}`;
    const options =
      `run -d --name ${name} --read-only --tmpfs /tmp --cap-drop=ALL --security-opt no-new-privileges ` +
      `--network host -v data:/data -e PORT=${port} -e SOURCE_ORIGIN=${simulator.origin} monroney`;
    await engine.podman(...options.split(' '));
    return name;
  }

  async function waitUntilHealthy(name: string): Promise<void> {
    const isHealthy = await eventually(
      () =>
        engine.podman('healthcheck', 'run', name).then(
          () => true,
          async () => ((await inspect(name, '{{.State.Running}}')) === 'true' ? null : false),
        ),
      (healthy) => healthy !== null,
    );
    if (!isHealthy) throw new Error(await engine.podman('logs', name));
  }

  const inspect = (name: string, format: string) => engine.podman('inspect', '--format', format, name);
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);

  async function assertLabelStored(): Promise<void> {
    const { windowSticker } = (await (await get(`/api/v1/vin/${VIN}`)).json()) as VinResponse;
    assert.equal(windowSticker.available, true);
    const pdf = await get(`/api/sticker/${VIN}`);
    assert.equal(pdf.status, 200);
    assert.equal(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
      '%PDF-',
    );
    assert.equal(simulator.requests.length, 1, 'the manufacturer got one request');
  }

  test('is within its size limit on the official base image', async (t) => {
    const size = async (image: string) => Number(await inspect(image, '{{.Size}}')) / 1e6;
    const [all, base] = [await size('monroney'), await size(BASE)];
    const ours = all - base;
    const node =
      Number(await engine.podman(...'run --rm monroney stat -c %s /usr/local/bin/node'.split(' '))) / 1e6;
    t.diagnostic(
      `${all.toFixed(0)} MB: ${ours.toFixed(0)} of ours, ${node.toFixed(0)} for the node binary, ${(base - node).toFixed(0)} ` +
        `for the rest of ${engine.officialBase ? 'the official base image' : 'a replacement for the official base image'}`,
    );
    assert.ok(all <= LIMIT_MB, `${all} MB here`);
    assert.ok(ours + OFFICIAL_BASE_MB <= LIMIT_MB, `${ours} MB of ours on a base of ${OFFICIAL_BASE_MB} MB`);
  });

  let first: string;
  test('runs without root, capabilities or a writable root file system, and is healthy', async () => {
    first = await startContainer();
    await waitUntilHealthy(first);
    const status = readFileSync(`/proc/${await inspect(first, '{{.State.Pid}}')}/status`, 'utf8');
    assert.match(status, /^Uid:\t1000\t1000\t1000\t1000$/m);
    assert.match(status, /^CapEff:\t0+$/m);
    assert.match(status, /^NoNewPrivs:\t1$/m);
    await assert.rejects(engine.podman('exec', first, 'touch', '/app/x'), /Read-only file system/);
    const compiled = await engine.podman(
      'exec',
      first,
      'sh',
      '-c',
      'stat -c %U .compiled/*-1000/* | sort -u',
    );
    assert.equal(compiled.trim(), 'root', 'the service may read compiled code, but not change it');
  });

  test('fetches, reads and draws a label', async () => {
    await assertLabelStored();
    const label = (await (await get(`/api/v1/vin/${VIN}/label`)).json()) as { readable: boolean };
    assert.equal(label.readable, true);
    const preview = await get(`/api/sticker/${VIN}/preview`);
    assert.deepEqual([preview.status, preview.headers.get('content-type')], [200, 'image/webp']);
    assert.equal((await get('/docs/api')).status, 200);
    const log = await engine.podman('logs', first);
    assert.match(log, /"message":"/);
    assert.doesNotMatch(log, /the kernel doesn't keep PDF workers|permission model is off/);
  });

  test('refuses to start a second container on the same data', async () => {
    const second = await startContainer();
    assert.equal(await engine.podman('wait', second), '1');
    assert.equal((await get('/healthz')).status, 200);
  });

  test('stops by itself when asked to, and has its data after a restart', async () => {
    await engine.podman('stop', '-t', '600', first);
    // 137 would mean that it was killed after that time.
    assert.equal(await inspect(first, '{{.State.ExitCode}}'), '0');
    await assert.rejects(engine.podman('healthcheck', 'run', first));
    await engine.podman('start', first);
    await waitUntilHealthy(first);
    await assertLabelStored();
  });

  test('has its data after kill -9 in a new container', async () => {
    await engine.podman('kill', '-s', 'KILL', first);
    await engine.podman('wait', first);
    await waitUntilHealthy(await startContainer());
    await assertLabelStored();
  });
});
