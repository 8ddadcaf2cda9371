import type { Cache } from './cache.ts';

export interface ClientOptions {
  /** The URL of the service, such as `https://example.org`. */
  baseUrl: string;
  /** Optional: your domain or e-mail address, so that we can tell you about breaking changes before they ship. */
  contact?: string;
  /** Caches responses, so that each VIN is requested once. Default: in memory. */
  cache?: Cache;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
  /** How long one call may take, including waits and retries; for `decode`, each 50 VINs. Default: 60 seconds. */
  budgetMs?: number;
  /** Labels larger than this are refused. Default: 40 MB. */
  maxBytes?: number;
  /** How many requests to send in ten seconds; 0 for no limit. Default: as many as the service allows. */
  requests?: number;
  /**
   * Retry when the manufacturer's server fails, too, as long as `budgetMs` allows. Default: false. Such an error then comes
   * at once, with the time to try again: the service has already tried, and won't ask again before that.
   */
  retrySources?: boolean;
}

export interface Asking {
  signal?: AbortSignal;
}
