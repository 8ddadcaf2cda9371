import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { bodiesOf, type Counted, type Site } from './analytics-shapes.ts';
import { countDropped } from './dropped.ts';

export interface AnalyticsEvent {
  contact: string;
  route: string;
  day: string;
}

/** Hands contacts to the operator's analytics service in the background; its being down never shows. */
export interface Analytics {
  send(event: AnalyticsEvent): void;
  /** Sends what is waiting now; what cannot be sent is dropped and counted. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_INTERVAL_MS = 5000;
const TIMEOUT_MS = 5000;
/** When the service stops, analytics is not waited for as long. */
const CLOSE_TIMEOUT_MS = 1000;
const MAX_QUEUED = 1000;

// Umami takes anything with an address in it, or only a name and a version, for a robot and quietly drops its events.
const USER_AGENT = 'Monroney/1.0 (counts of use; nobody in particular)';

/** Null when the operator uses none. Nothing of the caller goes along but what it called itself. */
export function openAnalytics(
  config: Pick<Config, 'analyticsUrl' | 'analyticsKind' | 'analyticsSite' | 'baseUrl'>,
  parts: { log: Log; metrics: Metrics; now(): number },
): Analytics | null {
  const { analyticsUrl, analyticsKind } = config;
  if (!analyticsUrl) return null;
  const host = new URL(config.baseUrl).hostname;
  const site: Site = { baseUrl: config.baseUrl, host, name: config.analyticsSite ?? host };
  const dropped = countDropped(
    parts,
    'monroney_analytics_dropped_total',
    'analytics: not reached or too slow, events dropped',
  );
  const stopping = new AbortController();
  let waiting = new Map<string, Counted>();
  let sending: Promise<void> | null = null;
  // One at a time: a hanging analytics service holds one request of ours, not one every five seconds.
  const timer = setInterval(() => void (sending ?? sendAll()), FLUSH_INTERVAL_MS).unref();

  function sendAll(): Promise<void> {
    const batch = [...waiting.values()];
    waiting = new Map();
    sending = post(batch).finally(() => (sending = null));
    return sending;
  }

  async function post(batch: Counted[]): Promise<void> {
    let left = batch.length;
    try {
      for (const { body, events } of bodiesOf(analyticsKind, site, batch)) {
        await postJson(analyticsUrl!, body, stopping.signal);
        left -= events;
      }
    } catch (error) {
      // The rest is dropped too: a service that is down would let each of them wait its full time.
      const { message, cause } = error as Error & { cause?: { code?: string } };
      dropped(left, cause?.code ?? message);
    }
  }

  return {
    send(event) {
      const key = `${event.contact} ${event.day} ${event.route}`;
      const known = waiting.get(key);
      if (known) known.count++;
      else if (waiting.size < MAX_QUEUED) waiting.set(key, { ...event, count: 1 });
      else dropped(1);
    },
    async flush() {
      await sending;
      await sendAll();
    },
    async close() {
      clearInterval(timer);
      const late = setTimeout(() => stopping.abort(), CLOSE_TIMEOUT_MS);
      await sending;
      await sendAll();
      clearTimeout(late);
    },
  };
}

async function postJson(url: string, json: unknown, stopping: AbortSignal): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': USER_AGENT },
    body: JSON.stringify(json),
    redirect: 'error',
    signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const said = await beginning(answer);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  if (said.includes('"beep":"boop"')) throw new Error('Umami took us for a robot');
}

/** The first piece of an answer is enough to tell; the rest is not waited for. */
async function beginning(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  if (!reader) return '';
  const { value } = await reader.read();
  await reader.cancel();
  return value ? Buffer.from(value).toString('latin1', 0, 200) : '';
}
