import { readFileSync } from 'node:fs';
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { inWords } from '@monroney/label/lib/words';
import { explain } from '../lookup/finding-response.ts';
import { makeCount } from '../makers/index.ts';
import { PREVIEW_WIDTH } from '../pdf/pdf-workers.ts';
import { coverageFor } from './list-covered-makes.ts';
import { lookupOf, parsePasted, type ToolContext } from './tool.ts';

const COVERAGE = 'monroney://coverage';
const VEHICLE = /^vin:\/\/([^/?#]*)\/?$/i;
const MAKE = /^monroney:\/\/coverage\/([^/?#]+)$/;
const FILE = /^\/api\/sticker\/([^/?#]+?)(\/preview)?(?:\?|$)/;
/** The same where no service is known to run. */
const LOCAL_FILE = /^vin:\/\/([^/?#]+)\/sticker\.(?:pdf|(webp))$/i;
const MINUTE_MS = 60_000;
/** Larger than every label so far. Base64 adds a third. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

export const listedResources: ListResourcesResult = {
  resources: [
    {
      name: 'coverage',
      uri: COVERAGE,
      title: 'Covered makes',
      description: `The ${inWords(makeCount)} makes whose window stickers can be fetched, with years, readability and current state, as JSON.`,
      mimeType: 'application/json',
    },
  ],
};

export function listedTemplates(baseUrl: string | null): ListResourceTemplatesResult {
  return {
    resourceTemplates: [
      {
        name: 'vehicle',
        uriTemplate: 'vin://{vin}',
        title: 'A vehicle by VIN',
        description:
          'The decoded vehicle and the window sticker if we have it, as JSON. Contacts no manufacturer.',
        mimeType: 'application/json',
      },
      {
        name: 'make',
        uriTemplate: `${COVERAGE}/{make}`,
        title: 'A covered make',
        description: 'Whether a make is covered, in a sentence if it is not, and its coverage, as JSON.',
        mimeType: 'application/json',
      },
      {
        name: 'pdf',
        uriTemplate: baseUrl === null ? 'vin://{vin}/sticker.pdf' : `${baseUrl}/api/sticker/{vin}`,
        title: 'A window sticker as PDF',
        description:
          'The original PDF if we have it. Contacts no manufacturer: use get_window_sticker first.',
        mimeType: 'application/pdf',
      },
      {
        name: 'preview',
        uriTemplate: baseUrl === null ? 'vin://{vin}/sticker.webp' : `${baseUrl}/api/sticker/{vin}/preview`,
        title: 'A window sticker as picture',
        description: 'The first page as a picture if we have the label. Contacts no manufacturer.',
        mimeType: 'image/webp',
      },
    ],
  };
}

/** Takes the bytes of a file, whose `blob` stays empty in the result. */
export type AttachFile = (bytes: Buffer) => void;

/** Uses only the store and the decoder: reading a resource never sends a request to a manufacturer. */
export async function readResource(
  uri: string,
  context: ToolContext,
  attach?: AttachFile,
): Promise<ReadResourceResult> {
  const { lookup, baseUrl } = context;
  if (uri === COVERAGE) return json(uri, (await coverageFor('', context)).result.makes);
  if (uri === CARD_URI) return readCard(baseUrl);
  const [, make] = MAKE.exec(uri) ?? [];
  if (make !== undefined) return json(uri, (await coverageFor(percentDecoded(make), context)).result);
  const [, vin, picture] =
    (baseUrl === null
      ? LOCAL_FILE.exec(uri)
      : uri.startsWith(`${baseUrl}/`) && FILE.exec(uri.slice(baseUrl.length))) || [];
  if (vin !== undefined) return labelFile(uri, vin, picture !== undefined, context, attach);
  const [, text] = VEHICLE.exec(uri) ?? [];
  if (text === undefined) throw notFound(uri);
  return json(uri, lookupOf(await lookup.find(vinIn(text, lookup), { sticker: false }), baseUrl));
}

/** The PDF or the picture of a stored label, by the URI that tools link to. */
async function labelFile(
  uri: string,
  text: string,
  preview: boolean,
  { lookup, client }: ToolContext,
  attach?: AttachFile,
): Promise<ReadResourceResult> {
  const found = await lookup.find(vinIn(text, lookup), { sticker: false });
  const { finding } = found;
  if (finding.state === 'not-asked')
    throw invalid("We don't have this label yet. Call get_window_sticker first.");
  if (finding.state !== 'held') throw invalid(explain(found).headline);
  const { label } = finding;
  if (preview) {
    const webp = await lookup.preview(label, PREVIEW_WIDTH, client);
    if (!webp) throw invalid("We can't show this label as a picture.");
    return blob(uri, 'image/webp', webp, attach);
  }
  if (label.bytes > MAX_FILE_BYTES)
    throw invalid(`This PDF is too large for a resource. Open ${uri} instead.`);
  const pdf = await lookup.pdf(label);
  return blob(uri, 'application/pdf', pdf, attach);
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function vinIn(text: string, lookup: ToolContext['lookup']): string {
  const parsed = parsePasted(percentDecoded(text), lookup);
  if (parsed.ok) return parsed.vin;
  throw invalid(parsed.message);
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
const notFound = (uri: string) => new ResourceNotFoundError(uri.slice(0, 200));

/** A label never changes. */
function blob(uri: string, mimeType: string, bytes: Buffer, attach?: AttachFile): ReadResourceResult {
  attach?.(bytes);
  return {
    contents: [{ uri, mimeType, blob: attach ? '' : bytes.toString('base64') }],
    ttlMs: 24 * 60 * MINUTE_MS,
    cacheScope: 'public',
  };
}

/** Valid for a minute: a label may be fetched, or a source switched off. */
function json(uri: string, value: unknown): ReadResourceResult {
  return {
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }],
    ttlMs: MINUTE_MS,
    cacheScope: 'public',
  };
}

/** The extension with which assistants show a tool's result as a small page (MCP Apps). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

/** A page without external scripts, styles or fonts. Assistants that can't show it use the result itself. */
export const CARD_URI = 'ui://monroney/window-sticker.html';

const html = readFileSync(new URL('card.html', import.meta.url), 'utf8');

/** The card. It loads nothing but the picture of a sticker, from our own origin. */
function readCard(baseUrl: string | null): ReadResourceResult {
  const resourceDomains = baseUrl === null ? [] : [new URL(baseUrl).origin];
  const ui = { csp: { resourceDomains }, prefersBorder: true };
  return {
    contents: [{ uri: CARD_URI, mimeType: 'text/html;profile=mcp-app', text: html, _meta: { ui } }],
    ttlMs: 3_600_000,
    cacheScope: 'public',
  };
}
