import type { Socket } from 'node:net';

/**
 * Messages between the service and a child: JSON and, because copying it into a message would block the main thread, one
 * body of bytes. Node's own channel would buffer whatever a child sends, and a file may have taken the child over.
 */

/** The child's end of the channel. */
export const CHANNEL_FD = 3;

/** Larger than any text or reading: a text has at most 20,000 items. */
const MAX_JSON_BYTES = 8 * 2 ** 20;
/** Each takes much more memory than its two bytes of JSON. */
const MAX_OBJECTS = 100_000;
/** Larger than any PDF that is opened, and any picture. */
const MAX_BODY_BYTES = 48 * 2 ** 20;
/** The lengths of the JSON and of the body. */
const HEADER_BYTES = 8;
const [OBJECT, ARRAY] = [0x7b, 0x5b];

export function sendMessage(channel: Socket, value: unknown, body?: Uint8Array): void {
  const json = Buffer.from(JSON.stringify(value));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(json.length, 0);
  header.writeUInt32LE(body?.length ?? 0, 4);
  channel.write(Buffer.concat([header, json]));
  if (body?.length) channel.write(body);
}

/** Calls `receive` with each message; `refuse`, once, if one is too large or isn't JSON, and then reads no more. */
export function onMessage(
  channel: Socket,
  receive: (value: unknown, body: Buffer) => void,
  refuse: () => void,
): void {
  let jsonBytes: number | null = null;
  let target: Buffer = Buffer.allocUnsafeSlow(HEADER_BYTES);
  let filled = 0;

  /** What follows the header, or the next header; null if it isn't a message. */
  function finish(): Buffer | null {
    if (jsonBytes === null) {
      const bodyBytes = target.readUInt32LE(4);
      jsonBytes = target.readUInt32LE(0);
      if (jsonBytes === 0 || jsonBytes > MAX_JSON_BYTES || bodyBytes > MAX_BODY_BYTES) return null;
      return Buffer.allocUnsafeSlow(jsonBytes + bodyBytes);
    }
    const value = parsed(target.subarray(0, jsonBytes));
    if (value === undefined) return null;
    receive(value, target.subarray(jsonBytes));
    jsonBytes = null;
    return Buffer.allocUnsafeSlow(HEADER_BYTES);
  }

  channel.on('data', (chunk: Buffer) => {
    for (let rest: Buffer = chunk; rest.length > 0 && !channel.destroyed;) {
      const copied = rest.copy(target, filled);
      rest = rest.subarray(copied);
      filled += copied;
      if (filled < target.length) return;
      const next = finish();
      if (!next) {
        channel.destroy();
        return refuse();
      }
      target = next;
      filled = 0;
    }
  });
}

function parsed(json: Buffer): unknown {
  let objects = 0;
  for (const byte of json)
    if ((byte === OBJECT || byte === ARRAY) && ++objects > MAX_OBJECTS) return undefined;
  try {
    return JSON.parse(json.toString()) as unknown;
  } catch {
    return undefined;
  }
}
