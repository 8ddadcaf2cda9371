import { inWords } from '@monroney/label/lib/words';
import { STORE_UNAVAILABLE } from '../../lookup/messages.ts';
import { makeCount } from '../../makers/index.ts';
import { limitSentence, type Policy } from '../../http/limit.ts';
import type { Reason } from '../../http/problems.ts';
import { lazy } from '../../lib/promises.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import { jsonDocument, type Document } from '../../http/response.ts';
import type { LabelLookup } from '../../http/operation.ts';
import { type ExampleSet, collectExamples } from './examples.ts';
import type { Json, JsonObject, SharedResponse } from '../../http/operation.ts';
import { API_ROUTES } from '../../http/routes.ts';
import { MAKES_ROUTE, STATUS_ROUTE } from '../status/report.ts';
import {
  componentHeaders,
  componentParameters,
  componentSchemas,
  SCHEMA_FILES,
  schemaFile,
} from './components.ts';
import { API_HEADERS, headerReferences, pathsOf } from './paths.ts';

/** The OpenAPI document, built from the response schemas and the real responses for the specimens. */
export function openapiDocument(dependencies: {
  baseUrl: string;
  month: string;
  limit: Policy | null;
  examples: ExampleSet;
}): JsonObject {
  const { baseUrl, month, limit, examples } = dependencies;
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Monroney',
      version: '1.0.0',
      summary: "Send a US VIN, get the decoded vehicle and the manufacturer's original window sticker.",
      description: about(month, limit),
      termsOfService: `${baseUrl}/docs/terms`,
      contact: { name: 'Support', url: `${baseUrl}/docs/support` },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-vpic-month': month,
    },
    servers: [{ url: baseUrl, description: 'This service.' }],
    externalDocs: { description: 'Getting started.', url: `${baseUrl}/docs/getting-started` },
    // States explicitly that there is no key and no sign-in.
    security: [{}],
    tags: [
      { name: 'Lookup', description: 'The decoded vehicle, and whether its window sticker is available.' },
      {
        name: 'Sticker',
        description:
          "The manufacturer's window sticker: the file, a picture of it, and its contents as data (the label).",
      },
      {
        name: 'vPIC',
        description: "NHTSA's own API, served from local data.",
        externalDocs: { url: `${baseUrl}/docs/nhtsa-api` },
      },
      { name: 'Service', description: 'Status, health and error explanations.' },
    ],
    paths: pathsOf([...API_ROUTES, MAKES_ROUTE, STATUS_ROUTE], { ...examples, month }),
    components: {
      schemas: componentSchemas(),
      parameters: componentParameters(examples.labels[0]?.vin ?? '1FMUK8DH0TG000000'),
      headers: componentHeaders(limit),
      responses: sharedResponses(examples),
    },
  };
}

function about(month: string, limit: Policy | null): string {
  return [
    `Send a 17-character US VIN and get the vehicle as NHTSA's vPIC decodes it and, for ${inWords(makeCount)} makes, the manufacturer's original window sticker, byte for byte.`,
    `No key, no sign-in, no tiers. ${limitSentence(limit)} Request each VIN once and keep the response.`,
    'If you tell us who you are, in the X-Contact header or the contact parameter, you get an e-mail before a breaking change ships.',
    'Responses may get new fields. Within version 1, fields are never removed and never change their meaning. Every error is an RFC 9457 problem document with a stable `reason`.',
    'The examples use test VINs. They always get the same response and no manufacturer is contacted, so you can use them in tests.',
    `The decoder uses NHTSA's data of ${month}.`,
  ].join('\n\n');
}

function sharedResponses({ problems }: ExampleSet): Record<SharedResponse, JsonObject> {
  const problem = (description: string, reasons: Reason[], ...extraHeaders: string[]): JsonObject => ({
    description,
    headers: headerReferences([...API_HEADERS, 'Cache-Control', ...extraHeaders]),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(reasons.map((reason) => [reason, { ...problems[reason] }])),
      },
    },
  });
  return {
    NotModified: {
      description: 'Your copy is still current.',
      headers: headerReferences([...API_HEADERS, 'ETag', 'Cache-Control']),
    },
    BadRequest: problem('Not a VIN, an invalid parameter or a malformed request.', [
      'bad-vin',
      'bad-parameter',
      'bad-request',
    ]),
    NoSticker: problem('There is no window sticker to get; `reason` says why.', [
      'make-not-supported',
      'manufacturer-unknown',
      'no-label',
      'source-off',
      'no-preview',
    ]),
    Withdrawn: problem('The operator has withdrawn this sticker.', ['withdrawn']),
    PreconditionFailed: problem("The current version doesn't match If-Match or If-Unmodified-Since.", [
      'precondition-failed',
    ]),
    BodyTooLarge: problem('The body has more than 64 KB.', ['body-too-large']),
    UnsupportedMediaType: problem("The body isn't JSON, or has a content coding.", [
      'unsupported-media-type',
    ]),
    RangeNotSatisfiable: problem(
      'The range is outside the file.',
      ['range-not-satisfiable'],
      'Content-Range',
    ),
    TooManyRequests: problem(
      'Too many requests, or too many new stickers.',
      ['too-many-requests', 'ask-limit'],
      'Retry-After',
    ),
    SourceUnavailable: problem(
      "We couldn't get the sticker from the manufacturer, so we don't know whether it exists. Try again after Retry-After.",
      ['source-failed', 'source-refused', 'still-asking', 'busy', 'network', 'store-unavailable'],
      'Retry-After',
    ),
    StoreUnavailable: problem(`${STORE_UNAVAILABLE}.`, ['store-unavailable'], 'Retry-After'),
    NotFound: problem('Nothing at this URL.', ['not-found']),
    InternalError: problem("Something went wrong on our side, and we've logged it.", ['internal']),
  };
}

/** The OpenAPI document, JSON schemas and API catalog by path. The OpenAPI document is generated on its first request. */
export function apiDocuments(dependencies: {
  baseUrl: string;
  month: string;
  limit: Policy | null;
  lookup: Pick<LabelLookup, 'find' | 'reading'>;
  specimens: readonly Specimen[];
}): Map<string, () => Promise<Document>> {
  const { baseUrl, month, limit, lookup, specimens } = dependencies;
  const documents = new Map<string, () => Promise<Document>>();

  const openapi = lazy(async () => {
    const examples = await collectExamples({ baseUrl, limit, specimens, lookup });
    return openapiDocument({ baseUrl, month, limit, examples });
  });
  documents.set(
    '/openapi.json',
    lazy(async () => jsonDocument(await openapi())),
  );
  documents.set(
    '/openapi.yaml',
    // RFC 9512.
    lazy(async () => ({ type: 'application/yaml', body: Buffer.from(await yamlOf(await openapi())) })),
  );

  for (const [path, schema] of Object.entries(SCHEMA_FILES))
    documents.set(
      path,
      lazy(async () => jsonDocument(schemaFile(`${baseUrl}${path}`, schema), 'application/schema+json')),
    );

  const catalog = jsonDocument(
    apiCatalog(baseUrl),
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  for (const path of ['/.well-known/api-catalog', API_ROOT]) documents.set(path, async () => catalog);
  return documents;
}

/** Listed in the catalog, which it responds with. */
const API_ROOT = '/api/v1/';

/** RFC 9727: the URLs of the API, its descriptions and its status. */
function apiCatalog(baseUrl: string): unknown {
  return {
    linkset: [
      {
        anchor: `${baseUrl}/.well-known/api-catalog`,
        item: [{ href: `${baseUrl}${API_ROOT}` }, { href: `${baseUrl}/mcp` }],
      },
      {
        anchor: `${baseUrl}${API_ROOT}`,
        'service-desc': [
          { href: `${baseUrl}/openapi.json`, type: 'application/json' },
          { href: `${baseUrl}/openapi.yaml`, type: 'application/yaml' },
        ],
        'service-doc': [{ href: `${baseUrl}/docs/api`, type: 'text/html' }],
        'service-meta': [{ href: `${baseUrl}/llms.txt`, type: 'text/plain' }],
        status: [{ href: `${baseUrl}/status.json`, type: 'application/json' }],
        'terms-of-service': [{ href: `${baseUrl}/docs/terms`, type: 'text/html' }],
        'privacy-policy': [{ href: `${baseUrl}/docs/privacy`, type: 'text/html' }],
      },
      {
        anchor: `${baseUrl}/mcp`,
        'service-doc': [{ href: `${baseUrl}/connect`, type: 'text/html' }],
        'service-desc': [{ href: `${baseUrl}/mcp/server-card`, type: 'application/mcp-server-card+json' }],
      },
    ],
  };
}

/**
 * Loaded when it is first asked for, to keep the start of the service fast. Many readers of YAML follow version 1.1, which
 * takes `off`, `on` and dates for other types than strings, so those are quoted.
 */
async function yamlOf(document: Json): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' });
}
