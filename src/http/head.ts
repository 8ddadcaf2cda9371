import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { setRawHead } from './node-internals.ts';

/** Header lines as they go over the wire, each with its line end: `ETag: "a"\r\nAllow: GET\r\n`. */
export type Head = string;

const INVALID = /[^\t\x20-\x7e]/;

/** Header lines from alternating names and values. Throws on characters that could inject a header. */
export function headOf(...fields: readonly string[]): Head {
  let head = '';
  for (let index = 0; index < fields.length; index += 2) {
    const value = fields[index + 1]!;
    if (INVALID.test(value)) throw new TypeError(`${fields[index]} cannot be ${JSON.stringify(value)}`);
    head += `${fields[index]}: ${value}\r\n`;
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
 * Node checks and copies every header of every response, which is a fifth of the cost of a held lookup. Our heads are
 * finished strings, so we set them where Node keeps its own. Connections that will be closed, and Node versions without
 * that field, use the documented `writeHead`.
 */
export function writeHead(req: IncomingMessage, res: ServerResponse, status: number, head: Head): void {
  const keepAlive = res.shouldKeepAlive && req.httpVersion === '1.1';
  if (keepAlive && setRawHead(res, statusLine(status) + head, endOfHead)) res.statusCode = status;
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

/** HTTP dates have a resolution of one second. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}
