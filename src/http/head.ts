import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { httpDate } from './conditional.ts';
import { setRawHead } from './node-internals.ts';

/** Header lines as they go over the wire, each with its line end: `ETag: "a"\r\nAllow: GET\r\n`. */
export type Head = string;

const INVALID = /[^\t\x20-\x7e]/;

/** Header lines from alternating names and values. Throws on characters that could inject a header. */
export function headOf(...fields: readonly string[]): Head {
  let head = '';
  for (let at = 0; at < fields.length; at += 2) {
    const value = fields[at + 1]!;
    if (INVALID.test(value)) throw new TypeError(`${fields[at]} cannot be ${JSON.stringify(value)}`);
    head += `${fields[at]}: ${value}\r\n`;
  }
  return head;
}

/** The names and values of the lines. */
export function fieldsOf(head: Head): [name: string, value: string][] {
  return head
    .split('\r\n')
    .slice(0, -1)
    .map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
}

/** Flattens the string once: V8 would otherwise join its pieces again for each response. */
export function flatten(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/**
 * Node checks and copies every header of every response, which is a fifth of what a held lookup costs. Our heads are
 * finished texts, so they are put where Node puts its own. A connection that will not be kept, or a Node that works
 * otherwise, gets its head in the documented way.
 */
export function writeHead(req: IncomingMessage, res: ServerResponse, status: number, head: Head): void {
  const kept = res.shouldKeepAlive && req.httpVersion === '1.1';
  if (kept && setRawHead(res, statusLine(status) + head, endOfHead)) res.statusCode = status;
  else res.writeHead(status, fieldsOf(head).flat());
}

const statusLines: string[] = [];
function statusLine(status: number): string {
  return (statusLines[status] ??= `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`);
}

let second = 0;
let idle = -1;
let ending = '';

/** The end of a head on a keep-alive connection, the same for all responses within a second. */
function endOfHead(idleMs: number): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second || idleMs !== idle) {
    second = now;
    idle = idleMs;
    const hint = idleMs > 0 ? `Keep-Alive: timeout=${Math.floor(idleMs / 1000)}\r\n` : '';
    ending = flatten(`Date: ${httpDate(now * 1000)}\r\nConnection: keep-alive\r\n${hint}\r\n`);
  }
  return ending;
}
