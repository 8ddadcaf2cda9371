import type { ParseArgsOptionsConfig } from 'node:util';
import { createClient, MonroneyError } from '@monroney/client';
import { EXIT } from './command-line.ts';
import type { LookupClient } from './local-client.ts';

export type { LookupClient } from './local-client.ts';

/** Seconds per VIN. */
export const DEFAULT_WAIT = '60';

/** Options of every command that looks up VINs. */
export const LOOKUP_OPTIONS = {
  url: { type: 'string' },
  local: { type: 'boolean' },
  contact: { type: 'string' },
  wait: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

export const LOOKUP_OPTIONS_HELP = `  --url URL          the service to use (default: MONRONEY_URL, or http://localhost:8080)
  --local            use no service: look up here, with the store in DATA_DIR
  --contact WHO      a domain or e-mail address, to hear about breaking changes in advance
  --wait SECONDS     time limit per VIN, including waits and retries (default: ${DEFAULT_WAIT})
  --json             one JSON object per line
`;

interface ClientOptions {
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
  wait = DEFAULT_WAIT,
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
  const client = createClient({
    baseUrl,
    budgetMs: Number(wait) * 1000,
    retrySources: true,
    ...(contact ? { contact } : {}),
  });
  return { ...client, close: async () => {} };
}

const TEMPORARY_REASONS = new Set(['network', 'timeout', 'damaged']);

export function exitCodeOf(error: MonroneyError): number {
  return TEMPORARY_REASONS.has(error.reason) || (error.status ?? 0) >= 429 ? EXIT.temporary : EXIT.missing;
}

/** Anything but a `MonroneyError` is a bug. If nothing listens at the URL, it says what to do about it. */
export function asMonroneyError(error: unknown): MonroneyError {
  if (!(error instanceof MonroneyError)) throw error;
  const { reason, message, vin, cause } = error;
  if (!isRefused(cause)) return error;
  const hint =
    'Is the service running? "monroney serve" starts it, --url chooses another, --local needs none.';
  return new MonroneyError({ reason, detail: `${message} ${hint}`, vin, cause });
}

/** Whether `fetch` failed because the connection was refused. */
function isRefused(cause: unknown): boolean {
  return cause instanceof Error && (cause.cause as { code?: unknown } | undefined)?.code === 'ECONNREFUSED';
}
