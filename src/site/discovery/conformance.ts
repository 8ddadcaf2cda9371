import { REASONS } from '../../http/problems.ts';
import { componentSchemas } from '../openapi/schemas.ts';

const rfc = (number: number): string => `https://www.rfc-editor.org/rfc/rfc${number}`;

interface Standard {
  name: string;
  url: string;
  /** The routes or the part of the standard. */
  where: string;
}

/** The standards we follow. A test or a third-party program checks each one. */
const STANDARDS: readonly Standard[] = [
  { name: 'HTTP Semantics', url: rfc(9110), where: 'HEAD, ranges and conditional requests on every label' },
  { name: 'HTTP Caching', url: rfc(9111), where: 'Cache-Control that differs by outcome, strong ETags' },
  { name: 'Problem Details', url: rfc(9457), where: 'every error' },
  {
    name: 'RateLimit fields (draft)',
    url: 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/',
    where: 'every response under /api/ and /vpic/',
  },
  { name: 'Digest Fields', url: rfc(9530), where: 'Content-Digest and Repr-Digest' },
  { name: 'Deprecation field', url: rfc(9745), where: 'routes that will change' },
  { name: 'Sunset field', url: rfc(8594), where: 'routes that will be removed' },
  { name: 'API catalog', url: rfc(9727), where: '/.well-known/api-catalog' },
  { name: 'security.txt', url: rfc(9116), where: '/.well-known/security.txt' },
  { name: 'OpenAPI 3.1', url: 'https://spec.openapis.org/oas/v3.1.0', where: '/openapi.json' },
  {
    name: 'JSON Schema 2020-12',
    url: 'https://json-schema.org/draft/2020-12/schema',
    where: '/schemas/*.json',
  },
  { name: 'CORS', url: 'https://fetch.spec.whatwg.org/', where: '/api/, /vpic/, /mcp and all documents' },
  { name: 'Model Context Protocol', url: 'https://modelcontextprotocol.io', where: '/mcp' },
  { name: 'APIs.json', url: 'https://apisjson.org', where: '/apis.json' },
  { name: 'llms.txt', url: 'https://llmstxt.org', where: '/llms.txt and /llms-full.txt' },
  { name: 'Atom', url: rfc(4287), where: '/status.atom' },
  {
    name: 'VIN content, 49 CFR 565',
    url: 'https://www.ecfr.gov/current/title-49/part-565',
    where: 'every VIN',
  },
];

/** The conformance statement: the standards we follow and the programs that check them. */
export function conformance(baseUrl: string): unknown {
  return {
    conformsTo: STANDARDS.map(({ url }) => url),
    standards: STANDARDS,
    checkedBy: [
      { program: 'Redocly', ruleset: 'recommended-strict' },
      { program: 'Spectral', ruleset: `${baseUrl}/rulesets/spectral.json` },
      { program: 'Schemathesis', phases: ['examples', 'coverage', 'fuzzing', 'stateful'] },
    ],
    exceptions: [
      {
        program: 'Schemathesis',
        check: 'not_a_server_error',
        status: 503,
        why: "A 503 with Retry-After is the documented response when a manufacturer can't be reached.",
      },
    ],
  };
}

/** The terms of the API and their meaning: schemas, their members, and reasons. */
export function vocabulary(baseUrl: string): unknown {
  const shapes = Object.entries(componentSchemas()).map(([term, schema]) => {
    const { description, properties = {} } = schema as {
      description?: string;
      properties?: Record<string, { description?: string }>;
    };
    const members = Object.entries(properties).map(([name, member]) => ({
      term: name,
      means: member.description ?? null,
    }));
    return { term, means: description ?? null, ...(members.length ? { members } : {}) };
  });
  const reasons = Object.entries(REASONS).map(([term, { status, means }]) => ({
    term,
    status,
    means,
    url: `${baseUrl}/errors/${term}`,
  }));
  return { words: TERMS, shapes, reasons };
}

const TERMS = [
  { term: 'VIN', means: 'Vehicle identification number: 17 characters without I, O and Q.' },
  {
    term: 'label',
    means: 'The window sticker (Monroney label) of one car, as its manufacturer published it.',
  },
  { term: 'reading', means: "A label's contents as data: prices, options, equipment and paint." },
  { term: 'source', means: 'Where the labels of one or more makes come from.' },
  { term: 'held', means: 'The label is in our store and is served without contacting the manufacturer.' },
  { term: 'specimen', means: 'A test VIN. It belongs to no real car and always gets the same response.' },
  { term: 'vPIC', means: "NHTSA's Product Information Catalog, whose data decodes VINs." },
];
