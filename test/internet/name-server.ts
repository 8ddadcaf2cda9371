import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const A = 1;
const NO_SUCH_NAME = 3;

/** A name server with the IPv4 addresses in `names`. Other names don't exist. */
export async function startNameServer(address: string, names: ReadonlyMap<string, string>) {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => socket.send(answer(query, names), from.port, from.address));
  socket.bind(53, address);
  await once(socket, 'listening');
  return { close: () => socket.close() };
}

/** RFC 1035: the header, the question, and one record if the name is known and the type is A. */
function answer(query: Buffer, names: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const end = at + 5;
  const ip = names.get(labels.join('.').toLowerCase());
  const found = ip !== undefined && query.readUInt16BE(at + 1) === A;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(ip === undefined ? 0x8180 | NO_SUCH_NAME : 0x8180, 2);
  head.writeUInt16BE(found ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  // A pointer to the name in the question, type A, class IN, no caching, four bytes.
  const record = [0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...(ip ?? '').split('.').map(Number)];
  return Buffer.concat([head, query.subarray(12, end), ...(found ? [Buffer.from(record)] : [])]);
}
