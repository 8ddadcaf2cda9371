import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { nowRunning, watchStalls } from './stalls.ts';

test('a stall is logged and counted with what was running', async () => {
  const lines: string[] = [];
  const log = createLog('info', (text) => lines.push(text));
  const metrics = createMetrics();
  const stop = watchStalls({ log, metrics, overMs: 100, everyMs: 10 });
  await sleep(30);
  nowRunning('/api/v1/vin/{vin}');
  const end = performance.now() + 250;
  while (performance.now() < end);
  await sleep(30);
  stop();
  log.flush();
  const [line] = lines
    .join('')
    .split('\n')
    .filter((each) => each.includes('/api/v1/vin/{vin}'));
  assert.ok(line?.includes('event loop stalled'), lines.join(''));
  const text = metrics.text();
  assert.match(text, /monroney_event_loop_stalls_total\{running="\/api\/v1\/vin\/\{vin\}"\} 1/);
  assert.match(text, /monroney_event_loop_delay_seconds_max 0\.\d+/);
});
