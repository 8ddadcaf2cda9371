import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const A = 1;
const NXDOMAIN = 3;

/** A DNS server with the IPv4 addresses in `names`. Other names don't exist. */
export async function startDnsServer(ip: string, names: ReadonlyMap<string, string>) {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => socket.send(respond(query, names), from.port, from.address));
  socket.bind(53, ip);
  await once(socket, 'listening');
  return { close: () => socket.close() };
}

/** RFC 1035: the header, the question, and one record if the name is known and the type is A. */
function respond(query: Buffer, names: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = [];
  let position = 12;
  for (let length = query[position]!; length > 0; length = query[position]!) {
    labels.push(query.toString('latin1', position + 1, position + 1 + length));
    position += length + 1;
  }
  const end = position + 5;
  const resolved = names.get(labels.join('.').toLowerCase());
  const hasRecord = resolved !== undefined && query.readUInt16BE(position + 1) === A;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(resolved === undefined ? 0x8180 | NXDOMAIN : 0x8180, 2);
  header.writeUInt16BE(hasRecord ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  // A pointer to the name in the question, type A, class IN, no caching, four bytes.
  const record = [0xc0, 12, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...(resolved ?? '').split('.').map(Number)];
  return Buffer.concat([header, query.subarray(12, end), ...(hasRecord ? [Buffer.from(record)] : [])]);
}
