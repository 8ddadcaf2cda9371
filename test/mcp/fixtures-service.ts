/** The HTTP stack of `/mcp` with the tools that the conformance suites require, as a process for tests. */
import type { AddressInfo } from 'node:net';
import { bareApp } from '../../src/http/testing.ts';
import { silentLog } from '../../src/lib/log.ts';
import { mcp } from '../../src/mcp/http.ts';
import { createFixtureServer } from './fixtures.ts';

const app = bareApp('http://localhost');
await app.register(mcp, { log: silentLog, serverFor: createFixtureServer, noteContact() {} });
await app.listen({ host: '127.0.0.1', port: 0 });
process.stderr.write(`Fixtures listen on http://localhost:${(app.server.address() as AddressInfo).port}\n`);
process.once('SIGTERM', () => process.exit(0));
