import { collectExamples } from './examples.ts';
import { openapiDocument } from './document.ts';
import { schemaFiles } from './schemas.ts';
import { lazy } from '../../lib/single-flight.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import { asciiJson } from '../../http/response.ts';
import type { Document } from '../../http/response.ts';
import type { LabelLookup } from '../../http/context.ts';

/** The OpenAPI document, JSON schemas and API catalog by path. The OpenAPI document is generated on its first request. */
export function apiDocuments(dependencies: {
  baseUrl: string;
  month: string;
  lookup: Pick<LabelLookup, 'find' | 'reading'>;
  specimens: readonly Specimen[];
}): Map<string, () => MaybePromise<Document>> {
  const { baseUrl, month, lookup, specimens } = dependencies;
  const documents = new Map<string, () => MaybePromise<Document>>();

  const openapi = lazy(async () => {
    const examples = await collectExamples({
      baseUrl,
      specimens,
      find: async (vin, how) => lookup.find(vin, how),
      reading: (label) => lookup.reading(label),
    });
    return json(openapiDocument({ baseUrl, month, examples }));
  });
  documents.set('/openapi.json', openapi);

  for (const [path, schema] of schemaFiles(baseUrl)) {
    const document = json(schema, 'application/schema+json');
    documents.set(path, () => document);
  }

  const catalog = json(
    apiCatalog(baseUrl),
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  documents.set('/.well-known/api-catalog', () => catalog);
  return documents;
}

/** RFC 9727: the URLs of the API, its descriptions and its status. */
function apiCatalog(baseUrl: string): unknown {
  return {
    linkset: [
      {
        anchor: `${baseUrl}/.well-known/api-catalog`,
        item: [{ href: `${baseUrl}/api/v1/` }, { href: `${baseUrl}/mcp` }],
      },
      {
        anchor: `${baseUrl}/api/v1/`,
        'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
        'service-doc': [{ href: `${baseUrl}/docs/api`, type: 'text/html' }],
        'service-meta': [
          { href: `${baseUrl}/llms.txt`, type: 'text/plain' },
          { href: `${baseUrl}/apis.json`, type: 'application/json' },
          { href: `${baseUrl}/conformance.json`, type: 'application/json' },
        ],
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

function json(value: unknown, type = 'application/json'): Document {
  return { type, body: asciiJson(value) };
}
