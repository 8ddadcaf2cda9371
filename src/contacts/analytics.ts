import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Config } from '../config.ts';

export interface AnalyticsEvent {
  contact: string;
  route: string;
  day: string;
}

/** Hands contacts to the operator's analytics service in the background; its being down never shows. */
export interface Analytics {
  send(event: AnalyticsEvent): void;
  close(): Promise<void>;
}

interface Counted extends AnalyticsEvent {
  count: number;
}

const EVERY_MS = 5000;
const BUDGET_MS = 5000;
const MOST_WAITING = 1000;

type Posting = (url: string, json: unknown, userAgent: string) => Promise<void>;

/** `post` is net's; no address, no forwarded header and no cookie goes along. */
export function openAnalytics(
  config: Pick<Config, 'analyticsUrl' | 'analyticsKind' | 'analyticsSite' | 'baseUrl'>,
  parts: { post?: Posting; log: Log; metrics: Metrics; everyMs?: number },
): Analytics | null {
  const { analyticsUrl } = config;
  if (!analyticsUrl) return null;
  const post = parts.post ?? postJson;
  let waiting = new Map<string, Counted>();
  let sending = false;
  const timer = setInterval(() => void flush(), parts.everyMs ?? EVERY_MS).unref();

  async function flush(): Promise<void> {
    // One at a time: a hanging analytics service holds one request of ours, not one every five seconds.
    if (sending || waiting.size === 0) return;
    sending = true;
    const batch = [...waiting.values()];
    waiting = new Map();
    try {
      for (const body of bodies(config, batch))
        await post(analyticsUrl!, body, `Monroney/1.0 (+${config.baseUrl})`);
    } catch (error) {
      parts.metrics.count('monroney_analytics_dropped_total', {}, batch.length);
      parts.log.warn('analytics not reached, events dropped', {
        events: batch.length,
        error: String((error as Error).message),
      });
    } finally {
      sending = false;
    }
  }

  return {
    send(event) {
      const key = `${event.contact} ${event.day} ${event.route}`;
      const known = waiting.get(key);
      if (known) known.count++;
      else if (waiting.size < MOST_WAITING) waiting.set(key, { ...event, count: 1 });
      else parts.metrics.count('monroney_analytics_dropped_total');
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Our own form takes a batch at once; Plausible and Umami want an event each, in their own words. */
function bodies(
  config: Pick<Config, 'analyticsKind' | 'analyticsSite' | 'baseUrl'>,
  batch: Counted[],
): unknown[] {
  const host = new URL(config.baseUrl).hostname;
  switch (config.analyticsKind) {
    case 'json':
      return [{ events: batch }];
    case 'plausible':
      return batch.map(({ contact, route, day, count }) => ({
        name: 'lookup',
        domain: config.analyticsSite ?? host,
        url: `${config.baseUrl}${route.startsWith('/') ? route : `/mcp/${route}`}`,
        props: { contact, day, count },
      }));
    case 'umami':
      return batch.map(({ contact, route, day, count }) => ({
        type: 'event',
        payload: {
          website: config.analyticsSite ?? host,
          hostname: host,
          url: route,
          name: 'lookup',
          data: { contact, day, count },
        },
      }));
  }
}

async function postJson(url: string, json: unknown, userAgent: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent },
    body: JSON.stringify(json),
    redirect: 'error',
    signal: AbortSignal.timeout(BUDGET_MS),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
}
