import type { ParseArgsOptionsConfig } from 'node:util';
import { createClient, MonroneyError } from '@monroney/client';
import { interruptible } from './batch.ts';
import { EXIT, usageError } from './command-line.ts';
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
  --local            use no service: look up here, with the store in DATA_DIR, which is created if there is none
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

interface ClientUse {
  /** Whether the command also reads or writes files of its caller. */
  hasFiles?: boolean;
  /** How many lookups may wait for each other. */
  lookups?: number;
  /** Whether to wait for a source that fails. Default: true. */
  retrySources?: boolean;
}

/** The service's usual limit lets one request pass in about a second; four wait for its next window, eleven seconds, at most. */
const TURN_SECONDS = 3;

/** Opens the client that the options and the environment ask for, or returns what is wrong with them. */
export async function openClient(
  { url, local, contact, wait = DEFAULT_WAIT }: ClientOptions,
  { hasFiles = false, lookups = 0, retrySources = true }: ClientUse = {},
): Promise<LookupClient | string> {
  if (local) {
    if (url) return 'Use either --local or --url, not both.';
    // Loaded only when needed: a lookup at a remote service must not load the whole service.
    return (await import('./local-client.ts')).openLocalClient(hasFiles);
  }
  const baseUrl = url ?? (process.env.MONRONEY_URL?.trim() || DEFAULT_URL);
  const wrong = urlError(baseUrl);
  if (wrong) return wrong;
  if (!/^\d{1,5}$/.test(wait)) return '--wait takes seconds, such as 60.';
  const client = createClient({
    baseUrl,
    budgetMs: (Number(wait) + TURN_SECONDS * lookups) * 1000,
    retrySources,
    ...(contact ? { contact } : {}),
  });
  const page = (vin: string) => `${baseUrl.replace(/(?<!\/)\/+$/, '')}/window-sticker/${vin}`;
  return { ...client, page, close: async () => {} };
}

/** What is wrong with the URL of a service; null if nothing is. */
export function urlError(text: string): string | null {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return null;
  return `"${text.slice(0, 80)}" is not a URL. It should look like https://example.org.`;
}

/** Runs a command with a client, until it ends or Ctrl-C aborts it. */
export async function withClient(
  options: ClientOptions,
  use: ClientUse,
  usage: string,
  work: (client: LookupClient, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const client = await openClient(options, use);
  if (typeof client === 'string') return usageError(client, usage);
  try {
    return await interruptible((signal) => work(client, signal));
  } finally {
    await client.close();
  }
}

const TEMPORARY_REASONS = new Set(['network', 'timeout', 'damaged']);

/** Anything but a `MonroneyError` is a bug. If nothing listens at the URL, it says what to do about it. */
export function failureOf(error: unknown) {
  if (!(error instanceof MonroneyError)) throw error;
  const { reason, message, status, cause } = error;
  const hint = isRefused(cause)
    ? ' Is the service running? "monroney serve" starts it, --url chooses another, --local needs none.'
    : '';
  const isTemporary = TEMPORARY_REASONS.has(reason) || (status ?? 0) >= 429;
  return { reason, detail: message + hint, status, exit: isTemporary ? EXIT.temporary : EXIT.missing };
}

/** Whether `fetch` failed because the connection was refused. */
function isRefused(cause: unknown): boolean {
  return cause instanceof Error && (cause.cause as { code?: unknown } | undefined)?.code === 'ECONNREFUSED';
}
