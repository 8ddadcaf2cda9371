/**
 * Requests at a steady rate, whether the server keeps up or not; how long each took from the moment it was due. Latency
 * is counted from then, so that a server that stalls cannot hide who would have asked meanwhile.
 */
import { connect, type Socket } from 'node:net';

export interface Pace {
  port: number;
  paths: string[];
  perSecond: number;
  ms: number;
  connections: number;
}

async function play({ port, paths, perSecond, ms, connections }: Pace): Promise<number[]> {
  const took: number[] = [];
  const free: Socket[] = [];
  const since = new Map<Socket, number>();
  const due: number[] = [];
  let asked = 0;

  const send = (socket: Socket, from: number): void => {
    since.set(socket, from);
    const n = asked++;
    const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    socket.write(
      `GET ${paths[n % paths.length]} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`,
    );
  };
  // Answers here are small: one piece is one answer.
  const heard = (socket: Socket): void => {
    const from = since.get(socket);
    if (from === undefined) return;
    since.delete(socket);
    took.push(performance.now() - from);
    const next = due.shift();
    if (next === undefined) free.push(socket);
    else send(socket, next);
  };
  for (let n = 0; n < connections; n++) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.on('data', () => heard(socket));
    free.push(socket);
  }
  const start = performance.now();
  let next = start;
  while (next < start + ms) {
    const now = performance.now();
    while (next <= now && next < start + ms) {
      const socket = free.pop();
      if (socket) send(socket, next);
      else due.push(next);
      next += 1000 / perSecond;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (let n = 0; n < 200 && since.size > 0; n++) await new Promise((resolve) => setTimeout(resolve, 10));
  for (const socket of [...free, ...since.keys()]) socket.destroy();
  return took;
}

process.on('message', (pace: Pace) => {
  void play(pace).then((took) => process.send!(took));
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
