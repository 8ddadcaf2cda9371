import type { Policy } from '../../http/limit.ts';
import { MAX_PAGES_PER_MINUTE, MAX_CONCURRENT_PAGES } from '../../http/page-limit.ts';
import { MAX_FETCHES_PER_MINUTE, MAX_CONCURRENT_FETCHES } from '../../lookup/fetch-limit.ts';
import { REASONS } from '../../http/problems.ts';
import { componentSchemas } from '../openapi/components.ts';

/** `/plans.json`: our only plan. */
export function plans(baseUrl: string): unknown {
  return {
    documentation: `${baseUrl}/docs/pricing`,
    plans: [
      {
        id: 'free',
        name: 'Free',
        description: 'The same for everyone: no key, no account, no daily quota.',
        price: { amount: 0, currency: 'USD' },
        limits: `${baseUrl}/limits.json`,
        terms: `${baseUrl}/docs/terms`,
        sla: null,
      },
    ],
  };
}

/** APIs.json 0.19: an index of the API and of every document about it. */
export function apisJson(baseUrl: string, contact: string | null): unknown {
  const email = /^mailto:([^?]+)/.exec(contact ?? '')?.[1];
  const property = (type: string, path: string) => ({ type, url: `${baseUrl}${path}` });
  return {
    specificationVersion: '0.19',
    aid: new URL(baseUrl).hostname,
    name: 'Monroney',
    description: "Send a US VIN, get the decoded vehicle and the manufacturer's original window sticker.",
    url: `${baseUrl}/apis.json`,
    image: `${baseUrl}/icon.svg`,
    type: 'Index',
    access: 'Public',
    tags: ['VIN', 'window sticker', 'Monroney label', 'vehicles'],
    apis: [
      {
        aid: `${new URL(baseUrl).hostname}:v1`,
        name: 'Monroney API',
        description: 'VIN lookups, original labels and their contents as data. No key, no sign-in.',
        humanURL: `${baseUrl}/docs/api`,
        baseURL: baseUrl,
        version: '1.0.0',
        tags: ['VIN'],
        properties: [
          property('OpenAPI', '/openapi.json'),
          property('GettingStarted', '/docs/getting-started'),
          property('Documentation', '/docs'),
          property('JSONSchema', '/schemas/vin-response.json'),
          property('JSONSchema', '/schemas/label.json'),
          property('JSONSchema', '/schemas/problem.json'),
          property('Plans', '/plans.json'),
          property('RateLimits', '/limits.json'),
          property('SpectralRules', '/rulesets/spectral.json'),
          property('Vocabulary', '/vocabulary.json'),
          property('Conformance', '/conformance.json'),
          property('BrunoCollection', '/bruno.zip'),
          property('ErrorCodes', '/docs/errors'),
          property('ChangeLog', '/docs/changelog'),
          property('Versioning', '/docs/versioning'),
          property('Sandbox', '/docs/specimens'),
          property('MCPServer', '/mcp/server-card'),
          property('AgentSkills', '/.well-known/agent-skills/index.json'),
        ],
      },
    ],
    common: [
      property('TermsOfService', '/docs/terms'),
      property('PrivacyPolicy', '/docs/privacy'),
      property('Pricing', '/docs/pricing'),
      property('Support', '/docs/support'),
      property('Trust', '/docs/trust'),
      property('Roadmap', '/docs/roadmap'),
      property('StatusPage', '/status'),
      property('Security', '/.well-known/security.txt'),
      property('LLMsTxt', '/llms.txt'),
      property('APICatalog', '/.well-known/api-catalog'),
    ],
    maintainers: [{ FN: 'Monroney', url: `${baseUrl}/docs/support`, ...(email ? { email } : {}) }],
  };
}

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
      covers: "new labels fetched from manufacturers, through any route; stored labels aren't counted",
      requests: MAX_FETCHES_PER_MINUTE,
      seconds: 60,
      atOnce: MAX_CONCURRENT_FETCHES,
      reason: 'ask-limit',
    },
    {
      name: 'pages',
      covers: 'pages, pictures of labels and /mcp',
      requests: MAX_PAGES_PER_MINUTE,
      seconds: 60,
      atOnce: MAX_CONCURRENT_PAGES,
      reason: 'too-many-requests',
    },
  ];
  return {
    per: 'IP address; for IPv6 the /64 network',
    limits: limits ?? [],
    documentation: `${baseUrl}/docs/limits`,
  };
}

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
