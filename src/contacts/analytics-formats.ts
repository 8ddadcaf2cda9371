import type { Config } from '../config.ts';

/** Events with the same contact, route and day. */
export interface EventCount {
  contact: string;
  route: string;
  day: string;
  count: number;
}

export interface Site {
  baseUrl: string;
  host: string;
  /** The domain at Plausible, the website's id at Umami. */
  name: string;
}

interface EventRequest {
  body: unknown;
  /** The number of event counts in it. */
  events: number;
}

/** Our own format takes a batch in one request; Plausible and Umami take one event each, in their own formats. */
export function eventRequests(
  kind: Config['analyticsKind'],
  site: Site,
  batch: EventCount[],
): EventRequest[] {
  if (batch.length === 0) return [];
  switch (kind) {
    case 'json':
      return [{ body: { events: batch }, events: batch.length }];
    case 'plausible':
      return batch.map(({ route, ...props }) => ({
        body: {
          name: 'lookup',
          domain: site.name,
          url: encodeURI(`${site.baseUrl}${pathOf(route)}`),
          props,
        },
        events: 1,
      }));
    case 'umami':
      return batch.map(({ route, ...data }) => ({
        body: {
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
        },
        events: 1,
      }));
  }
}

/** Tools have no URL of their own, so use one below `/mcp`. */
function pathOf(route: string): string {
  return route.startsWith('/') ? route : `/mcp/${route}`;
}
