import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Listener } from './listener.ts';
import { stopParser } from './node-internals.ts';

/** Requests of one connection that may be in progress at once. */
const IN_FLIGHT = 8;
/**
 * Parsed requests that may wait behind them: per connection, and on all connections together. Parsing the total in one
 * turn of the event loop takes some 50 ms.
 */
const WAITING = 400;
const WAITING_TOTAL = 2000;

const BYTES = Symbol('bytes read at the last request');
const LATEST = Symbol('latest response');
const PIPELINE = Symbol('pipeline');
type HttpSocket = Socket & {
  [BYTES]?: number;
  [LATEST]?: ServerResponse;
  [PIPELINE]?: Pipeline;
};

interface Pipeline {
  socket: HttpSocket;
  /** Requests started behind the first one and not yet answered. */
  started: number;
  /** Each entry starts one request. */
  waiting: (() => void)[];
  /** In `ready`, waiting for its turn. */
  queued: boolean;
}

export interface PipelineGate {
  listener: Listener;
  /** Whether we stopped reading from the socket because requests are waiting. */
  isHeld(socket: Duplex): boolean;
  /** Whether a response is on its way, or waits behind one: nothing else may be written to the socket. */
  isAnswering(socket: Duplex): boolean;
}

/**
 * Back-pressure for pipelined requests. A request that arrives alone is handled at once. One that arrives behind another
 * waits: it starts when fewer than eight of its connection are in progress, and only one such request starts per turn
 * of the event loop, connections taking turns. The socket is not read while requests wait. Node parses a whole read
 * (64 KB) at once, so a few thousand requests may arrive after we stopped reading: beyond the bounds above the
 * connection is closed.
 */
export function createPipelineGate(handle: Listener): PipelineGate {
  /** Connections whose next request may start, in the order of their turns. */
  const ready: Pipeline[] = [];
  let scheduled = false;
  let total = 0;

  function listener(req: IncomingMessage, res: ServerResponse, unmet?: boolean): void {
    const socket = req.socket as HttpSocket;
    const bytes = socket.bytesRead;
    // Node gives a response its socket when the one before is finished. Answers that are ready at once finish between
    // two requests of one read, so a request that came with the read of the one before is pipelined as well.
    const alone = res.socket !== null && socket[BYTES] !== bytes;
    socket[BYTES] = bytes;
    socket[LATEST] = res;
    if (alone) return handle(req, res, unmet);
    if (socket.destroyed) return;
    const pipeline = (socket[PIPELINE] ??= openPipeline(socket));
    if (pipeline.waiting.length >= WAITING || total >= WAITING_TOTAL) {
      return stopParser(socket);
    }
    total++;
    pipeline.waiting.push(() => {
      pipeline.started++;
      res.once('close', () => {
        pipeline.started--;
        queue(pipeline);
      });
      handle(req, res, unmet);
    });
    socket.pause();
    queue(pipeline);
  }

  function openPipeline(socket: HttpSocket): Pipeline {
    const pipeline: Pipeline = { socket, started: 0, waiting: [], queued: false };
    // Node resumes the socket for reasons of its own, such as a drained write buffer.
    socket.on('resume', () => {
      if (pipeline.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      total -= pipeline.waiting.length;
      pipeline.waiting = [];
    });
    return pipeline;
  }

  function queue(pipeline: Pipeline): void {
    // The first request of a connection is not counted in `started`.
    if (pipeline.queued || pipeline.waiting.length === 0 || pipeline.started >= IN_FLIGHT - 1) return;
    pipeline.queued = true;
    ready.push(pipeline);
    schedule();
  }

  function schedule(): void {
    if (scheduled || ready.length === 0) return;
    scheduled = true;
    setImmediate(startNext);
  }

  function startNext(): void {
    scheduled = false;
    const pipeline = ready.shift()!;
    pipeline.queued = false;
    const start = pipeline.waiting.shift();
    if (start) {
      total--;
      // The last one may need its body, which has not been read yet.
      if (pipeline.waiting.length === 0) pipeline.socket.resume();
      start();
    }
    queue(pipeline);
    schedule();
  }

  const isHeld = (socket: Duplex): boolean => ((socket as HttpSocket)[PIPELINE]?.waiting.length ?? 0) > 0;
  const isAnswering = (socket: Duplex): boolean => {
    const latest = (socket as HttpSocket)[LATEST];
    return latest !== undefined && !latest.writableFinished && (latest.headersSent || latest.socket === null);
  };
  return { listener, isHeld, isAnswering };
}
