import { createClient } from '@monroney/client';
import type { Asker } from './local.ts';

export type { Asker } from './local.ts';

export interface AskerOptions {
  url?: string;
  local?: boolean;
  contact?: string;
  wait?: string;
}

export const DEFAULT_URL = 'http://localhost:8080';

/** The asker that the arguments and the environment name, or what is wrong with them. */
export async function openAsker({ url, local, contact, wait = '60' }: AskerOptions): Promise<Asker | string> {
  if (local) {
    if (url) return 'Use either --local or --url, not both.';
    // Loaded only when asked for: a lookup far away must not pay for a service.
    return (await import('./local.ts')).openLocal();
  }
  const baseUrl = url ?? (process.env.MONRONEY_URL?.trim() || DEFAULT_URL);
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    return `"${baseUrl.slice(0, 80)}" is not a URL. It should look like https://example.org.`;
  }
  if (!/^\d{1,5}$/.test(wait)) return '--wait takes seconds, such as 60.';
  const client = createClient({ baseUrl, budgetMs: Number(wait) * 1000, ...(contact ? { contact } : {}) });
  return { ...client, close: async () => {} };
}
