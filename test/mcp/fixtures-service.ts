/** The HTTP stack of `/mcp` with the tools that the conformance suites require, as a process for tests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHeaders } from '../../src/http/headers.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createMcpEndpoint } from '../../src/mcp/http.ts';
import { createFixtureServer } from './fixtures.ts';

const baseUrl = 'http://localhost';
const headers = createHeaders(baseUrl);
const endpoint = createMcpEndpoint({
  baseUrl,
  log: silentLog,
  serverFor: createFixtureServer,
  noteContact: () => {},
  preflight: headers.preflight,
});
const server = createServer((req, res) => {
  for (const [name, value] of Object.entries(headers.crossOrigin)) res.setHeader(name, value);
  void endpoint.listen(req, res, 'test');
});
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`Fixtures listen on http://localhost:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
