import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { coverage } from '../coverage.ts';
import { vinResponse } from '../outcomes.ts';
import { takeVin, type ToolParts } from './tool.ts';

const HOUR = 3_600_000;

/** A VIN as a resource answers from what is held and decodes: reading a resource never makes a manufacturer work. */
export function registerResources(server: McpServer, parts: ToolParts): void {
  server.registerResource(
    'vehicle',
    new ResourceTemplate('vin://{vin}', { list: undefined }),
    {
      title: 'A vehicle by VIN',
      description: 'The decoded vehicle and the window sticker as far as it is held, as JSON. Asks nobody.',
      mimeType: 'application/json',
      cacheHint: { ttlMs: HOUR, cacheScope: 'public' },
    },
    async (uri, variables) => {
      const taken = takeVin(String(variables.vin ?? ''));
      if ('error' in taken) throw new Error((taken.error.content[0] as { text: string }).text);
      const found = await parts.lookup.find(taken.vin, { sticker: false });
      return json(uri.href, vinResponse(found, parts.baseUrl));
    },
  );
  server.registerResource(
    'coverage',
    'monroney://coverage',
    {
      title: 'Covered makes',
      description:
        'The twenty makes whose window stickers can be fetched, with years, readability and state now, as JSON.',
      mimeType: 'application/json',
      cacheHint: { ttlMs: 60_000, cacheScope: 'public' },
    },
    async (uri) => json(uri.href, coverage(parts.lookup, parts.baseUrl)),
  );
}

function json(uri: string, value: unknown) {
  return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }] };
}
