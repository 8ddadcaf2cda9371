import { MCP_VERSION } from '../../mcp/server.ts';
import { tools } from '../../mcp/tools.ts';
import { SKILL_PATH } from './skill.ts';

export const MCP_TITLE = 'Monroney window stickers';
/** At most 100 characters: registries cut it there. `server.json` says the same. */
export const MCP_SAYS =
  'Original US window stickers by VIN: PDF, prices, options, paint; and an offline VIN decoder.';

/** What the tool endpoint is and where, so that a client need not connect to find out. */
export function serverCard(baseUrl: string): unknown {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${backwards(baseUrl)}/window-stickers`,
    title: MCP_TITLE,
    version: MCP_VERSION,
    description: MCP_SAYS,
    websiteUrl: `${baseUrl}/connect`,
    icons: [{ src: `${baseUrl}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrl}/mcp`,
        supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      },
    ],
  };
}

/** What a registry of tool servers takes: this instance's `server.json`. */
export function registryEntry(baseUrl: string): unknown {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${backwards(baseUrl)}/window-stickers`,
    title: MCP_TITLE,
    description: MCP_SAYS,
    version: MCP_VERSION,
    websiteUrl: `${baseUrl}/connect`,
    icons: [{ src: `${baseUrl}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    remotes: [{ type: 'streamable-http', url: `${baseUrl}/mcp` }],
  };
}

/** Everything here that an agent can use, in one list. */
export function aiCatalog(baseUrl: string): unknown {
  const { hostname } = new URL(baseUrl);
  const entry = (kind: string, name: string, type: string, path: string, rest: object) => ({
    identifier: `urn:air:${hostname}:${kind}`,
    displayName: name,
    type,
    mediaType: type,
    url: `${baseUrl}${path}`,
    ...rest,
  });
  const queries = [
    'find the original window sticker of a car by VIN',
    'what did this car cost new and which options does it have',
    'decode a VIN',
  ];
  return {
    specVersion: '1.0',
    host: { displayName: 'Monroney', documentationUrl: `${baseUrl}/docs`, logoUrl: `${baseUrl}/icon.svg` },
    entries: [
      entry('server:mcp', MCP_TITLE, 'application/mcp-server-card+json', '/mcp/server-card', {
        description: MCP_SAYS,
        version: MCP_VERSION,
        capabilities: tools.map(({ name }) => name),
        representativeQueries: queries,
      }),
      entry('api:v1', 'Monroney API', 'application/vnd.oai.openapi+json', '/openapi.json', {
        description: 'The same lookups over HTTP. No key, no sign-in.',
        capabilities: ['getVin', 'getSticker', 'readSticker', 'getPreview'],
      }),
      entry('skill:window-sticker', 'Window sticker skill', 'text/markdown', SKILL_PATH, {
        description: 'How to use the HTTP API well, for agents without a tool endpoint.',
      }),
    ],
  };
}

/** `labels.example.org` as registries name things: `org.example.labels`. */
function backwards(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /^[\d.]+$|:/.test(hostname) ? 'localhost' : hostname.split('.').toReversed().join('.');
}
