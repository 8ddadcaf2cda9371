import { MAX_CONCURRENT_PAGES, MAX_PAGES_PER_MINUTE, type Policy } from '../../http/limit.ts';
import { MAX_FETCHES_PER_MINUTE, MAX_CONCURRENT_FETCHES } from '../../lookup/fetch-limit.ts';
import { REASONS } from '../../http/problems.ts';
import { componentSchemas } from '../openapi/components.ts';

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
    per: 'IP address; for IPv6 the /64 network. Its /56 may use four times, its /48 sixteen times as much',
    limits: limits ?? [],
    documentation: `${baseUrl}/docs/limits`,
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
