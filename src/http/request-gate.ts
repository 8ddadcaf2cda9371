import type { IncomingMessage, ServerResponse } from 'node:http';
// The global of the same name is a getter that costs more than reading the clock.
import { performance } from 'node:perf_hooks';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Listener } from './listener.ts';
import { stopParser } from '../lib/node-internals.ts';

/** Requests of one connection that may be in progress at once. */
const MAX_IN_FLIGHT = 8;
/**
 * Parsed requests that may wait behind them, per connection and in total. Parsing the total in one turn of the event
 * loop takes about 50 ms.
 */
const MAX_WAITING = 400;
const MAX_WAITING_TOTAL = 2000;

const BYTES = Symbol('bytes read at the last request');
const LATEST = Symbol('latest response');
const PIPELINE = Symbol('pipeline');
type HttpSocket = Socket & {
  [BYTES]?: number;
  [LATEST]?: ServerResponse;
  [PIPELINE]?: Pipeline;
};

interface Waiting {
  client: string;
  isHealthCheck: boolean;
  start(): void;
}

interface Pipeline {
  socket: HttpSocket;
  /** Unfinished responses of requests that have started behind the first one. */
  started: Set<ServerResponse>;
  waiting: Waiting[];
  /** When it was put into `ready`; null when it isn't there. */
  queuedAt: number | null;
}

/** Connections by client, in round-robin order. */
type Line = Map<string, Pipeline[]>;

interface RequestGate {
  listener: Listener;
  /** Must be called for each new connection. */
  accepted(): void;
  /** Whether we stopped reading from the socket because requests are waiting. */
  isPaused(socket: Duplex): boolean;
  /** Whether a response is being written or queued, so that nothing else may be written to the socket. */
  isResponding(socket: Duplex): boolean;
}

/**
 * Milliseconds of one turn of the event loop in which requests start at once, and then milliseconds for those that wait.
 * Short, because Node accepts one connection per turn.
 */
const TURN_MS = 5;
/** The same for health checks, which are cheap. */
const HEALTH_TURN_MS = 20;
/** While a request has waited longer than this many milliseconds, new ones wait behind it. A busy turn takes less. */
const MAX_OVERTAKEN_MS = 20;
/** Requests that have waited and may start in one turn. */
const MAX_STARTS_PER_TURN = 32;
/** Milliseconds for which new connections come before requests that wait. */
const ACCEPTING_MS = 20;

/**
 * Decides when a request starts. One that arrives alone starts at once, unless this turn of the event loop is already long
 * or others have waited long: hundreds of connections may send a request at the same moment. One that arrives behind
 * another on its connection waits until fewer than eight of its connection are in progress. Those that wait start in the
 * next turns, round-robin over the clients and then over the connections of each. We don't read from the socket while
 * requests wait.
 * Node parses a complete read (64 KB) at once, so a few thousand requests may arrive after we stopped reading. Beyond the
 * bounds above, we close the connection.
 */
export function createRequestGate(handle: Listener, clientOf: (req: IncomingMessage) => string): RequestGate {
  /** Connections whose next request may start. */
  const ready: Line = new Map();
  /** Those whose next request is a health check. They take turns with all others: a late response looks like a failure. */
  const healthChecks: Line = new Map();
  let wasHealthCheck = false;
  /** How many may still start in this turn. */
  let scheduled = 0;
  let total = 0;
  let turnStarted: number | null = null;
  let accepted = false;
  let acceptingSince: number | null = null;

  /**
   * Whether to leave this turn to new connections, of which each turn accepts one: hundreds may be waiting, and a health
   * check or another client behind them.
   */
  function isAccepting(now: number): boolean {
    if (accepted) acceptingSince ??= now;
    else acceptingSince = null;
    if (acceptingSince === null || now - acceptingSince < ACCEPTING_MS) return accepted;
    acceptingSince = null;
    return false;
  }

  /** Whether the next request in line has waited long. */
  function isBehind(): boolean {
    if (ready.size === 0) return false;
    const [next] = ready.values().next().value!;
    return performance.now() - next!.queuedAt! > MAX_OVERTAKEN_MS;
  }

  /** Whether requests have taken this turn's time. */
  function isTurnOver(ms: number): boolean {
    if (turnStarted !== null) return performance.now() - turnStarted > ms;
    turnStarted = performance.now();
    setImmediate(() => (turnStarted = null));
    return false;
  }

  function listener(req: IncomingMessage, res: ServerResponse, unsupportedExpect?: boolean): void {
    const socket = req.socket as HttpSocket;
    const bytes = socket.bytesRead;
    // Node assigns the socket to a response when the previous one has finished. Immediate responses finish between two
    // requests of one read, so a request from the same read as the previous one counts as pipelined too.
    const isAlone = res.socket !== null && socket[BYTES] !== bytes;
    socket[BYTES] = bytes;
    socket[LATEST] = res;
    const isHealthCheck = req.url === '/healthz';
    const isLate = isHealthCheck ? isTurnOver(HEALTH_TURN_MS) : isTurnOver(TURN_MS) || isBehind();
    if (isAlone && !isLate) return handle(req, res, unsupportedExpect);
    if (socket.destroyed) return stopParser(socket);
    const pipeline = (socket[PIPELINE] ??= openPipeline(socket));
    const isFull = pipeline.waiting.length >= MAX_WAITING || total >= MAX_WAITING_TOTAL;
    if (isFull && !isAlone) return stopParser(socket);
    total++;
    const start = () => {
      pipeline.started.add(res);
      res.once('close', () => {
        pipeline.started.delete(res);
        queue(pipeline);
      });
      handle(req, res, unsupportedExpect);
    };
    pipeline.waiting.push({ client: clientOf(req), isHealthCheck, start });
    socket.pause();
    queue(pipeline);
  }

  function openPipeline(socket: HttpSocket): Pipeline {
    const pipeline: Pipeline = { socket, started: new Set(), waiting: [], queuedAt: null };
    // Node itself resumes the socket, for example after a drained write buffer.
    socket.on('resume', () => {
      if (pipeline.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      total -= pipeline.waiting.length;
      pipeline.waiting = [];
      // Node does so too, but not after a CONNECT: they would count as in progress forever.
      for (const res of pipeline.started) res.destroy();
    });
    return pipeline;
  }

  function queue(pipeline: Pipeline): void {
    // The first request of a connection is not counted in `started`.
    if (
      pipeline.queuedAt !== null ||
      pipeline.waiting.length === 0 ||
      pipeline.started.size >= MAX_IN_FLIGHT - 1
    )
      return;
    pipeline.queuedAt = performance.now();
    const { client, isHealthCheck } = pipeline.waiting[0]!;
    const line = isHealthCheck ? healthChecks : ready;
    const others = line.get(client);
    if (others) others.push(pipeline);
    else line.set(client, [pipeline]);
    schedule();
  }

  function schedule(): void {
    if (scheduled > 0 || ready.size + healthChecks.size === 0) return;
    scheduled = Math.max(1, Math.min(total, MAX_STARTS_PER_TURN));
    let started: number | null = null;
    let isOver = false;
    // One callback each, because promises are resolved between them: much of the work of a request happens then.
    const startUnlessOver = () => {
      scheduled--;
      const now = performance.now();
      if (started === null) {
        started = now;
        isOver = isAccepting(now);
        accepted = false;
      }
      if (!isOver && now - started <= TURN_MS) startNext();
      schedule();
    };
    for (let n = scheduled; n > 0; n--) setImmediate(startUnlessOver);
  }

  function takeNext(): Pipeline | undefined {
    wasHealthCheck = healthChecks.size > 0 && (ready.size === 0 || !wasHealthCheck);
    const line = wasHealthCheck ? healthChecks : ready;
    const first = line.entries().next().value;
    if (!first) return undefined;
    const [client, pipelines] = first;
    const pipeline = pipelines.shift();
    // The client goes to the end of the line.
    line.delete(client);
    if (pipelines.length > 0) line.set(client, pipelines);
    return pipeline;
  }

  function startNext(): void {
    const pipeline = takeNext();
    if (!pipeline) return;
    pipeline.queuedAt = null;
    const next = pipeline.waiting.shift();
    if (next) {
      total--;
      // The last one may need its body, which hasn't been read yet.
      if (pipeline.waiting.length === 0) pipeline.socket.resume();
      next.start();
    }
    queue(pipeline);
  }

  const isPaused = (socket: Duplex): boolean => ((socket as HttpSocket)[PIPELINE]?.waiting.length ?? 0) > 0;
  const isResponding = (socket: Duplex): boolean => {
    const latest = (socket as HttpSocket)[LATEST];
    if (latest === undefined || latest.writableFinished) return false;
    // What is wrong came after the request that this response is for.
    return latest.headersSent || latest.socket === null || latest.req.complete;
  };
  return { listener, accepted: () => void (accepted = true), isPaused, isResponding };
}
