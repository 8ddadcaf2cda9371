import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';

test('a VIN in an error is not logged, whatever precedes it', () => {
  let written = '';
  const log = createLog('info', (lines) => (written += lines));
  const vin = '1FTEW2LP7TKE12345';
  for (const error of [
    vin,
    `rows/${vin}.json`,
    `no such file:\n${vin}`,
    `a\t${vin}\r\n`,
    `"${vin}"`,
    `C:\\${vin}`,
  ])
    log.warn('failed', { error });
  assert.ok(!written.includes(vin), written);
  assert.equal(written.trimEnd().split('\n').length, 6);
  for (const line of written.trimEnd().split('\n')) JSON.parse(line);
});
