import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { freshVin, newLabel } from '../testing.ts';
import type { HeldLabel, Withdrawal } from '../legacy-store.ts';
import { labelKeeper } from './keep-label.ts';

test('a label that is withdrawn while its row is restored is removed again', async () => {
  const vin = freshVin();
  const copy: HeldLabel = { ...newLabel(vin), bytes: 1, sha256: 'a'.repeat(64) };
  let row: HeldLabel | null = null;
  let withdrawal: Withdrawal | null = null;
  const { recover } = labelKeeper({
    labels: {
      label: async () => row,
      // The operator's command finds no row to remove, and this one is written right after it.
      add: async (label: HeldLabel) => {
        withdrawal = { vin, reason: 'asked by the owner', at: 1 };
        return (row = label);
      },
    },
    copies: { copyOf: async () => copy },
    bytes: { check: async () => 'intact' },
    withdrawn: {
      recover: async () => null,
      withdrawal: async () => withdrawal,
      clear: async () => void (row = null),
    },
    forget: async () => {},
    log: silentLog,
  } as unknown as Parameters<typeof labelKeeper>[0]);
  assert.deepEqual(await recover(vin), withdrawal);
  assert.equal(row, null);
});
