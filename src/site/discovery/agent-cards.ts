import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { MCP_VERSION } from '../../mcp/server.ts';
import { tools } from '../../mcp/tools.ts';

export const MCP_TITLE = 'Monroney window stickers';
/** Registries cut it off after 100 characters. */
export const MCP_DESCRIPTION =
  'Original US window stickers by VIN: PDF, prices, options, paint; and an offline VIN decoder.';

/** What both descriptions of the MCP endpoint say. */
const endpointOf = (baseUrl: string) => ({
  name: `${reverseDomain(baseUrl)}/window-stickers`,
  title: MCP_TITLE,
  version: MCP_VERSION,
  description: MCP_DESCRIPTION,
  websiteUrl: `${baseUrl}/connect`,
  icons: [{ src: `${baseUrl}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
});

const remoteOf = (baseUrl: string) => ({ type: 'streamable-http', url: `${baseUrl}/mcp` });

/** Describes the MCP endpoint, so clients can learn about it without connecting. */
export function serverCard(baseUrl: string): unknown {
  const supportedProtocolVersions = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...endpointOf(baseUrl),
    remotes: [{ ...remoteOf(baseUrl), supportedProtocolVersions }],
  };
}

/** This instance's `server.json`, the format of MCP registries. */
export function registryEntry(baseUrl: string): unknown {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...endpointOf(baseUrl),
    remotes: [remoteOf(baseUrl)],
  };
}

/** One list of everything an agent can use: tools, API and skill. */
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
        description: MCP_DESCRIPTION,
        version: MCP_VERSION,
        capabilities: tools.map(({ name }) => name),
        representativeQueries: queries,
      }),
      entry('api:v1', 'Monroney API', 'application/vnd.oai.openapi+json', '/openapi.json', {
        description: 'The same lookups over HTTP. No key, no sign-in.',
        capabilities: ['getVin', 'getSticker', 'getLabel', 'getPreview'],
      }),
      entry('skill:window-sticker', 'Window sticker skill', 'text/markdown', SKILL_PATH, {
        description: 'How to use the HTTP API well, for agents without MCP.',
      }),
    ],
  };
}

/** `labels.example.org` becomes `org.example.labels`, as registries require. */
function reverseDomain(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return /^[\d.]+$|:/.test(hostname) ? 'localhost' : hostname.split('.').toReversed().join('.');
}

const FILE = new URL('../../../docs/skill/SKILL.md', import.meta.url);
export const SKILL_PATH = '/skills/window-sticker/SKILL.md';

/** Instructions for agents that cannot use MCP, in the agentskills.io format. */
export function skillFile(fill: (text: string) => string): string {
  return fill(readFileSync(FILE, 'utf8'));
}

/** `/.well-known/agent-skills/index.json`, with the digest of the file we serve. */
export function skillIndex(baseUrl: string, skill: string): unknown {
  // oxlint-disable-next-line patterns/linear -- Applied to our own file.
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(skill)?.[1] ?? '';
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: field('name'),
        type: 'skill-md',
        description: field('description'),
        url: `${baseUrl}${SKILL_PATH}`,
        digest: `sha256:${hash('sha256', skill, 'hex')}`,
      },
    ],
  };
}
