import { inWords } from '../lib/words.ts';
import { makeCount } from '../makers/index.ts';
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { coverage } from '../lookup/coverage.ts';
import { vinResponse } from '../lookup/outcomes.ts';
import { takeVin, type ToolParts } from './tool.ts';

const COVERAGE = 'monroney://coverage';
const VEHICLE = /^vin:\/\/([^/?#]*)\/?$/i;
const MINUTE = 60_000;

export const listedResources: ListResourcesResult = {
  resources: [
    {
      name: 'coverage',
      uri: COVERAGE,
      title: 'Covered makes',
      description: `The ${inWords(makeCount)} makes whose window stickers can be fetched, with years, readability and state now, as JSON.`,
      mimeType: 'application/json',
    },
  ],
};

export const listedTemplates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      name: 'vehicle',
      uriTemplate: 'vin://{vin}',
      title: 'A vehicle by VIN',
      description: 'The decoded vehicle and the window sticker as far as it is held, as JSON. Asks nobody.',
      mimeType: 'application/json',
    },
  ],
};

/** A VIN as a resource answers from what is held and decodes: reading a resource never makes a manufacturer work. */
export async function readResource(uri: string, parts: ToolParts): Promise<ReadResourceResult> {
  if (uri === COVERAGE) return json(uri, coverage(parts.lookup, parts.baseUrl));
  const [, text] = VEHICLE.exec(uri) ?? [];
  if (text === undefined) throw new ResourceNotFoundError(uri.slice(0, 200));
  const taken = takeVin(text);
  if ('error' in taken) {
    const [said] = taken.error.content;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      said?.type === 'text' ? said.text : 'Not a VIN.',
    );
  }
  const found = await parts.lookup.find(taken.vin, { sticker: false });
  return json(uri, vinResponse(found, parts.baseUrl));
}

/** A label may come, a source may be switched off: a minute is true enough. */
function json(uri: string, value: unknown): ReadResourceResult {
  return {
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }],
    ttlMs: MINUTE,
    cacheScope: 'public',
  };
}
