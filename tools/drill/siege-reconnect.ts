/** Sockets of one address that each send 64 KB of requests at once, close, and connect again at full speed. */
import net from 'node:net';
import { workerData } from 'node:worker_threads';

const { port, request, sockets } = workerData as { port: number; request: string; sockets: number };
const BURST = Buffer.from(request.repeat(Math.floor(65_536 / request.length)));

function attack(): void {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: '127.0.9.1' });
  socket.on('error', () => {}).once('close', attack);
  socket.resume().write(BURST, () => socket.destroy());
}

for (let n = 0; n < sockets; n++) attack();
