import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { isPublicAddress, PrivateAddress, publicLookup, systemResolve, type Resolve } from './address.ts';
import { createBodyBudget } from './body-budget.ts';
import { takeBody } from './body.ts';
import { watchConnection, type Connection } from './connection.ts';

/** Why there is no answer, each named for what happened. */
export type NoAnswer =
  | 'not-https'
  | 'host-not-allowed'
  | 'private-address'
  | 'unresolved'
  /** Our own connection or name server is down. */
  | 'no-network'
  | 'unreachable'
  | 'timeout'
  | 'cancelled'
  | 'cut-short'
  | 'too-large'
  | 'bad-encoding'
  | 'malformed'
  | 'redirect-off-list'
  | 'too-many-redirects'
  /** Too many large bodies are being fetched. */
  | 'busy';

export interface Answer {
  ok: true;
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** The host that answered in the end. */
  host: string;
  /** Must be called when the body is not needed any more: large bodies share a bounded memory. */
  release: () => void;
}

export type Fetched = Answer | { ok: false; reason: NoAnswer; host: string };

export interface Wanted {
  url: string;
  /** Hosts that may be asked, redirects included; `host:port` where the port is not 443. */
  hosts: readonly string[];
  headers?: Readonly<Record<string, string>>;
  /** For everything: name, connection, redirects, the last byte. */
  ms: number;
  signal?: AbortSignal;
}

export interface FetchOptions {
  /** Our public address, which the User-Agent gives so that a source can complain to somebody. */
  baseUrl: string;
  /** Asked instead of every real host, which becomes the first segment of the path. For tests and demos. */
  sourceOrigin?: string | null;
  maxBytes?: number;
  /** All large bodies together that are being fetched or judged. */
  totalBytes?: number;
  resolve?: Resolve;
  /** Hosts to compare with when one can't be reached. Without them only the error's code says whose trouble it is. */
  otherHosts?: readonly string[];
  /** Hears when our own connection to the internet goes and when it is back. */
  networkChanged?(up: boolean): void;
  /** `HTTPS_PROXY`, `NO_PROXY` and the like, in either case. */
  proxyEnv?: Readonly<Record<string, string>>;
}

export interface Fetch {
  (wanted: Wanted): Promise<Fetched>;
  close(): void;
}

const MEBIBYTE = 1024 * 1024;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Opens the one door to the outside. Everything it refuses or fails at is a value, never an exception. */
export function openFetch(options: FetchOptions): Fetch {
  const { maxBytes = 20 * MEBIBYTE, totalBytes = 64 * MEBIBYTE, resolve = systemResolve } = options;
  const budget = createBodyBudget(totalBytes);
  const origin = options.sourceOrigin ? new URL(options.sourceOrigin) : null;
  const userAgent = `Monroney/1.0 (+${options.baseUrl})`;
  // A few lasting connections per host spare a guest's host the handshakes; idle ones are given back soon.
  const pool = { keepAlive: true, maxSockets: 12, maxFreeSockets: 2, timeout: 10_000 };
  // Through a proxy the proxy resolves names; `lookup` is for the hosts that NO_PROXY lists.
  const direct = { lookup: publicLookup(resolve), proxyEnv: options.proxyEnv };
  const agent = origin
    ? new (origin.protocol === 'https:' ? https : http).Agent(pool)
    : new https.Agent({ ...pool, ...direct });
  const connection: Connection | null =
    origin || !options.otherHosts?.length
      ? null
      : watchConnection({
          hosts: options.otherHosts,
          connects: (host) => connects(host, new https.Agent(direct)),
          changed: options.networkChanged,
        });

  async function fetchWithin(wanted: Wanted, signal: AbortSignal): Promise<Fetched> {
    let url = new URL(wanted.url);
    for (let redirects = 0; ; redirects++) {
      const { host } = url;
      const wrong = unfit(url, wanted.hosts, origin === null);
      if (wrong) return { ok: false, reason: redirects > 0 ? 'redirect-off-list' : wrong, host };
      if (connection?.down) return { ok: false, reason: 'no-network', host };
      const response = await sendWatched(url, wanted, signal);
      if (!(response instanceof http.IncomingMessage)) return { ok: false, reason: response, host };
      const status = response.statusCode ?? 0;
      const location = REDIRECTS.has(status) ? response.headers.location : undefined;
      if (location === undefined) {
        const reserve = (bytes: number) => budget.reserve(host, bytes, signal);
        const taken = await takeBody(response, { maxBytes, reserve });
        if (taken.ok) return { ...taken, status, headers: response.headers, host };
        const aborted = signal.aborted ? abortReason(signal) : null;
        // Time that ran out while we waited for ourselves says nothing about the host.
        const ours = taken.reason === 'busy' && aborted === 'timeout';
        return { ok: false, reason: ours ? 'busy' : (aborted ?? taken.reason), host };
      }
      response.destroy();
      if (redirects === MAX_REDIRECTS) return { ok: false, reason: 'too-many-redirects', host };
      const next = URL.parse(location, url);
      if (!next) return { ok: false, reason: 'malformed', host };
      url = origin && next.origin === origin.origin ? realUrl(next, origin) : next;
    }
  }

  /** As `send`, but tells trouble of our own connection from the host's. */
  async function sendWatched(
    url: URL,
    wanted: Wanted,
    signal: AbortSignal,
  ): Promise<http.IncomingMessage | NoAnswer> {
    if (!connection) return send(url, wanted.headers, signal, true);
    const { host } = url;
    const started = performance.now();
    let connected = false;
    let ours: Promise<boolean> | undefined;
    const doubt = () => (ours ??= connection.isOurs(host, started));
    // Begun early, so that the verdict on a host that never answers is there when the time is up.
    const early = setTimeout(() => void (connected || doubt()), Math.min(DOUBT_MS, wanted.ms / 3));
    try {
      const response = await send(url, wanted.headers, signal, true, () => {
        connected = true;
        connection.reached(host);
      });
      const unreached = typeof response === 'string' && !connected && UNREACHED.has(response);
      return unreached && (await doubt()) ? 'no-network' : response;
    } finally {
      clearTimeout(early);
    }
  }

  function send(
    url: URL,
    headers: Wanted['headers'],
    signal: AbortSignal,
    firstTry: boolean,
    connected: () => void = () => {},
  ): Promise<http.IncomingMessage | NoAnswer> {
    return new Promise((done) => {
      const target = origin
        ? new URL(`${origin.href.replace(/\/$/, '')}/${url.host}${url.pathname}${url.search}`)
        : url;
      const request = (target.protocol === 'https:' ? https : http).request(target, {
        agent,
        signal,
        headers: { 'User-Agent': userAgent, Accept: '*/*', ...headers },
      });
      request.on('response', done);
      request.on('socket', (socket) => whenSecure(socket, connected));
      // While a proxy keeps us waiting there is no socket that could fail.
      signal.addEventListener('abort', () => done(abortReason(signal)), { once: true });
      // Stays on after the response: a late error must find a listener.
      request.on('error', (error: NodeJS.ErrnoException) => {
        // A kept connection may have been closed at the other end just as we took it: that says nothing.
        const stale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (stale && firstTry && !signal.aborted) done(send(url, headers, signal, false, connected));
        else done(signal.aborted ? abortReason(signal) : errorReason(error, connection !== null));
      });
      request.end();
    });
  }

  return Object.assign(
    async (wanted: Wanted): Promise<Fetched> => {
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort('timeout'), Math.max(0, wanted.ms));
      const cancel = () => deadline.abort('cancelled');
      if (wanted.signal?.aborted) cancel();
      wanted.signal?.addEventListener('abort', cancel);
      try {
        return await fetchWithin(wanted, deadline.signal);
      } finally {
        clearTimeout(timer);
        wanted.signal?.removeEventListener('abort', cancel);
      }
    },
    { close: () => agent.destroy() },
  );
}

/** Why this address must not be asked; null when it may. */
function unfit(url: URL, hosts: readonly string[], checkAddress: boolean): NoAnswer | null {
  if (url.protocol !== 'https:') return 'not-https';
  if (url.username || url.password || !hosts.includes(url.host)) return 'host-not-allowed';
  // A bare address needs no name looked up, so the check at look-up would never see it.
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  return checkAddress && isIP(bare) && !isPublicAddress(bare) ? 'private-address' : null;
}

/** What a redirect that names the stand-in origin would be at the real host. */
function realUrl(url: URL, origin: URL): URL {
  const path = url.href.slice(origin.href.replace(/\/$/, '').length + 1);
  return URL.parse(`https://${path}`) ?? url;
}

function abortReason(signal: AbortSignal): NoAnswer {
  return signal.reason === 'timeout' ? 'timeout' : 'cancelled';
}

/** Calls back when TLS is agreed on: the host has shown its certificate. */
function whenSecure(socket: Socket, secure: () => void): void {
  if (!(socket instanceof TLSSocket)) return;
  if (socket.authorized) secure();
  else socket.once('secureConnect', secure);
}

/** Whether a host can be connected to, TLS included. Nothing is sent to it. */
async function connects(host: string, agent: https.Agent): Promise<boolean> {
  const request = https.request({ host, agent, method: 'HEAD' });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), CONNECT_MS);
      request.on('error', () => resolve(false));
      request.on('socket', (socket) => whenSecure(socket, () => resolve(true)));
    });
  } finally {
    clearTimeout(timer);
    request.destroy();
    agent.destroy();
  }
}

/** How long a host may take to be connected to before others are tried, and how long those may take. */
const DOUBT_MS = 2_500;
const CONNECT_MS = 2_500;

/** What both a dead host and a dead connection of ours look like. Names that lead to private addresses may be a DNS filter's. */
const UNREACHED = new Set<NoAnswer>(['unresolved', 'unreachable', 'timeout', 'private-address']);

const NO_NETWORK = new Set(['EAI_AGAIN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']);

/** `comparable`: other hosts will tell whose trouble it is, which is surer than the code. */
function errorReason(error: NodeJS.ErrnoException, comparable: boolean): NoAnswer {
  const { code = '' } = error;
  if (error instanceof PrivateAddress) return 'private-address';
  if (code === 'ENOTFOUND') return 'unresolved';
  if (NO_NETWORK.has(code)) return comparable ? 'unreachable' : 'no-network';
  // Our own proxy doesn't let us through. With a 5xx it could not reach the host, which is like any other failure.
  const { statusCode = 502 } = error as { statusCode?: number };
  if (code === 'ERR_PROXY_TUNNEL' && statusCode < 500) return 'no-network';
  return code.startsWith('HPE_') ? 'malformed' : 'unreachable';
}
