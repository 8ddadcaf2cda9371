import { MAX_IN_FLIGHT } from '../../http/connections.ts';
import type { Policy } from '../../http/limit.ts';
import { MAX_PAGES_PER_MINUTE, MAX_CONCURRENT_PAGES } from '../../http/limit.ts';
import { MAX_BODY_BYTES } from '../../http/request.ts';
import { SERVER_LIMITS } from '../../http/server.ts';
import { MAX_FETCHES_PER_MINUTE, MAX_CONCURRENT_FETCHES } from '../../lookup/find.ts';
import { MAX_BATCH_VINS } from '../../lookup/schemas.ts';

/** `/limits.json`: the figures of `/docs/limits`. `limit` is null if limits are disabled. */
export function limitsJson(baseUrl: string, limit: Policy | null) {
  const limits = limit && [
    {
      name: 'default',
      covers: 'every request under /api/ and /vpic/',
      requests: limit.requests,
      seconds: limit.seconds,
      blockSeconds: limit.seconds,
      reason: 'too-many-requests',
    },
    {
      name: 'new-labels',
      covers: "new stickers fetched from manufacturers, through any route; stored stickers aren't counted",
      requests: MAX_FETCHES_PER_MINUTE,
      seconds: 60,
      atOnce: MAX_CONCURRENT_FETCHES,
      reason: 'ask-limit',
    },
    {
      name: 'pages',
      covers: 'pages, pictures of stickers and /mcp',
      requests: MAX_PAGES_PER_MINUTE,
      seconds: 60,
      atOnce: MAX_CONCURRENT_PAGES,
      reason: 'too-many-requests',
    },
  ];
  return {
    per: 'IP address; for IPv6 the /64 network. Its /56 may use four times, its /48 sixteen times as much',
    limits: limits ?? [],
    connection: {
      requestsAtOnce: MAX_IN_FLIGHT,
      requests: SERVER_LIMITS.requestsPerConnection,
      idleSeconds: SERVER_LIMITS.idleMs / 1000,
    },
    connections: SERVER_LIMITS.connections,
    request: {
      bodyBytes: MAX_BODY_BYTES,
      headerBytes: SERVER_LIMITS.headerBytes,
      vins: MAX_BATCH_VINS,
    },
    documentation: `${baseUrl}/docs/limits`,
  };
}
