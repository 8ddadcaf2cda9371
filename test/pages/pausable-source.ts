import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A label source that responds only when the test tells it to. */
export interface PausableSource {
  origin: string;
  /** Sends this to all waiting and all later requests. */
  resume(pdf: Buffer): void;
  /** Makes later requests wait again. */
  pause(): void;
  close(): Promise<void>;
}

export async function startPausableSource(): Promise<PausableSource> {
  const waiting: ServerResponse[] = [];
  let body: Buffer | null = null;
  const send = (response: ServerResponse, pdf: Buffer) =>
    response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': pdf.length }).end(pdf);
  const server = http.createServer((_, response) => {
    if (body) send(response, body);
    else waiting.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    resume(pdf) {
      body = pdf;
      for (const response of waiting.splice(0)) send(response, pdf);
    },
    pause() {
      body = null;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
