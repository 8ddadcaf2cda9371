import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A test, or all tests of a file with `import { after } from 'node:test'`. */
type Scope = { after(work: () => void): void };

/** The port of a server that listens on the loopback address until the test ends. */
export async function listen(t: Scope, server: Server | HttpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** A temporary folder that is removed after the test. */
export function temporaryFolder(t: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'monroney-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
