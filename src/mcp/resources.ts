import { inWords, titleCase } from '../lib/words.ts';
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
import { matchMake } from '../lookup/make-names.ts';
import { CARD, readCard } from './card.ts';
import { parsePasted, type ToolParts } from './tool.ts';

const COVERAGE = 'monroney://coverage';
const VEHICLE = /^vin:\/\/([^/?#]*)\/?$/i;
const MAKE = /^monroney:\/\/coverage\/([^/?#]+)$/;
const FILE = /^\/api\/sticker\/([^/?#]+?)(\/preview)?(?:\?|$)/;
const MINUTE = 60_000;
const PREVIEW_WIDTH = 1280;
/** Above every label seen so far; base64 makes a third more of it. */
const MOST_PDF = 4 * 1024 * 1024;

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

export function listedTemplates(baseUrl: string): ListResourceTemplatesResult {
  return {
    resourceTemplates: [
      {
        name: 'vehicle',
        uriTemplate: 'vin://{vin}',
        title: 'A vehicle by VIN',
        description: 'The decoded vehicle and the window sticker as far as it is held, as JSON. Asks nobody.',
        mimeType: 'application/json',
      },
      {
        name: 'make',
        uriTemplate: `${COVERAGE}/{make}`,
        title: 'A covered make',
        description: 'What is covered of one make, as JSON.',
        mimeType: 'application/json',
      },
      {
        name: 'pdf',
        uriTemplate: `${baseUrl}/api/sticker/{vin}`,
        title: 'A window sticker as PDF',
        description: 'The original PDF, where it is held. Asks nobody: use get_window_sticker first.',
        mimeType: 'application/pdf',
      },
      {
        name: 'preview',
        uriTemplate: `${baseUrl}/api/sticker/{vin}/preview`,
        title: 'A window sticker as picture',
        description: 'The first page as a picture, where the label is held. Asks nobody.',
        mimeType: 'image/webp',
      },
    ],
  };
}

/** Reading a resource answers from what is held and decodes: it never makes a manufacturer work. */
export async function readResource(uri: string, parts: ToolParts): Promise<ReadResourceResult> {
  const { lookup, baseUrl } = parts;
  if (uri === COVERAGE) return json(uri, coverage(lookup, baseUrl));
  if (uri === CARD) return readCard(baseUrl);
  const [, make] = MAKE.exec(uri) ?? [];
  if (make !== undefined) return json(uri, ofMake(make, parts));
  if (uri.startsWith(`${baseUrl}/`)) return file(uri, parts);
  const [, text] = VEHICLE.exec(uri) ?? [];
  if (text === undefined) throw notFound(uri);
  return json(uri, vinResponse(await lookup.find(vinIn(text, lookup), { sticker: false }), baseUrl));
}

function ofMake(name: string, { lookup, baseUrl }: ToolParts): unknown {
  const meant = matchMake(decoded(name), lookup.sources);
  const makes = meant.kind === 'covered' ? meant.makes.map(titleCase) : [];
  return coverage(lookup, baseUrl).filter((row) => makes.includes(row.make));
}

/** The PDF or the picture of a held label, at the address that tools link to. */
async function file(uri: string, { lookup, baseUrl }: ToolParts): Promise<ReadResourceResult> {
  const [, text, preview] = FILE.exec(uri.slice(baseUrl.length)) ?? [];
  if (text === undefined) throw notFound(uri);
  const { finding } = await lookup.find(vinIn(text, lookup), { sticker: false });
  if (finding.state !== 'held')
    throw invalid('This label is not held. Ask for it with get_window_sticker first.');
  const { label } = finding;
  if (preview) {
    const webp = await lookup.preview(label, PREVIEW_WIDTH);
    if (!webp) throw invalid('This label cannot be drawn.');
    return blob(uri, 'image/webp', webp);
  }
  if (label.bytes > MOST_PDF) throw invalid(`This PDF is too large to be read here. Open ${uri} instead.`);
  return blob(uri, 'application/pdf', await lookup.pdf(label, () => Buffer.alloc(label.bytes)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function vinIn(text: string, lookup: ToolParts['lookup']): string {
  const parsed = parsePasted(decoded(text), lookup);
  if (parsed.ok) return parsed.vin;
  throw invalid(parsed.message);
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
const notFound = (uri: string) => new ResourceNotFoundError(uri.slice(0, 200));

/** A label never changes. */
function blob(uri: string, mimeType: string, bytes: Buffer): ReadResourceResult {
  return {
    contents: [{ uri, mimeType, blob: bytes.toString('base64') }],
    ttlMs: 24 * 60 * MINUTE,
    cacheScope: 'public',
  };
}

/** A label may come, a source may be switched off: a minute is true enough. */
function json(uri: string, value: unknown): ReadResourceResult {
  return {
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }],
    ttlMs: MINUTE,
    cacheScope: 'public',
  };
}
