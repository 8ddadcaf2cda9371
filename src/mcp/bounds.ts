import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createLimiter } from '../lib/limits.ts';

/** What one message may cost: its complexity, and the memory of the files that are read. */

/** The SDK checks messages recursively: 45 ms for one with 9,000 levels, and then its stack is full. */
const MAX_DEPTH = 100;
/**
 * The SDK lists everything that is wrong with a message: for 60 KB of zeros where there should be objects, that took 500 ms
 * and 7 MB.
 */
const MAX_COMMAS = 500;

const [QUOTE, BACKSLASH, BRACKET, BRACE, COMMA] = [34, 92, 91, 123, 44];

/** Says why JSON text isn't worth parsing; null if it is. */
export function complexityError(json: string): string | null {
  let depth = 0;
  let commas = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) inString = !inString;
    else if (inString) {
      if (code === BACKSLASH) index++;
    } else if (code === BRACKET || code === BRACE) {
      if (++depth > MAX_DEPTH) return `A message can be nested at most ${MAX_DEPTH} levels deep.`;
    } else if (code === BRACKET + 2 || code === BRACE + 2) depth--;
    else if (code === COMMA && ++commas > MAX_COMMAS)
      return `A message can have at most ${MAX_COMMAS} values.`;
  }
  return null;
}

/** A file of up to 4 MB stays in memory until its client has read it. */
const MAX_READS = 16;
const MAX_READS_PER_CLIENT = 4;

/**
 * Bounds the memory of `resources/read`, also for clients that don't read their responses. If others have taken all places, a
 * client without one gets the oldest of a client with several: four clients that read slowly must not keep out everyone.
 */
export function createReadLimit() {
  const perClient = createLimiter({ concurrent: MAX_READS_PER_CLIENT }, () => performance.now());
  const reads = new Map<ServerResponse, string>();
  const readsOf = (client: string) => [...reads.values()].filter((other) => other === client).length;

  function end(response: ServerResponse): void {
    const client = reads.get(response);
    if (client === undefined) return;
    reads.delete(response);
    perClient.end(client);
  }

  /** Closes the connection of the oldest read whose client has several. False if there is none. */
  function giveUpOne(): boolean {
    for (const [response, client] of reads) {
      if (readsOf(client) === 1) continue;
      end(response);
      response.req.socket.destroy();
      return true;
    }
    return false;
  }

  return {
    /** Counts one until the response is sent. False if there are too many. */
    start(client: string, response: ServerResponse): boolean {
      if (response.closed || !perClient.take(client).allowed) return false;
      if (reads.size >= MAX_READS && (readsOf(client) > 0 || !giveUpOne())) {
        perClient.end(client);
        return false;
      }
      reads.set(response, client);
      response.once('close', () => end(response));
      return true;
    },
  };
}

/** Where a file belongs. It can't occur in a value: there its quotes would be escaped. */
const EMPTY_BLOB = '"blob":""';
/** Divisible by 3, so that base64 pads only the last piece. */
const PIECE_BYTES = 96 * 1024;

/**
 * JSON with a file in base64 in its empty `blob`, encoded in pieces as the client reads: 4 MB at once would take 50 to 100 ms
 * of the main thread. Null if it has no such place.
 */
export function withFile(json: string, file: Buffer): { body: Readable; bytes: number } | null {
  const found = json.indexOf(EMPTY_BLOB);
  if (found < 0) return null;
  const start = found + EMPTY_BLOB.length - 1;
  function* pieces(): Generator<Buffer> {
    yield Buffer.from(json.slice(0, start));
    for (let at = 0; at < file.length; at += PIECE_BYTES)
      yield Buffer.from(file.subarray(at, at + PIECE_BYTES).toString('base64'), 'latin1');
    yield Buffer.from(json.slice(start));
  }
  const bytes = Buffer.byteLength(json) + Math.ceil(file.length / 3) * 4;
  return { body: Readable.from(pieces(), { objectMode: false }), bytes };
}
