import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createLog } from './log.ts';
import { createMetrics, nowRunning, watchStalls } from './metrics.ts';

test('a stall is logged and counted with what was running', (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const lines: string[] = [];
  const log = createLog('info', (text) => lines.push(text));
  const metrics = createMetrics();
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const stop = watchStalls({ log, metrics });
  /** The timer fires this late. */
  const fire = (lateMs: number) => {
    now += 50 + lateMs;
    mock.timers.tick(50);
  };
  fire(0);
  nowRunning('/slow');
  fire(200);
  nowRunning('/api/v1/vin/{vin}');
  fire(250);
  fire(0);
  stop();
  log.flush();
  const stalls = lines
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { ms: number; running: string });
  assert.deepEqual(
    stalls.map(({ ms, running }) => [ms, running]),
    [[250, '/api/v1/vin/{vin}']],
  );
  const text = metrics.text();
  assert.match(text, /monroney_event_loop_stalls_total\{running="\/api\/v1\/vin\/\{vin\}"\} 1/);
  assert.match(text, /monroney_event_loop_delay_seconds_max \d/);
});
