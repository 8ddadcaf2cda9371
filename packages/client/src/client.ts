import type {
  BatchResponse,
  BatchResult,
  CoveredMake,
  LabelResponse,
  MakesResponse,
  Problem,
  ServiceReason,
  VinResponse,
} from './generated/api.ts';
import { checkCall, checkOptions, checkVins, vinOf, type Asking, type ClientOptions } from './arguments.ts';
import { createSingleFlight, memoryCache, type Kept } from './cache.ts';
import { MonroneyError } from './errors.ts';
import { readPdf } from './pdf.ts';
import { createRateLimit, retryAfterOf, sleep } from './rate-limit.ts';

export interface Client {
  /** The vehicle, and whether its label is available. With `sticker: false` the manufacturer isn't contacted. */
  lookup(vin: string, callOptions?: Asking & { sticker?: boolean }): Promise<VinResponse>;
  /** The manufacturer's PDF, checked against its digest. */
  sticker(vin: string, callOptions?: Asking): Promise<Uint8Array<ArrayBuffer>>;
  /** What the label says, as data. `text: true` adds its lines of text. */
  label(vin: string, callOptions?: Asking & { text?: boolean }): Promise<LabelResponse>;
  /** Another name of `label`. */
  read: Client['label'];
  /**
   * The vehicles of many VINs, and which labels the service has stored. Sends 50 VINs per request and contacts
   * no manufacturer. A VIN that can't be decoded has an `error` in its place.
   */
  decode(vins: readonly string[], callOptions?: Asking): Promise<BatchResult[]>;
  /** The makes with labels, one row each. */
  makes(callOptions?: Asking): Promise<CoveredMake[]>;
}

/** The service's maximum per request. */
const MAX_VINS = 50;

type ReadBody<T> = (response: Response) => Promise<T>;

async function json<T extends { ok: boolean }>(response: Response): Promise<T> {
  const body = (await response.json()) as T;
  // Every response of the service has `ok`; responses of proxies don't.
  if (body.ok !== (response.status === 200)) throw new SyntaxError('not a response of this API');
  return body;
}

/** A client of one Monroney service. */
export function createClient(options: ClientOptions): Client {
  const base = checkOptions(options);
  const { cache = memoryCache(), maxBytes = 40 * 2 ** 20 } = options;
  const fetchWithRetries = createFetcher(base, options);
  const singleFlight = createSingleFlight();

  const cached = async (url: string) => {
    const entry = await cache.get(url);
    return entry && entry.until > Date.now() ? entry : undefined;
  };

  async function request<T>(
    path: string,
    vin: string | null,
    readBody: ReadBody<T>,
    callOptions: Asking | undefined,
  ): Promise<T> {
    const signal = checkCall(callOptions)?.signal;
    const url = base + path;
    const result = await singleFlight(url, signal, async (stop): Promise<Kept> => {
      // A lookup with the label includes everything that one without it has.
      const hit = (await cached(url)) ?? (await cached(url.replace('?sticker=false', '')));
      if (hit) return hit;
      const fetched = await fetchWithRetries(url, vin, readBody, stop);
      if (fetched.until > Date.now()) await cache.set(url, fetched);
      return fetched;
    });
    if (result.problem) throw errorOf(result.problem);
    // A copy, so that callers can't change what's cached.
    return structuredClone(result.value) as T;
  }

  async function decode(vins: readonly string[], callOptions?: Asking): Promise<BatchResult[]> {
    checkVins(vins);
    const signal = checkCall(callOptions)?.signal;
    const results: BatchResult[] = [];
    for (let start = 0; start < vins.length; start += MAX_VINS) {
      signal?.throwIfAborted();
      const stop = new AbortController();
      const onAbort = () => stop.abort(signal!.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        const result = await fetchWithRetries(`${base}/api/v1/decode`, null, json<BatchResponse>, stop, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ vins: vins.slice(start, start + MAX_VINS) }),
        });
        if (result.problem) throw errorOf(result.problem);
        results.push(...(result.value as BatchResponse).results);
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    }
    return results;
  }

  async function label(text: string, callOptions?: Asking & { text?: boolean }): Promise<LabelResponse> {
    const vin = vinOf(text);
    return request(
      `/api/v1/vin/${vin}/label${checkCall(callOptions)?.text ? '?include=text' : ''}`,
      vin,
      json<LabelResponse>,
      callOptions,
    );
  }

  return {
    decode,
    label,
    read: label,
    async lookup(text, callOptions) {
      const vin = vinOf(text);
      return request(
        `/api/v1/vin/${vin}${checkCall(callOptions)?.sticker === false ? '?sticker=false' : ''}`,
        vin,
        json<VinResponse>,
        callOptions,
      );
    },
    async sticker(text, callOptions) {
      const vin = vinOf(text);
      return request(`/api/sticker/${vin}`, vin, (response) => readPdf(response, vin, maxBytes), callOptions);
    },
    async makes(callOptions) {
      return (await request('/api/v1/makes', null, json<MakesResponse>, callOptions)).makes;
    },
  };
}

/** Returns a function that sends a request: within the rate limit, and again after a temporary failure. */
function createFetcher(base: string, options: ClientOptions) {
  const { contact, budgetMs = 60_000, requests, retrySources = false } = options;
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  const headers: Record<string, string> = contact ? { 'X-Contact': contact } : {};
  const rateLimit = createRateLimit(requests);
  const isLimited = (url: string): boolean => url.startsWith(`${base}/api/`);

  /** Retries until there is a response, a permanent error, or no time left. */
  async function fetchWithRetries<T>(
    url: string,
    vin: string | null,
    readBody: ReadBody<T>,
    stop: AbortController,
    init: RequestInit = {},
  ): Promise<Kept> {
    const { signal } = stop;
    const deadline = performance.now() + budgetMs;
    const timer = setTimeout(() => stop.abort(timeoutError(vin, budgetMs)), budgetMs);
    try {
      for (let attempt = 0; ; attempt++) {
        if (isLimited(url)) await rateLimit.wait(signal);
        const result = await fetchOnce(url, vin, readBody, { ...init, signal });
        if (!(result instanceof MonroneyError)) return result;
        const isTemporary =
          result.status === null
            ? attempt < 2
            : /^(429|50[234])$/.test(`${result.status}`) &&
              (retrySources || !result.reason.startsWith('source-'));
        const wait = (result.retryAfter ?? 2 ** attempt / 2) * 1000 * (1 + Math.random() / 4);
        if (!isTemporary || performance.now() + wait > deadline) throw result;
        await sleep(wait, signal);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends one request. Returns a result, or an error that may be temporary; throws other errors. */
  async function fetchOnce<T>(
    url: string,
    vin: string | null,
    readBody: ReadBody<T>,
    init: RequestInit & { signal: AbortSignal },
  ) {
    let status: number | null = null;
    let retryAfter: number | null = null;
    try {
      const response = await send(url, { ...init, headers: { ...headers, ...(init.headers as object) } });
      status = response.status;
      retryAfter = retryAfterOf(response.headers);
      if (isLimited(url)) rateLimit.update(response);
      const age = /\bmax-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1] ?? 0;
      const until = Date.now() + Number(age) * 1000;
      if (status === 200) return { value: await readBody(response), until };
      const problem = await json<Problem>(response);
      if (status < 429) return { problem: { ...problem, status, ...(vin ? { vin } : {}) }, until };
      const reason = problem.reason as ServiceReason;
      return new MonroneyError({ ...problem, reason, status, vin, retryAfter });
    } catch (cause) {
      init.signal.throwIfAborted();
      if (cause instanceof MonroneyError) throw cause;
      if (!(cause instanceof SyntaxError)) {
        const detail = `Can't reach ${base}, or the connection was lost. Check baseUrl and your network.`;
        return new MonroneyError({ reason: 'network', detail, vin, cause });
      }
      const todo = status !== null && status >= 500 ? 'Try again later, or check baseUrl.' : 'Check baseUrl.';
      const detail = `The response of ${base} (${status}) isn't from a Monroney service. ${todo}`;
      return new MonroneyError({ reason: 'unexpected', detail, status, vin, retryAfter, cause });
    }
  }

  return fetchWithRetries;
}

/** The service may have reasons that this version doesn't know. */
function errorOf(problem: Problem): MonroneyError {
  return new MonroneyError({ ...problem, reason: problem.reason as ServiceReason });
}

function timeoutError(vin: string | null, ms: number): MonroneyError {
  const detail = `No response within ${ms / 1000} seconds. Try again later, or raise budgetMs.`;
  return new MonroneyError({ reason: 'timeout', detail, vin });
}
