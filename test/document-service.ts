import assert from 'node:assert/strict';
import { after } from 'node:test';
import { startService } from './service.ts';

export const BASE = 'https://labels.example';

/** A service for tests of its documents, closed after the tests of the file that starts it. */
export async function startDocuments() {
  const service = await startService({ BASE_URL: BASE, SOURCE_ORIGIN: 'http://127.0.0.1:9' });
  after(() => service.close());
  const text = async (path: string) => {
    const response = await service.get(path);
    assert.equal(response.status, 200, path);
    return response.text();
  };
  return { service, text };
}
