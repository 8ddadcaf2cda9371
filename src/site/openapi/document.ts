import { inWords } from '../../lib/words.ts';
import { makeCount } from '../../makers/index.ts';
import type { ExampleSet } from './examples.ts';
import { componentHeaders, componentParameters } from './components.ts';
import { headers, LIMITED, paths, SERVICE_SCHEMAS } from './operations.ts';
import { componentSchemas, type JsonObject } from './schemas.ts';
import { vpicPaths } from './vpic.ts';
import type { Reason } from '../../http/problems.ts';

/** The description of the API, made from the shapes it answers with and from what it answers for the specimens. */
export function openapiDocument(parts: { baseUrl: string; month: string; examples: ExampleSet }): JsonObject {
  const { baseUrl, month, examples } = parts;
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Monroney',
      version: '1.0.0',
      summary: "A US VIN in; the decoded vehicle and the manufacturer's original window sticker out.",
      description: about(month),
      termsOfService: `${baseUrl}/docs/terms`,
      contact: { name: 'Support', url: `${baseUrl}/docs/support` },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-vpic-month': month,
    },
    servers: [{ url: baseUrl, description: 'This service.' }],
    externalDocs: { description: 'Getting started.', url: `${baseUrl}/docs/getting-started` },
    // No key, no sign-in: said outright, so that nobody looks for it.
    security: [{}],
    tags: [
      { name: 'Lookup', description: 'What a VIN says, and whether its label is there.' },
      {
        name: 'Label',
        description: "The manufacturer's original label: its bytes, its picture and what it says.",
      },
      {
        name: 'vPIC',
        description: "NHTSA's own API, answered from the data we ship.",
        externalDocs: { url: `${baseUrl}/docs/nhtsa-api` },
      },
      { name: 'Service', description: 'The service itself: its health and its documents.' },
    ],
    paths: { ...paths(month, examples), ...vpicPaths() },
    components: {
      schemas: { ...componentSchemas(), ...SERVICE_SCHEMAS },
      parameters: componentParameters(examples.labels[0]?.vin ?? '1FMUK8DH0TG000000'),
      headers: componentHeaders(),
      responses: sharedResponses(examples),
    },
  };
}

function about(month: string): string {
  return [
    `Give it a 17-character US VIN: it answers with the vehicle as NHTSA's vPIC decodes it and, for ${inWords(makeCount)} makes, with the manufacturer's original window sticker, byte for byte.`,
    'No key, no sign-in, no tiers. At most 10 requests within 10 seconds from one address; past that the address is blocked for 10 seconds. Keep answers, and ask for each VIN once.',
    'Say who you are, if you like, in the X-Contact header or the contact parameter: you then get an e-mail before a breaking change ships.',
    'Answers may gain members; members do not change their meaning or go away within version 1. Every error is an RFC 9457 problem with a stable `reason`.',
    'The VINs in the examples are specimens: they always answer the same and ask nobody, so tests can be written against them.',
    `The decoder's data is of ${month}.`,
  ].join('\n\n');
}

function sharedResponses({ problems }: ExampleSet): JsonObject {
  const of = (description: string, reasons: Reason[], ...more: string[]): JsonObject => ({
    description,
    headers: headers(...LIMITED, 'Cache-Control', ...more),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(reasons.map((reason) => [reason, { ...problems[reason] }])),
      },
    },
  });
  return {
    NotModified: {
      description: 'What you have is still right.',
      headers: headers(...LIMITED, 'ETag', 'Cache-Control'),
    },
    BadRequest: of('Not a VIN, or a parameter or request that cannot be understood.', [
      'bad-vin',
      'bad-parameter',
      'bad-request',
    ]),
    NoLabel: of('There is none to serve; `reason` says why.', [
      'make-not-supported',
      'no-label',
      'source-off',
      'no-preview',
    ]),
    Withdrawn: of('The operator has withdrawn this label.', ['withdrawn']),
    PreconditionFailed: of('Not the version that If-Match or If-Unmodified-Since asks for.', [
      'precondition-failed',
    ]),
    RangeNotSatisfiable: of('The range lies outside the file.', ['range-not-satisfiable'], 'Content-Range'),
    TooManyRequests: of(
      'Past a limit: requests, or new labels.',
      ['too-many-requests', 'ask-limit'],
      'Retry-After',
    ),
    SourceUnavailable: of(
      'The manufacturer could not be asked. Nothing is known; ask again after Retry-After.',
      ['source-failed', 'source-refused', 'still-asking', 'busy', 'network', 'store-unavailable'],
      'Retry-After',
    ),
    StoreUnavailable: of('Label storage is temporarily unavailable.', ['store-unavailable'], 'Retry-After'),
    NotFound: of('Nothing at this URL.', ['not-found']),
    InternalError: of('Our mistake. It has been recorded.', ['internal']),
  };
}
