import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Checks responses against `/openapi.json`: status, headers, media type and the body's schema. */

/** Headers that only some responses have, and those of the limit, which LIMIT=off turns off. */
const OPTIONAL_HEADERS =
  /^(?:Deprecation|Sunset|Allow|Retry-After|Content-(?:Range|Location)|Preference-Applied|RateLimit.*)$/;

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, unknown> } | undefined>>;
  components: { responses: Record<string, unknown>; headers: Record<string, unknown> };
}

interface DocumentedResponse {
  content?: Record<string, { schema?: object }>;
  /** Forms that generated clients don't read. */
  'x-other-content'?: Record<string, { schema?: object }>;
  headers?: Record<string, unknown>;
}

/** Whether the document describes this response. Of `/errors/` it describes the JSON, not the pages. */
export const isDocumented = (path: string, type: string): boolean =>
  /^\/(?:(?:api|vpic)\/|healthz|readyz|status\.json)/.test(path) ||
  (path.startsWith('/errors/') && !type.startsWith('text/'));

export type ResponseChecker = (method: string, path: string, response: Response) => Promise<void>;

export function createResponseChecker(openapi: OpenApi): ResponseChecker {
  // Linters check the document itself, and compiling the meta-schema takes 200 ms.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema(openapi, 'openapi');
  const templates = Object.keys(openapi.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]*')}$`),
  }));

  return async (method, path, response) => {
    const pathname = path.split('?')[0]!;
    const match = templates.find(({ pattern }) => pattern.test(pathname));
    if (!match || method === 'OPTIONS') return;
    const where = `${method} ${match.template} ${response.status}`;
    const operation = openapi.paths[match.template]![method === 'HEAD' ? 'get' : method.toLowerCase()];
    // A wrong method gets the same response on every path, which is documented once, in prose.
    if (!operation) {
      assert.equal(response.status, 405, where);
      return;
    }
    const documentedResponse = operation.responses[String(response.status)] as
      | (DocumentedResponse & { $ref?: string })
      | undefined;
    assert.ok(documentedResponse, `${where} is not documented`);
    const name = documentedResponse.$ref?.split('/').at(-1);
    const described = (name ? openapi.components.responses[name] : documentedResponse) as DocumentedResponse;
    for (const header of Object.keys(described.headers ?? {}).filter((one) => !OPTIONAL_HEADERS.test(one)))
      // HEAD has no content, and Repr-Digest instead.
      if (method !== 'HEAD' || header !== 'Content-Digest')
        assert.ok(response.headers.has(header), `${where}: no ${header}`);
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const body = await response.clone().text();
    if (body === '') return;
    const media = described.content?.[type] ?? described['x-other-content']?.[type];
    assert.ok(media, `${where}: ${type} is not documented`);
    if (!media.schema || !/[/+]json$/.test(type)) return;
    const escaped = match.template
      .replaceAll('~', '~0')
      .replaceAll('/', '~1')
      .replaceAll('{', '%7B')
      .replaceAll('}', '%7D');
    const base = name
      ? `openapi#/components/responses/${name}`
      : `openapi#/paths/${escaped}/${method === 'HEAD' ? 'get' : method.toLowerCase()}/responses/${response.status}`;
    const validate = ajv.getSchema(
      `${base}/content/${type.replaceAll('/', '~1').replaceAll('+', '%2B')}/schema`,
    )!;
    assert.ok(
      validate(JSON.parse(body)),
      `${where}: ${ajv.errorsText(validate.errors)}\n${body.slice(0, 600)}`,
    );
  };
}
