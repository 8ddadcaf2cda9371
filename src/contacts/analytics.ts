import type { Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import { countDropped, type Metrics } from '../lib/metrics.ts';
import { createPeriodic } from '../lib/promises.ts';

export interface AnalyticsEvent {
  contact: string;
  route: string;
  day: string;
}

/** Sends contacts to the operator's analytics service in the background. Its failures never affect requests. */
export interface Analytics {
  send(event: AnalyticsEvent): void;
  /** Sends the queued events. Events that can't be sent are dropped and counted. */
  close(): Promise<void>;
}

const FLUSH_INTERVAL_MS = 5000;
const TIMEOUT_MS = 5000;
/** For the last events when the service stops. */
const CLOSE_TIMEOUT_MS = 1000;
const MAX_QUEUED = 1000;

// Umami treats a user agent with a URL, or with only a name and version, as a robot and silently drops its events.
const USER_AGENT = 'Monroney/1.0 (usage counts)';

/** Null if the operator uses none. Sends nothing about the client except its contact. */
export function openAnalytics(
  config: Pick<Config, 'analyticsUrl' | 'analyticsKind' | 'analyticsSite' | 'baseUrl'>,
  dependencies: { log: Log; metrics: Metrics; now(): number },
): Analytics | null {
  const { analyticsUrl, analyticsKind } = config;
  if (!analyticsUrl) return null;
  const host = new URL(config.baseUrl).hostname;
  const site: Site = { baseUrl: config.baseUrl, host, name: config.analyticsSite ?? host };
  const dropped = countDropped(
    dependencies,
    'monroney_analytics_dropped_total',
    'analytics: unreachable or too slow; events dropped',
  );
  const stopping = new AbortController();
  let queued = new Map<string, EventCount>();
  const sending = createPeriodic(FLUSH_INTERVAL_MS, async () => {
    const batch = [...queued.values()];
    queued = new Map();
    await post(batch);
  });

  async function post(batch: EventCount[]): Promise<void> {
    let sent = 0;
    try {
      for (const body of eventBodies(analyticsKind, site, batch)) {
        await postJson(analyticsUrl!, body, stopping.signal);
        sent++;
      }
    } catch (error) {
      // Drop the rest too: if the service is down, each request would take the full timeout.
      const { message, cause } = error as Error & { cause?: { code?: string } };
      dropped(batch.length - sent, cause?.code ?? message);
    }
  }

  return {
    send(event) {
      const key = `${event.contact} ${event.day} ${event.route}`;
      const existing = queued.get(key);
      if (existing) existing.count++;
      else if (queued.size < MAX_QUEUED) queued.set(key, { ...event, count: 1 });
      else dropped(1);
    },
    async close() {
      const timeout = setTimeout(() => stopping.abort(), CLOSE_TIMEOUT_MS);
      await sending.stop();
      await sending.run();
      clearTimeout(timeout);
    },
  };
}

async function postJson(url: string, json: unknown, stopping: AbortSignal): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': USER_AGENT },
    body: JSON.stringify(json),
    redirect: 'error',
    signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const start = await startOfBody(response);
  if (!response.ok) throw new Error(`status ${response.status}`);
  if (start.includes('"beep":"boop"'))
    throw new Error('Umami took the events for those of a robot and dropped them');
}

/** The first chunk is enough to recognize the response. */
async function startOfBody(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const { value } = await reader.read();
  await reader.cancel();
  return value ? Buffer.from(value).toString('latin1', 0, 200) : '';
}

/** Events with the same contact, route and day. */
interface EventCount extends AnalyticsEvent {
  count: number;
}

interface Site {
  baseUrl: string;
  host: string;
  /** The domain at Plausible, the website's id at Umami. */
  name: string;
}

/** Our own format takes a batch in one request; Plausible and Umami take one event each, in their own formats. */
function eventBodies(kind: Config['analyticsKind'], site: Site, batch: EventCount[]): unknown[] {
  switch (kind) {
    case 'json':
      return batch.length > 0 ? [{ events: batch }] : [];
    case 'plausible':
      return batch.map(({ route, ...props }) => ({
        name: 'lookup',
        domain: site.name,
        url: encodeURI(`${site.baseUrl}${pathOf(route)}`),
        props,
      }));
    case 'umami':
      return batch.map(({ route, ...data }) => ({
        type: 'event',
        payload: {
          website: site.name,
          hostname: site.host,
          url: pathOf(route),
          title: route,
          referrer: '',
          language: '',
          screen: '',
          name: 'lookup',
          data,
        },
      }));
  }
}

/** Tools have no URL of their own, so use one below `/mcp`. */
function pathOf(route: string): string {
  return route.startsWith('/') ? route : `/mcp/${route}`;
}
