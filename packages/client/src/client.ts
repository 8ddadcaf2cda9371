import type {
  BatchResponse,
  BatchResult,
  LabelResponse,
  Problem,
  ServiceReason,
  StatusReport,
  VinResponse,
} from './api.ts';
import { memoryCache, type Cache, type Kept } from './cache.ts';
import { MonroneyError } from './errors.ts';
import { createPace, secondsOf, sleep } from './pace.ts';
import { takePdf } from './pdf.ts';
import { createSharing } from './sharing.ts';
import { vinsIn } from '../../vin/src/vins-in.ts';

export interface ClientOptions {
  /** Where the service is: `https://example.org`. */
  baseUrl: string;
  /** Who you are, if you like: one domain or one e-mail address. You then hear of breaking changes before they ship. */
  contact?: string;
  /** Where answers are kept, so that each VIN is asked for once. Default: in memory. */
  cache?: Cache;
  /** Another `fetch`. */
  fetch?: typeof fetch;
  /** How long one question may take, waits and repetitions included. Default: 60 seconds. */
  budgetMs?: number;
  /** Labels larger than this are refused. Default: 40 MB. */
  maxBytes?: number;
  /** How many requests may leave within ten seconds. Default: 10, the service's limit; 0 for no pacing. */
  requests?: number;
}

export interface Asking {
  signal?: AbortSignal;
}

/** One make that publishes labels, and how its source is doing. */
export type Make = { make: string } & Omit<StatusReport['sources'][number], 'makes' | 'hours'>;

export interface Client {
  /** The vehicle, and whether its label is there. With `sticker: false` no manufacturer is asked. */
  lookup(vin: string, how?: Asking & { sticker?: boolean }): Promise<VinResponse>;
  /** The manufacturer's PDF, checked against its digest. */
  label(vin: string, how?: Asking): Promise<Uint8Array<ArrayBuffer>>;
  /** What the label says. With `text: true` its lines come along. */
  read(vin: string, how?: Asking & { text?: boolean }): Promise<LabelResponse>;
  /**
   * The vehicles of many VINs, and which labels the service holds: 50 in a request. Nobody is asked for labels. A VIN
   * that cannot be answered has an `error` in its place.
   */
  decode(vins: readonly string[], how?: Asking): Promise<BatchResult[]>;
  /** The makes with labels, one row each. */
  makes(how?: Asking): Promise<Make[]>;
}

/** What the service takes in one request. */
const MOST_VINS = 50;

type Take<T> = (response: Response) => Promise<T>;

async function json<T extends { ok: boolean }>(response: Response): Promise<T> {
  const body = (await response.json()) as T;
  // Everything that the service says has it; what a proxy or another program says does not.
  if (body.ok !== (response.status === 200)) throw new SyntaxError('no answer of this API');
  return body;
}

/** A client of one Monroney service. */
export function createClient(options: ClientOptions): Client {
  const {
    contact,
    cache = memoryCache(),
    budgetMs = 60_000,
    maxBytes = 40 * 2 ** 20,
    requests = 10,
  } = options;
  const base = options.baseUrl.replace(/\/+$/, '');
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args));
  const headers: Record<string, string> = contact ? { 'X-Contact': contact } : {};
  const pace = createPace(requests);
  const sharing = createSharing();

  const kept = async (url: string) => {
    const found = await cache.get(url);
    return found && found.until > Date.now() ? found : undefined;
  };

  async function ask<T>(
    path: string,
    vin: string | null,
    take: Take<T>,
    { signal }: Asking = {},
  ): Promise<T> {
    const url = base + path;
    const found = await sharing(url, signal, async (stop): Promise<Kept> => {
      // An answer with the label has all that one without it has.
      const known = (await kept(url)) ?? (await kept(url.replace('?sticker=false', '')));
      if (known) return known;
      const fresh = await insist(url, vin, take, stop);
      if (fresh.until > Date.now()) await cache.set(url, fresh);
      return fresh;
    });
    if (found.problem)
      throw new MonroneyError({ ...found.problem, reason: found.problem.reason as ServiceReason });
    // Whatever a caller does to its answer, the next one gets it as it came.
    return structuredClone(found.value) as T;
  }

  /** Asks until there is an answer, a reason not to go on, or no time left. */
  async function insist<T>(
    url: string,
    vin: string | null,
    take: Take<T>,
    stop: AbortController,
    init: RequestInit = {},
  ): Promise<Kept> {
    const { signal } = stop;
    let deadline = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      for (let attempt = 0; ; attempt++) {
        if (url.startsWith(`${base}/api/`)) await pace.turn(signal);
        deadline ||= Date.now() + budgetMs;
        timer ??= setTimeout(() => stop.abort(outOfTime(vin, budgetMs)), budgetMs);
        const answer = await once(url, vin, take, { ...init, signal });
        if (!(answer instanceof MonroneyError)) return answer;
        const passing = answer.status === null ? attempt < 2 : /^(429|50[234])$/.test(`${answer.status}`);
        const wait = (answer.retryAfter ?? 2 ** attempt / 2) * 1000 * (1 + Math.random() / 4);
        if (!passing || Date.now() + wait > deadline) throw answer;
        await sleep(wait, signal);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** One request: an answer to keep or not, or what is wrong and may pass. */
  async function once<T>(
    url: string,
    vin: string | null,
    take: Take<T>,
    init: RequestInit & { signal: AbortSignal },
  ) {
    let status: number | null = null;
    try {
      const response = await send(url, { ...init, headers: { ...headers, ...(init.headers as object) } });
      status = response.status;
      pace.heed(response);
      const age = /\bmax-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1] ?? 0;
      const until = Date.now() + Number(age) * 1000;
      if (status === 200) return { value: await take(response), until };
      const problem = await json<Problem>(response);
      if (status < 429) return { problem: { ...problem, status, ...(vin ? { vin } : {}) }, until };
      const reason = problem.reason as ServiceReason;
      return new MonroneyError({ ...problem, reason, status, vin, retryAfter: secondsOf(response.headers) });
    } catch (cause) {
      init.signal.throwIfAborted();
      if (cause instanceof MonroneyError) throw cause;
      if (!(cause instanceof SyntaxError)) {
        const detail = `${base} cannot be reached, or the connection broke.`;
        return new MonroneyError({ reason: 'network', detail, vin, cause });
      }
      const detail = `What ${base} answers (${status}) is not what a Monroney service says.`;
      return new MonroneyError({ reason: 'unexpected', detail, status, vin, cause });
    }
  }

  async function decode(vins: readonly string[], { signal }: Asking = {}): Promise<BatchResult[]> {
    const results: BatchResult[] = [];
    for (let at = 0; at < vins.length; at += MOST_VINS) {
      signal?.throwIfAborted();
      const stop = new AbortController();
      const onAbort = () => stop.abort(signal!.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        const found = await insist(`${base}/api/v1/decode`, null, json<BatchResponse>, stop, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ vins: vins.slice(at, at + MOST_VINS) }),
        });
        if (found.problem)
          throw new MonroneyError({ ...found.problem, reason: found.problem.reason as ServiceReason });
        results.push(...(found.value as BatchResponse).results);
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    }
    return results;
  }

  return {
    decode,
    async lookup(text, how) {
      const vin = vinOf(text);
      return ask(
        `/api/v1/vin/${vin}${how?.sticker === false ? '?sticker=false' : ''}`,
        vin,
        json<VinResponse>,
        how,
      );
    },
    async label(text, how) {
      const vin = vinOf(text);
      return ask(`/api/sticker/${vin}`, vin, (response) => takePdf(response, vin, maxBytes), how);
    },
    async read(text, how) {
      const vin = vinOf(text);
      return ask(
        `/api/v1/vin/${vin}/label${how?.text ? '?include=text' : ''}`,
        vin,
        json<LabelResponse>,
        how,
      );
    },
    async makes(how) {
      const { sources } = await ask('/status.json', null, json<StatusReport>, how);
      return sources.flatMap((source) => {
        const { makes, hours: _, ...rest } = source;
        return makes.map((make) => ({ make, ...rest }));
      });
    },
  };
}

function vinOf(text: string): string {
  const vin = text.trim().toUpperCase();
  if (/^[A-HJ-NPR-Z0-9]{17}$/.test(vin)) return vin;
  const [only, other] = vinsIn(text);
  if (only && !other) return only;
  throw new MonroneyError({
    reason: 'bad-vin',
    detail: `"${text.slice(0, 40)}" is not a VIN: 17 digits and letters, without I, O and Q.`,
  });
}

function outOfTime(vin: string | null, ms: number): MonroneyError {
  return new MonroneyError({
    reason: 'timeout',
    detail: `There was no answer within ${ms / 1000} seconds.`,
    vin,
  });
}
