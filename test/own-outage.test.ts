import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, textOf } from './mcp-client.ts';
import { serviceOfFile } from './simulated.ts';

const service = await serviceOfFile({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });

interface Outage {
  outage: { reason: string } | null;
}

test('when this server cannot reach the internet, everything that tells about sources says that it is us', async () => {
  service.runtime.outages.networkChanged(false);
  const ready = await service.get('/readyz');
  assert.equal(ready.status, 200, 'decodes and stored stickers need no network');
  assert.equal(((await ready.json()) as { network: string }).network, 'down');
  for (const path of ['/status.json', '/api/v1/makes'])
    assert.equal((await service.json<Outage>(path)).outage?.reason, 'network', path);
  for (const accept of ['text/html', 'text/markdown']) {
    const page = await (await service.get('/status', { headers: { accept } })).text();
    assert.match(page, /This server can['’]t reach the internet|can&#39;t reach the internet/);
    assert.doesNotMatch(page, /No lookups in the last 24 hours/i);
  }
  const text = textOf(await call(service, 'list_covered_makes', { make: 'Subaru' }));
  assert.match(
    text,
    /^This server can't reach the internet.*\nSubaru is covered\.\nThe source of Subaru may be/,
  );
});
