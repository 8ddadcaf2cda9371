import type { Policy } from '../../http/limit.ts';
import { MAX_PAGES_PER_MINUTE, MAX_CONCURRENT_PAGES } from '../../http/page-limit.ts';
import { MAX_FETCHES_PER_MINUTE, MAX_CONCURRENT_FETCHES } from '../../lookup/fetch-limit.ts';

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
