import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { StoreUnavailable } from '../legacy-store.ts';
import { openWithdrawals } from './withdrawals.ts';

test('a label loses its row although the bucket fails in the middle of its withdrawal', async () => {
  const removed: string[] = [];
  type Dependencies = Parameters<typeof openWithdrawals>[0];
  const { withdraw } = openWithdrawals({
    db: { one: () => async () => null, all: () => async () => [], run: () => async () => 1 },
    bucket: { put: async () => {} },
    labels: { remove: async (vin: string) => (removed.push(vin), null) },
    copies: { copyOf: () => Promise.reject(new StoreUnavailable('The label bucket is unavailable')) },
    log: silentLog,
  } as unknown as Dependencies);
  const vin = '1FTFW1E8000000001';
  await assert.rejects(withdraw({ vin, reason: 'asked by the owner', at: 1 }), StoreUnavailable);
  assert.deepEqual(removed, [vin]);
});
