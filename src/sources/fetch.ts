import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { isPublicIp, PrivateIpError, publicIpLookup, systemResolve, type Resolve } from './public-ip.ts';
import { createBodyBudget, passBody, readBody } from './response-body.ts';
import { watchConnection } from './connection.ts';

/** Why there is no response. */
type FetchFailure =
  | 'not-https'
  | 'host-not-allowed'
  | 'private-address'
  | 'unresolved'
  /** Our own internet connection or DNS is down. */
  | 'no-network'
  | 'unreachable'
  | 'timeout'
  | 'cancelled'
  | 'unavailable'
  | 'cut-short'
  | 'too-large'
  | 'bad-encoding'
  | 'malformed'
  | 'redirect-off-list'
  | 'too-many-redirects'
  /** Too many large bodies are being fetched. */
  | 'busy';

interface FetchResponse {
  ok: true;
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** The host that sent the response, after redirects. */
  host: string;
  /** Call it when the body is no longer needed: large bodies share a memory budget. */
  release: () => void;
}

type FetchResult = FetchResponse | { ok: false; reason: FetchFailure; host: string };

export interface FetchRequest {
  url: string;
  /** Allowed hosts, also for redirects; `host:port` when the port is not 443. */
  hosts: readonly string[];
  headers?: Readonly<Record<string, string>>;
  /** Timeout for everything: DNS, connection, redirects, body. */
  ms: number;
  /** Called right before each request, also those of redirects, and again when it has waited for a connection. */
  mayStart?: () => boolean;
  signal?: AbortSignal;
  /** Takes the body of a 200 as it arrives, for what is too large for memory. It bounds the size; if it throws, so does the fetch. */
  receive?: (chunks: AsyncIterable<Buffer>, headers: http.IncomingHttpHeaders) => Promise<void>;
}

export interface FetchOptions {
  /** Our public URL, part of the User-Agent so that a source can contact us. */
  baseUrl: string;
  /** Receives all requests, with the real host as the first path segment. For tests and demos. */
  sourceOrigin?: string | null;
  maxBytes?: number;
  /** Memory budget of all large bodies that are being fetched or judged. */
  totalBytes?: number;
  resolve?: Resolve;
  /** Hosts to probe when one can't be reached. Without them, an outage always counts as the host's. */
  otherHosts?: readonly string[];
  /** Called when our internet connection goes down or comes back. */
  networkChanged?(up: boolean): void;
  /** `HTTPS_PROXY`, `NO_PROXY` and so on, in upper or lower case. */
  proxyEnv?: Readonly<Record<string, string>>;
}

export interface Fetch {
  (request: FetchRequest): Promise<FetchResult>;
  close(): void;
}

const MEBIBYTE = 1024 * 1024;
const MAX_REDIRECTS = 3;
/** Responses with a status of 1xx. We ask for none. */
const MAX_INTERIM_RESPONSES = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The only way to send requests to label sources. Returns failures as values; never rejects, unless `receive` does. */
export function openFetch(options: FetchOptions): Fetch {
  const { maxBytes = 20 * MEBIBYTE, totalBytes = 64 * MEBIBYTE, resolve = systemResolve } = options;
  const budget = createBodyBudget(totalBytes);
  const origin = options.sourceOrigin ? new URL(options.sourceOrigin) : null;
  // Keep-alive spares the sources TLS handshakes; idle connections are closed soon.
  const pool = { keepAlive: true, maxSockets: 12, maxFreeSockets: 2, timeout: 10_000 };
  // A proxy resolves host names itself; `lookup` is for hosts in NO_PROXY.
  const direct = { lookup: publicIpLookup(resolve), proxyEnv: options.proxyEnv };
  const agent = origin
    ? new (origin.protocol === 'https:' ? https : http).Agent(pool)
    : new https.Agent({ ...pool, ...direct });
  const connection =
    origin || !options.otherHosts?.length
      ? null
      : watchConnection({
          hosts: options.otherHosts,
          connects: (host) => connects(host, new https.Agent(direct)),
          changed: options.networkChanged,
        });

  const send = createSender(agent, origin, `Monroney/1.0 (+${options.baseUrl})`);

  async function fetchWithin(request: FetchRequest, signal: AbortSignal): Promise<FetchResult> {
    let url = new URL(request.url);
    const requested = new Set<string>();
    for (let redirects = 0; ; redirects++) {
      const { host } = url;
      // A loop, such as one that ends only with a cookie, which we don't send.
      if (requested.has(url.href)) return { ok: false, reason: 'too-many-redirects', host };
      requested.add(url.href);
      const rejection = rejectionOf(url, request.hosts, origin === null);
      if (rejection) return { ok: false, reason: redirects > 0 ? 'redirect-off-list' : rejection, host };
      if (connection?.down) return { ok: false, reason: 'no-network', host };
      if (request.mayStart?.() === false) return { ok: false, reason: 'unavailable', host };
      const response = await sendChecked(url, request, signal);
      if (!(response instanceof http.IncomingMessage)) return { ok: false, reason: response, host };
      const status = response.statusCode ?? 0;
      const location = REDIRECTS.has(status) ? response.headers.location : undefined;
      if (location === undefined && status === 200 && request.receive) {
        const read = await passBody(response, request.receive);
        if (read.ok) return { ...read, status, headers: response.headers, host };
        return { ok: false, reason: signal.aborted ? abortReason(signal) : read.reason, host };
      }
      if (location === undefined) {
        // By source, not by host: one with four hosts would get everything.
        const reserve = (bytes: number) => budget.reserve(request.hosts.join(), bytes, signal);
        const read = await readBody(response, { maxBytes, reserve });
        if (read.ok) return { ...read, status, headers: response.headers, host };
        const aborted = signal.aborted ? abortReason(signal) : null;
        // A timeout while waiting for memory says nothing about the host.
        const ours = read.reason === 'busy' && aborted === 'timeout';
        return { ok: false, reason: ours ? 'busy' : (aborted ?? read.reason), host };
      }
      response.destroy();
      if (redirects === MAX_REDIRECTS) return { ok: false, reason: 'too-many-redirects', host };
      const next = URL.parse(location, url);
      if (!next) return { ok: false, reason: 'malformed', host };
      url = origin && next.origin === origin.origin ? realUrl(next, origin) : next;
    }
  }

  /** Like `send`, but distinguishes an outage of our own connection from one of the host. */
  async function sendChecked(
    url: URL,
    request: FetchRequest,
    signal: AbortSignal,
  ): Promise<http.IncomingMessage | FetchFailure> {
    if (!connection) return send(url, request, signal);
    const { host } = url;
    const started = performance.now();
    let connected = false;
    let outage: Promise<boolean> | undefined;
    const isOurOutage = () => (outage ??= connection.isOurOutage(host, started));
    // Starts early, so that the result for a host that never responds is ready at the timeout.
    const early = setTimeout(
      () => void (connected || isOurOutage()),
      Math.min(PROBE_AFTER_MS, request.ms / 3),
    );
    try {
      const response = await send(url, request, signal, () => {
        connected = true;
        connection.reached(host);
      });
      const unreached = typeof response === 'string' && !connected && UNREACHABLE.has(response);
      return unreached && (await isOurOutage()) ? 'no-network' : response;
    } finally {
      clearTimeout(early);
    }
  }

  return Object.assign(
    async (request: FetchRequest): Promise<FetchResult> => {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort('timeout'), Math.max(0, request.ms));
      const cancel = () => deadline.abort('cancelled');
      if (request.signal?.aborted) cancel();
      request.signal?.addEventListener('abort', cancel);
      try {
        return await fetchWithin(request, deadline.signal);
      } finally {
        clearTimeout(timer);
        request.signal?.removeEventListener('abort', cancel);
      }
    },
    { close: () => agent.destroy() },
  );
}

/** Sends single requests, without following redirects. */
function createSender(agent: http.Agent, origin: URL | null, userAgent: string) {
  return function send(
    url: URL,
    wanted: FetchRequest,
    signal: AbortSignal,
    connected: () => void = () => {},
    firstTry = true,
  ): Promise<http.IncomingMessage | FetchFailure> {
    return new Promise((done) => {
      const target = origin
        ? new URL(`${origin.href.replace(/\/$/, '')}/${url.host}${url.pathname}${url.search}`)
        : url;
      const request = (target.protocol === 'https:' ? https : http).request(target, {
        agent,
        signal,
        headers: { 'User-Agent': userAgent, Accept: '*/*', ...wanted.headers },
      });
      let hasBegun = false;
      request.on('response', (response) => {
        hasBegun = true;
        done(response);
      });
      let interim = 0;
      // Parsing an endless series of them would occupy the main thread until the timeout.
      request.on('information', () => {
        hasBegun = true;
        if (++interim <= MAX_INTERIM_RESPONSES) return;
        done('malformed');
        request.destroy();
      });
      request.on('socket', (socket) => {
        if (wanted.mayStart?.() !== false) return whenSecure(socket, connected);
        done('unavailable');
        request.destroy();
      });
      // While we wait for a proxy there is no socket that could fail.
      signal.addEventListener('abort', () => done(abortReason(signal)), { once: true });
      // Stays attached after the response: a late error needs a listener.
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The server may have closed a keep-alive connection just as we reused it: retry once. Not after a part of its response.
        const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        const stale = request.reusedSocket && !hasBegun && isReset;
        if (stale && firstTry && !signal.aborted) done(send(url, wanted, signal, connected, false));
        else done(signal.aborted ? abortReason(signal) : errorReason(error));
      });
      // After a 101 (Switching Protocols), Node closes the connection without a response or an error.
      request.on('close', () => done('malformed'));
      request.end();
    });
  };
}

/** Why this URL must not be requested; null when it may be. */
function rejectionOf(url: URL, hosts: readonly string[], checkIp: boolean): FetchFailure | null {
  if (url.protocol !== 'https:') return 'not-https';
  if (url.username || url.password || !hosts.includes(url.host)) return 'host-not-allowed';
  // An IP address in the URL is never looked up, so `publicIpLookup` would not see it.
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  return checkIp && isIP(bare) && !isPublicIp(bare) ? 'private-address' : null;
}

/** The real host's URL for a redirect to `sourceOrigin`. */
function realUrl(url: URL, origin: URL): URL {
  const path = url.href.slice(origin.href.replace(/\/$/, '').length + 1);
  return URL.parse(`https://${path}`) ?? url;
}

function abortReason(signal: AbortSignal): FetchFailure {
  return signal.reason === 'timeout' ? 'timeout' : 'cancelled';
}

/** Connect time after which other hosts are probed. */
const PROBE_AFTER_MS = 2_500;

/** Failures with two possible causes: the host is down, or our connection is. A DNS filter may resolve names to private IP addresses. */
const UNREACHABLE = new Set<FetchFailure>(['unresolved', 'unreachable', 'timeout', 'private-address']);

function errorReason(error: NodeJS.ErrnoException): FetchFailure {
  const { code = '' } = error;
  if (error instanceof PrivateIpError) return 'private-address';
  if (code === 'ENOTFOUND') return 'unresolved';
  // Our proxy refused the tunnel. A 5xx means that it could not reach the host: an ordinary failure.
  const { statusCode = 502 } = error as { statusCode?: number };
  if (code === 'ERR_PROXY_TUNNEL' && statusCode < 500) return 'no-network';
  return code.startsWith('HPE_') ? 'malformed' : 'unreachable';
}

const PROBE_TIMEOUT_MS = 2_500;

/** Whether a TLS connection to the host succeeds. Sends no request. */
export async function connects(host: string, agent: https.Agent): Promise<boolean> {
  const request = https.request({ host, agent, method: 'HEAD' });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS);
      request.on('error', () => resolve(false));
      request.on('socket', (socket) => whenSecure(socket, () => resolve(true)));
    });
  } finally {
    clearTimeout(timer);
    request.destroy();
    agent.destroy();
  }
}

/** Calls back after the TLS handshake, when the host has proven its certificate. */
function whenSecure(socket: Socket, secure: () => void): void {
  if (!(socket instanceof TLSSocket)) return;
  if (socket.authorized) secure();
  else socket.once('secureConnect', secure);
}
