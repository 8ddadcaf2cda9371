import { createClient } from '@monroney/client';
import type { LookupClient } from './local-client.ts';

export type { LookupClient } from './local-client.ts';

export interface ClientOptions {
  url?: string;
  local?: boolean;
  contact?: string;
  wait?: string;
}

const DEFAULT_URL = 'http://localhost:8080';

/** Opens the client that the options and the environment ask for, or returns what is wrong with them. */
export async function openClient({
  url,
  local,
  contact,
  wait = '60',
}: ClientOptions): Promise<LookupClient | string> {
  if (local) {
    if (url) return 'Use either --local or --url, not both.';
    // Loaded only when needed: a lookup at a remote service must not load the whole service.
    return (await import('./local-client.ts')).openLocalClient();
  }
  const baseUrl = url ?? (process.env.MONRONEY_URL?.trim() || DEFAULT_URL);
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    return `"${baseUrl.slice(0, 80)}" is not a URL. It should look like https://example.org.`;
  }
  if (!/^\d{1,5}$/.test(wait)) return '--wait takes seconds, such as 60.';
  const client = createClient({ baseUrl, budgetMs: Number(wait) * 1000, ...(contact ? { contact } : {}) });
  return { ...client, close: async () => {} };
}
