import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { OpenApi } from './document.ts';
import { RULES } from './rules.ts';
import { violations, servedDocument } from './run.ts';

let text: string;
before(async () => {
  text = await servedDocument();
});

test('the served document breaks none of our rules', () => {
  assert.ok(RULES.length >= 20);
  assert.equal(new Set(RULES.map(({ name }) => name)).size, RULES.length);
  for (const { says } of RULES) assert.match(says, /^[A-Z].*\.$/);
  assert.deepEqual(violations(JSON.parse(text) as OpenApi), []);
});

type Tree = { [name: string]: Tree };
type Breaking = (document: OpenApi) => void;

/** `a > b > c`: a path of names, which may contain slashes. */
function place(document: OpenApi, path: string): [Record<string, unknown>, string] {
  const names = path.split(' > ');
  const last = names.pop()!;
  return [names.reduce((tree, name) => tree[name]!, document as unknown as Tree), last];
}

const put =
  (path: string, value: unknown): Breaking =>
  (document) => {
    const [above, name] = place(document, path);
    above[name] = value;
  };

const drop =
  (path: string): Breaking =>
  (document) => {
    const [above, name] = place(document, path);
    delete above[name];
  };

const VIN = 'paths > /api/v1/vin/{vin} > get';
const PDF = 'paths > /api/sticker/{vin} > get';
const [SCHEMAS, HEADERS] = ['components > schemas', 'components > headers'];
const [PARAMETERS, RESPONSES] = ['components > parameters', 'components > responses'];

/** For every rule, a change to the document that violates it. */
const BROKEN: Record<string, Breaking> = {
  'openapi-3.1': put('openapi', '3.0.3'),
  'info-complete': drop('info > license'),
  'server-absolute': put('servers > 0 > url', '/'),
  'security-said': drop('security'),
  'tags-described': put('tags > 3', { name: 'Unused', description: 'Nobody has it.' }),
  'getting-started-linked': drop('externalDocs'),
  'operation-id': put(`${VIN} > operationId`, 'getSticker'),
  'summary-short': put(`${VIN} > summary`, 'Looks up a VIN.'),
  'description-sentences': put(`${VIN} > description`, 'lookup'),
  'one-tag': put(`${VIN} > tags`, ['Undeclared']),
  'read-only': put('paths > /healthz > post', {}),
  'path-plain': put('paths > /api/V2/', { get: {} }),
  'path-parameters': put(`${VIN} > parameters`, []),
  'parameters-described': drop(`${PARAMETERS} > VinInPath > example`),
  'parameter-names': put(`${PARAMETERS} > Sticker > name`, 'with_sticker'),
  'contact-everywhere': put(`${PDF} > parameters`, [{ $ref: '#/components/parameters/VinInPath' }]),
  'head-as-get': put('paths > /api/sticker/{vin} > head > responses > 418', {}),
  'responses-described': put(`${RESPONSES} > BadRequest > description`, 'bad'),
  'success-and-failure': drop(`${VIN} > responses > 500`),
  'statuses-listed': put(`${VIN} > responses > default`, { description: 'Anything.' }),
  'errors-are-problems': put(`${RESPONSES} > NoLabel > content`, { 'text/plain': {} }),
  'limit-declared': drop(`${VIN} > responses > 200 > headers > RateLimit`),
  'limit-response': drop(`${VIN} > responses > 429`),
  'retry-after': drop(`${RESPONSES} > TooManyRequests > headers > Retry-After`),
  validators: drop(`${PDF} > responses > 206 > headers > ETag`),
  digests: drop(`${PDF} > responses > 200 > headers > Content-Digest`),
  conditional: drop(`${VIN} > responses > 304`),
  ranges: drop(`${PDF} > responses > 416`),
  'media-schemas': drop(`${VIN} > responses > 200 > content > application/json > schema`),
  examples: drop(`${VIN} > responses > 200 > content > application/json > examples`),
  'headers-described': put(`${HEADERS} > ETag > description`, ''),
  'references-lead-somewhere': put(`${VIN} > x-more`, { $ref: '#/components/schemas/Nothing' }),
  'components-used': put(`${HEADERS} > Unused`, { description: 'Unused.', example: 1 }),
  'components-shared': put('paths', {}),
  'names-distinct': put(`${PARAMETERS} > Paint`, { name: 'paint', in: 'query' }),
  'titles-are-names': put(`${SCHEMAS} > Paint > title`, 'Paint of a car'),
  'examples-inline': put(`${VIN} > responses > 200 > content > application/json > examples > far`, {
    externalValue: 'https://monroney.test/far',
  }),
  'shapes-named': put(`${SCHEMAS} > bad_name`, { description: 'A shape.' }),
  'members-described': drop(`${SCHEMAS} > VinResponse > properties > warning > description`),
  'required-exists': put(`${SCHEMAS} > Paint > required`, ['gloss']),
  'arrays-of-something': drop(`${SCHEMAS} > StatusReport > properties > sources > items`),
  'open-shapes': put(`${SCHEMAS} > Paint > additionalProperties`, false),
  'examples-fit': put(`${SCHEMAS} > Problem > properties > status`, { type: 'string' }),
  'calm-words': put('info > summary', 'A powerful API!'),
};

test('every rule finds what it is there to find', () => {
  assert.deepEqual(Object.keys(BROKEN).sort(), RULES.map(({ name }) => name).sort());
  for (const { name, broken } of RULES) {
    const document = JSON.parse(text) as OpenApi;
    BROKEN[name]!(document);
    // Shared schemas refer to each other; without paths and components nothing is shared.
    if (name === 'components-shared') document.components = {};
    assert.notDeepEqual(broken(document), [], name);
  }
});
