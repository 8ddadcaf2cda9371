import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { freePort } from '../../tools/free-port.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { startService } from '../service.ts';
import type { OpenApi } from './api-cases.ts';
import { BASE, bytesOf, get, NOW, type Case, type Services } from './case.ts';
import { groupsOf, renderedCases } from './cases.ts';
import { exchange, valueOf, type RawExchange } from './client.ts';
import { differences, report } from './compare.ts';
import { readRecorded, writeRecorded } from './recorded.ts';
import { normalizeAll, type Exchange, type Received } from './normalize.ts';

/**
 * Compares everything the service sends with what was recorded. Whatever differs is a mistake or an intended change:
 * `UPDATE_GOLDEN=1 npm test -- test/golden` records it, and CHANGELOG.md names it.
 */

test('the service sends what was recorded', async (t) => {
  // All dates in responses, and all decoding that depends on the current year, are the same in every run.
  mock.timers.enable({ apis: ['Date'], now: NOW });
  // So are the seconds to wait, however busy the machine is. A mock of the test runner would keep every call.
  const { now } = performance;
  performance.now = () => NOW;
  t.after(() => {
    performance.now = now;
    mock.timers.reset();
  });
  const served = await replay();
  if (process.env.UPDATE_GOLDEN) return writeRecorded(served);
  const found = differences(readRecorded(), served);
  assert.ok(found.size === 0, report(found));
});

async function replay(): Promise<Exchange[]> {
  const simulator = await startSimulator();
  const adminPort = await freePort();
  const common = { SECURITY_CONTACT: 'mailto:security@stickers.example' };
  const services: Services = {
    plain: await startService({
      ...common,
      BASE_URL: BASE,
      SOURCE_ORIGIN: 'http://127.0.0.1:9',
      ADMIN_PORT: String(adminPort),
    }),
    asking: await startService({
      ...common,
      BASE_URL: BASE,
      SOURCE_ORIGIN: simulator.origin,
      SOURCES_OFF: 'kia',
    }),
    unlimited: await startService({ LIMIT: 'off', SOURCE_ORIGIN: 'http://127.0.0.1:9' }),
  };
  const portOf = ({ origin }: { origin: string }) => Number(new URL(origin).port);
  try {
    const listed = async (path: string) => {
      const { responses } = await exchange(portOf(services.plain), bytesOf(get(path), new Map()));
      return responses[0]!.body.toString();
    };
    // Rendering takes longer than all else, and the workers can do two at a time.
    await Promise.all(renderedCases.map((one) => exchange(portOf(services.plain), bytesOf(one, new Map()))));
    const received: Received[] = [];
    const openapi = JSON.parse(await listed('/openapi.json')) as OpenApi;
    const groups = groupsOf({ openapi, sitemap: await listed('/sitemap.xml'), home: await listed('/') });
    assertUnique(groups.flatMap(({ cases }) => cases.map(({ name }) => name)));
    for (const { server, prepare, cases } of groups) {
      await prepare?.(services, simulator);
      const port = server === 'admin' ? adminPort : portOf(services[server]);
      const origin = server === 'unlimited' ? services.unlimited.origin : null;
      const send = sender(port);
      for (const one of cases)
        received.push({ name: one.name, exchange: await send(one), varying: one.varying ?? {}, origin });
    }
    return normalizeAll(received);
  } finally {
    // First, so that no service waits for a source that hangs.
    await simulator.close();
    for (const service of Object.values(services)) await service.close();
  }
}

/** Sends cases one after the other, and remembers the ETag and the date of each path for conditional requests. */
function sender(port: number): (one: Case) => Promise<RawExchange> {
  const validators = new Map<string, Record<string, string>>();
  return async function send(one) {
    for (const earlier of one.before ?? []) await send(earlier);
    const received = await exchange(port, bytesOf(one, validators));
    const [response] = received.responses;
    if (response?.status.startsWith('200')) {
      const [etag, modified] = [valueOf(response, 'etag'), valueOf(response, 'last-modified')];
      validators.set(one.path, { ...(etag ? { etag } : {}), ...(modified ? { modified } : {}) });
    }
    return received;
  };
}

function assertUnique(names: readonly string[]): void {
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  assert.deepEqual(repeated, [], 'cases need different names');
}
