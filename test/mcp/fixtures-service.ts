/** The HTTP stack of `/mcp` with the tools that the conformance suites require, as a process for tests. */
import type { AddressInfo } from 'node:net';
import { fieldsOf } from '../../src/http/response.ts';
import { createHeaders } from '../../src/http/headers.ts';
import { createHttpServer } from '../../src/http/server.ts';
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
const server = createHttpServer((req, res) => {
  for (const [name, value] of fieldsOf(headers.crossOrigin)) res.setHeader(name, value);
  void endpoint.listen(req, res, 'test');
}, baseUrl);
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`Fixtures listen on http://localhost:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
