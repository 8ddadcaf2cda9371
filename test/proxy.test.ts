import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import tls from 'node:tls';
import { openFetch, type FetchOptions } from '../src/sources/fetch.ts';
import { createAuthority } from './certificates.ts';
import { fakeTime } from './fake-time.ts';
import { startService } from './service.ts';

const closers: (() => void)[] = [];
after(() => closers.forEach((close) => close()));

async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A local port to connect to, a status line to respond with, or `hang`. */
type ProxyTarget = number | string;

/** A real CONNECT proxy. `targetOf` decides for each host which port it connects to, or which status it returns. */
async function startProxy(targetOf: (host: string) => ProxyTarget) {
  const requests: string[] = [];
  const { promise: requested, resolve } = Promise.withResolvers<void>();
  const proxy = http.createServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', (request: http.IncomingMessage, client: net.Socket) => {
    requests.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    resolve();
    closers.push(() => client.destroy());
    client.on('error', () => undefined);
    const to = targetOf(request.url!.replace(/:443$/, ''));
    if (to === 'hang') return;
    if (typeof to === 'string') return void client.end(`HTTP/1.1 ${to}\r\n\r\n`);
    const server = net.connect(to, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.pipe(client).pipe(server);
    });
    server.on('error', () => client.destroy());
    closers.push(() => server.destroy());
  });
  return { requests, requested, url: `http://user:secret@127.0.0.1:${await listen(proxy)}` };
}

/** Passes only in tests that let it: in the others time stands still, so that a slow machine changes nothing. */
const TIMEOUT_MS = 300;
const HOSTS = ['www.kia.com', 'www.ford.com', 'www.jeep.com'];

describe('behind a proxy', { skip: createAuthority() === null && 'skipped: no openssl' }, async () => {
  const authority = createAuthority()!;
  const otherAuthority = createAuthority()!;
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority.ca]);

  const serve = async (certificate: { key: Buffer; cert: Buffer }) => {
    const server = https.createServer(certificate, (request, response) => {
      if (request.url === '/away') response.writeHead(302, { Location: 'https://evil.example/' }).end();
      else response.end(`${request.headers.host} says hello`);
    });
    closers.push(() => server.closeAllConnections());
    return listen(server);
  };
  const good = await serve(authority.issue(HOSTS));
  const intercepted = await serve(otherAuthority.issue(HOSTS));

  const open = (proxyEnv: Record<string, string>, options: Partial<FetchOptions> = {}) => {
    const fetch = openFetch({ baseUrl: 'https://stickers.example', otherHosts: HOSTS, proxyEnv, ...options });
    closers.push(() => fetch.close());
    return async (url: string, ms = TIMEOUT_MS) => {
      const fetched = await fetch({ url, hosts: HOSTS, ms });
      return fetched.ok ? fetched.body.toString() : fetched.reason;
    };
  };

  test('requests to sources go through it, by host name and with its credentials', async (t) => {
    fakeTime(t);
    const proxy = await startProxy(() => good);
    for (const name of ['HTTPS_PROXY', 'https_proxy']) {
      const fetch = open({ [name]: proxy.url });
      assert.equal(await fetch('https://www.kia.com/'), 'www.kia.com says hello');
    }
    assert.deepEqual(proxy.requests, Array(2).fill('www.kia.com:443 Basic dXNlcjpzZWNyZXQ='));
  });

  test('hosts that are not allowed and IP addresses are rejected before the proxy is contacted', async (t) => {
    fakeTime(t);
    const proxy = await startProxy(() => good);
    const fetch = open({ HTTPS_PROXY: proxy.url });
    assert.equal(await fetch('https://evil.example/'), 'host-not-allowed');
    assert.equal(await fetch('https://www.kia.com/away'), 'redirect-off-list');
    assert.equal(proxy.requests.length, 1);
    const withoutHosts = openFetch({
      baseUrl: 'https://stickers.example',
      proxyEnv: { HTTPS_PROXY: proxy.url },
    });
    const fetched = await withoutHosts({
      url: 'https://169.254.169.254/',
      hosts: ['169.254.169.254'],
      ms: TIMEOUT_MS,
    });
    assert.ok(!fetched.ok && fetched.reason === 'private-address');
    assert.equal(proxy.requests.length, 1);
  });

  test('hosts in NO_PROXY are contacted directly, and rejected if they resolve to private IP addresses', async (t) => {
    fakeTime(t);
    const proxy = await startProxy(() => good);
    for (const name of ['NO_PROXY', 'no_proxy']) {
      const env = { HTTPS_PROXY: proxy.url, [name]: '.kia.com' };
      const fetch = open(env, { resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
      assert.equal(await fetch('https://www.kia.com/'), 'private-address');
    }
    assert.ok(
      proxy.requests.every((requests) => !requests.startsWith('www.kia.com')),
      'the host bypasses the proxy (other hosts may be tried for comparison)',
    );
  });

  test('a proxy that blocks us or can’t be reached is reported as no-network', async (t) => {
    const time = fakeTime(t);
    for (const status of ['407 Proxy Authentication Required', '403 Forbidden']) {
      const proxy = await startProxy((host) => (host === 'www.kia.com' ? status : good));
      assert.equal(await open({ HTTPS_PROXY: proxy.url })('https://www.kia.com/'), 'no-network', status);
    }
    assert.equal(await open({ HTTPS_PROXY: 'http://127.0.0.1:9' })('https://www.kia.com/'), 'no-network');
    const all = await startProxy(() => '502 Bad Gateway');
    assert.equal(await open({ HTTPS_PROXY: all.url })('https://www.kia.com/'), 'no-network');
    const hanging = await startProxy(() => 'hang');
    const hung = open({ HTTPS_PROXY: hanging.url })('https://www.kia.com/');
    assert.equal(await time.during(hung), 'no-network');
  });

  test('TLS interception is reported as no-network, a single bad certificate as unreachable', async (t) => {
    fakeTime(t);
    const interception = await startProxy(() => intercepted);
    assert.equal(await open({ HTTPS_PROXY: interception.url })('https://www.kia.com/'), 'no-network');
    const one = await startProxy((host) => (host === 'www.kia.com' ? intercepted : good));
    assert.equal(await open({ HTTPS_PROXY: one.url })('https://www.kia.com/'), 'unreachable');
  });

  test('a host that the proxy can’t reach is reported as unreachable or timeout if others work', async (t) => {
    const time = fakeTime(t);
    const proxy = await startProxy((host) => (host === 'www.kia.com' ? '502 Bad Gateway' : good));
    const fetch = open({ HTTPS_PROXY: proxy.url });
    assert.equal(await fetch('https://www.kia.com/'), 'unreachable');
    assert.equal(await fetch('https://www.ford.com/'), 'www.ford.com says hello');
    const silent = await startProxy((host) => (host === 'www.kia.com' ? 'hang' : good));
    const fetched = open({ HTTPS_PROXY: silent.url })('https://www.kia.com/');
    await silent.requested;
    time.pass(TIMEOUT_MS);
    assert.equal(await fetched, 'timeout');
  });
});

test('without internet access the response says so, and no source is reported as failing', async () => {
  const service = await startService({ HTTPS_PROXY: 'http://127.0.0.1:9' });
  try {
    for (let serial = 10; serial < 40; serial++) {
      const { windowSticker, warning } = await service.json<{
        warning: string;
        windowSticker: { available: null; reason: string; retryAfter: number };
      }>(`/api/v1/vin/1FMUK8DH0TGA000${serial}`);
      assert.equal(windowSticker.reason, 'network');
      assert.equal(windowSticker.available, null);
      assert.ok(windowSticker.retryAfter > 0);
      assert.match(warning, /This server can't reach the internet/);
    }
    const sticker = await service.get('/api/sticker/1FMUK8DH0TGA00050');
    assert.equal(sticker.status, 503);
    assert.equal(((await sticker.json()) as { reason: string }).reason, 'network');
    const { sources } = await service.json<{ sources: { state: string }[] }>('/status.json');
    assert.deepEqual(new Set(sources.map(({ state }) => state)), new Set(['unknown']));
    assert.equal(service.logs.filter((line) => line.includes('network: ')).length, 1);
  } finally {
    await service.close();
  }
});
