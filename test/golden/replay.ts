import assert from 'node:assert/strict';
import { freePort } from '../../tools/free-port.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { startService } from '../service.ts';
import type { OpenApi } from './api-cases.ts';
import { BASE, bytesOf, get, type Case, type Group, type Services } from './case.ts';
import { groupsOf, renderedCases } from './cases.ts';
import { exchange, valueOf, type RawExchange } from './client.ts';
import type { Received } from './normalize.ts';

/** Sends every case to real services, and returns what they sent. */
export async function replay(): Promise<Received[]> {
  const simulator = await startSimulator();
  const adminPort = await freePort();
  const common = { BASE_URL: BASE, SECURITY_CONTACT: 'mailto:security@stickers.example' };
  const nowhere = { SOURCE_ORIGIN: 'http://127.0.0.1:9' };
  const services: Services = {
    plain: await startService({ ...common, ...nowhere, ADMIN_PORT: String(adminPort) }),
    asking: await startService({ ...common, SOURCE_ORIGIN: simulator.origin, SOURCES_OFF: 'kia' }),
    unlimited: await startService({ ...nowhere, LIMIT: 'off' }),
  };
  const portOf = ({ origin }: { origin: string }) => Number(new URL(origin).port);
  const senders: Record<Group['server'], Sender> = {
    plain: sender(portOf(services.plain)),
    asking: sender(portOf(services.asking)),
    unlimited: sender(portOf(services.unlimited)),
    admin: sender(adminPort),
  };
  try {
    const listed = async (path: string) => (await senders.plain(get(path))).responses[0]!.body.toString();
    // Rendering takes longer than all else, and the workers can do two at a time.
    await Promise.all(renderedCases.map((one) => senders.plain(one)));
    const openapi = JSON.parse(await listed('/openapi.json')) as OpenApi;
    // Together they name a file of each kind.
    const home = (await listed('/')) + (await listed('/assets/vin-field-settings.js'));
    const groups = groupsOf({ openapi, sitemap: await listed('/sitemap.xml'), home });
    const names = groups.flatMap(({ cases }) => cases.map(({ name }) => name));
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    assert.deepEqual(repeated, [], 'cases need different names');
    const received: Received[] = [];
    for (const { area, server, prepare, cases } of groups) {
      await prepare?.(services, simulator);
      const origin = server === 'unlimited' ? services.unlimited.origin : null;
      for (const one of cases) received.push({ ...one, area, origin, exchange: await senders[server](one) });
    }
    return received;
  } finally {
    // First, so that no service waits for a source that hangs.
    await simulator.close();
    for (const service of Object.values(services)) await service.close();
  }
}

type Sender = (one: Case) => Promise<RawExchange>;

/** Sends cases one after the other, and remembers the ETag and the date of each path for conditional requests. */
function sender(port: number): Sender {
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
