import type { Config } from '../config.ts';

export interface Counted {
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

interface Body {
  body: unknown;
  /** How many events it carries. */
  events: number;
}

/** Our own form takes a batch at once; Plausible and Umami want an event each, in their own words. */
export function bodiesOf(kind: Config['analyticsKind'], site: Site, batch: Counted[]): Body[] {
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

/** A tool has no address of its own; there it gets one below the tool endpoint's. */
function pathOf(route: string): string {
  return route.startsWith('/') ? route : `/mcp/${route}`;
}
