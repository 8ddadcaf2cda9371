import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { checkDigit } from '@monroney/vin';
import { temporaryFolder } from '../../src/lib/testing.ts';
import { sources } from '../../src/makers/index.ts';
import { hostsOf, type Source } from '../../src/makers/maker.ts';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { startSimulator, type Simulator } from '../../tools/simulator/simulator.ts';
import { labelOf } from '../../tools/simulator/labels.ts';
import { createAuthority } from '../certificates.ts';
import { eventually } from '../operator.ts';
import { startDnsServer } from './dns-server.ts';

/**
 * A network namespace in which a DNS server resolves the sources' real names to a public-looking IP address, where our
 * own TLS server listens. The service runs unmodified as a process. Nothing leaves the namespace.
 */

const SERVER = '45.79.1.2';
const DNS_SERVER = '45.79.1.53';
const isInNamespace = process.env.IN_TEST_NAMESPACE !== undefined;
const self = fileURLToPath(import.meta.url);
const scratch = temporaryFolder({ after });

/** Longer than the server keeps idle connections, and longer than the state of our network is cached. */
const IDLE_MS = 2_500;

const UNSHARE = ['-n', '-m', '--propagation', 'private'];

function missing(): string | false {
  const result = spawnSync('unshare', [...UNSHARE, 'ip', 'link', 'set', 'lo', 'up'], { encoding: 'utf8' });
  if (result.status !== 0)
    return `skipped: can't create a network namespace (needs unshare, ip and root): ${result.stderr ?? result.error}`;
  return createAuthority() === null && 'skipped: no openssl';
}

if (!isInNamespace) {
  test('in a network namespace with our own DNS and TLS servers', { skip: missing() }, () => {
    writeFileSync(path.join(scratch, 'hosts'), '127.0.0.1 localhost\n');
    writeFileSync(
      path.join(scratch, 'resolv.conf'),
      `nameserver ${DNS_SERVER}\noptions timeout:1 attempts:1\n`,
    );
    const steps = [
      'ip link set lo up',
      `ip addr add ${SERVER}/32 dev lo`,
      `ip addr add ${DNS_SERVER}/32 dev lo`,
      `mount --bind ${scratch}/hosts /etc/hosts`,
      `mount --bind ${scratch}/resolv.conf /etc/resolv.conf`,
      `exec "$@"`,
    ];
    const run = [process.execPath, '--test', '--test-reporter=spec', self];
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      [...UNSHARE, 'sh', '-ec', steps.join('\n'), 'sh', ...run],
      {
        encoding: 'utf8',
        // Otherwise the inner test runner reports to this one.
        env: { ...process.env, IN_TEST_NAMESPACE: 'yes', NODE_TEST_CONTEXT: undefined },
      },
    );
    process.stdout.write(stdout);
    assert.equal(status, 0, stdout + stderr);
  });
}

let serial = 100;
function newCar({ example }: Source): string {
  const vin = example.slice(0, -5) + String(++serial).padStart(5, '0');
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

describe('every source', { skip: !isInNamespace }, () => {
  const names = new Map<string, string>();
  /** Hosts that the service connected to, by the name in the TLS handshake. */
  const connected: string[] = [];
  const closers: (() => unknown)[] = [];
  let simulator: Simulator;
  let origin: string;
  let dnsServer: { close(): void };
  /** Hosts with an untrusted certificate. */
  const untrusted = new Set<string>();
  const servers: https.Server[] = [];
  /** Without session resumption, like a proxy that intercepts TLS. */
  function distrust(hosts: readonly string[]): void {
    for (const host of hosts) untrusted.add(host);
    for (const server of servers) server.setTicketKeys(randomBytes(48));
  }
  let output = '';

  before(async () => {
    const authority = createAuthority()!;
    const otherAuthority = createAuthority()!;
    const hosts = sources.flatMap(hostsOf);
    for (const host of hosts) names.set(host, SERVER);
    dnsServer = await startDnsServer(DNS_SERVER, names);
    simulator = await startSimulator();
    const [good, bad] = [authority, otherAuthority].map((connection) =>
      createSecureContext(connection.issue(hosts)),
    );
    for (const ip of [SERVER, '127.0.0.1']) {
      const server = https.createServer(
        {
          SNICallback(host, done) {
            connected.push(`${host} ${ip}`);
            done(null, untrusted.has(host) ? bad : good);
          },
        },
        (request, response) => {
          const to = new URL(`/${request.headers.host}${request.url}`, simulator.origin);
          http.get(to, { headers: request.headers }, (reply) => {
            response.writeHead(reply.statusCode!, reply.headers);
            reply.pipe(response);
          });
        },
      );
      servers.push(server);
      server.keepAliveTimeout = 200;
      server.keepAliveTimeoutBuffer = 0;
      server.listen(443, ip);
      await once(server, 'listening');
      closers.push(() => {
        server.closeAllConnections();
        server.close();
      });
    }
    origin = await startService(authority.file);
  });
  after(async () => {
    for (const close of closers) await close();
    dnsServer.close();
    await simulator.close();
  });

  async function startService(authority: string): Promise<string> {
    const command = fileURLToPath(new URL('../../bin/monroney.mjs', import.meta.url));
    const child = spawn(process.execPath, [command, 'serve'], {
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        PORT: '0',
        LIMIT: 'off',
        DATA_DIR: path.join(scratch, 'data'),
        NODE_EXTRA_CA_CERTS: authority,
      },
    });
    closers.push(async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
    });
    return new Promise((resolve, reject) => {
      const onOutput = (chunk: Buffer) => {
        output += chunk.toString();
        const match = /listens on (http:\S+[^.\s])/.exec(output);
        if (match) resolve(match[1]!);
      };
      child.stdout.on('data', onOutput);
      child.stderr.on('data', onOutput);
      child.once('exit', () => reject(new Error(output)));
    });
  }

  const lookup = async (vin: string) => {
    const response = await fetch(`${origin}/api/v1/vin/${vin}`);
    return ((await response.json()) as VinResponse).windowSticker;
  };

  for (const source of sources) {
    test(`${source.id}: a label is served byte for byte, and "none" is reported as none`, async () => {
      const vin = newCar(source);
      const sticker = await lookup(vin);
      assert.equal(sticker.available, true, JSON.stringify(sticker) + output.slice(-2000));
      const pdf = Buffer.from(await (await fetch(`${origin}/api/sticker/${vin}`)).arrayBuffer());
      assert.ok(pdf.equals(labelOf(source, sticker.sourceHost!, vin)), 'different bytes');
      const other = newCar(source);
      simulator.set(other, 'none');
      const none = await lookup(other);
      assert.equal(none.available, false, JSON.stringify(none));
      assert.equal(none.reason, 'no-label');
    });

    test(`${source.id}: redirects are followed only to its own hosts`, async () => {
      const [followed, redirected] = [newCar(source), newCar(source)];
      simulator.set(followed, 'redirect-once');
      assert.equal((await lookup(followed)).available, true);
      simulator.set(redirected, 'redirect-to-loopback');
      const before = connected.length;
      assert.equal((await lookup(redirected)).reason, 'source-failed');
      assert.ok(connected.slice(before).every((connection) => connection.endsWith(SERVER)));
    });
  }

  const [kia, ford] = ['kia', 'ford'].map((id) => sources.find((source) => source.id === id)!) as [
    Source,
    Source,
  ];

  async function withKiaChanged(change: () => void, back: () => void) {
    // Open connections aren't affected, so the source closes them.
    await wait(IDLE_MS);
    change();
    try {
      return { kia: await lookup(newCar(kia)), ford: await lookup(newCar(ford)) };
    } finally {
      back();
    }
  }

  test('the service does not connect to a name that resolves to loopback', async () => {
    const host = hostsOf(kia)[0]!;
    const match = await withKiaChanged(
      () => names.set(host, '127.0.0.1'),
      () => names.set(host, SERVER),
    );
    assert.equal(match.kia.reason, 'source-failed');
    assert.equal(match.ford.available, true);
    assert.ok(connected.every((connection) => connection.endsWith(SERVER)));
  });

  test('a missing name or a bad certificate of one source is a failure of that source', async () => {
    const host = hostsOf(kia)[0]!;
    const withoutName = await withKiaChanged(
      () => names.delete(host),
      () => names.set(host, SERVER),
    );
    assert.equal(withoutName.kia.reason, 'source-failed');
    assert.equal(withoutName.ford.available, true);
    const bad = await withKiaChanged(
      () => distrust([host]),
      () => untrusted.delete(host),
    );
    assert.equal(bad.kia.reason, 'source-failed');
    assert.equal(bad.ford.available, true);
  });

  const outages: [string, () => void | Promise<void>, () => void | Promise<void>][] = [
    [
      'no DNS server',
      () => dnsServer.close(),
      async () => void (dnsServer = await startDnsServer(DNS_SERVER, names)),
    ],
    [
      'no route',
      () => void spawnSync('ip', ['addr', 'del', `${SERVER}/32`, 'dev', 'lo']),
      () => void spawnSync('ip', ['addr', 'add', `${SERVER}/32`, 'dev', 'lo']),
    ],
    ['TLS interception', () => distrust(sources.flatMap(hostsOf)), () => untrusted.clear()],
  ];
  for (const [name, begin, end] of outages) {
    test(`${name}: the response says that this server can't reach the internet, and it recovers`, async () => {
      await wait(IDLE_MS);
      await begin();
      try {
        for (const source of [kia, ford, kia])
          assert.equal((await lookup(newCar(source))).reason, 'network', source.id);
      } finally {
        await end();
      }
      // The state is cached for five seconds.
      await eventually(
        () => lookup(newCar(kia)),
        ({ available }) => available === true,
      );
    });
  }

  test('the log has one line per outage, and no source counts as failing', async () => {
    const count = (word: string) =>
      (output.match(/"network: [^"]+"/g) ?? []).filter((line) => line.includes(word)).length;
    // The log is written in batches.
    await eventually(
      async () => count('restored'),
      (restored) => restored >= outages.length,
    );
    assert.deepEqual([count('cannot reach'), count('restored')], [outages.length, outages.length]);
    const { sources: all } = (await (await fetch(`${origin}/status.json`)).json()) as {
      sources: { source: string; day: { failed: number; refused: number } }[];
    };
    // Only the redirect that wasn't followed.
    assert.equal(all.find(({ source }) => source === 'ford')!.day.failed, 1);
  });
});
