import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { OpenApi } from './document.ts';
import { RULES } from './rules.ts';
import { violationsIn, servedDocument } from './run.ts';

let text: string;
before(async () => {
  text = await servedDocument();
});

test('the served document follows all our rules', () => {
  assert.ok(RULES.length >= 20);
  assert.equal(new Set(RULES.map(({ name }) => name)).size, RULES.length);
  for (const { description } of RULES) assert.match(description, /^[A-Z].*\.$/);
  assert.deepEqual(violationsIn(JSON.parse(text) as OpenApi), []);
});

type Tree = { [name: string]: Tree };
type Change = (document: OpenApi) => void;

/** `a > b > c`: a path of names, which may contain slashes. */
function locate(document: OpenApi, path: string): [Record<string, unknown>, string] {
  const names = path.split(' > ');
  const last = names.pop()!;
  return [names.reduce((tree, name) => tree[name]!, document as unknown as Tree), last];
}

const set =
  (path: string, value: unknown): Change =>
  (document) => {
    const [parent, name] = locate(document, path);
    parent[name] = value;
  };

const remove =
  (path: string): Change =>
  (document) => {
    const [parent, name] = locate(document, path);
    delete parent[name];
  };

const VIN = 'paths > /api/v1/vin/{vin} > get';
const PDF = 'paths > /api/sticker/{vin} > get';
const [SCHEMAS, HEADERS] = ['components > schemas', 'components > headers'];
const [PARAMETERS, RESPONSES] = ['components > parameters', 'components > responses'];

/** For every rule, a change to the document that violates it. */
const VIOLATING_CHANGES: Record<string, Change> = {
  'openapi-3.1': set('openapi', '3.0.3'),
  'info-complete': remove('info > license'),
  'server-absolute': set('servers > 0 > url', '/'),
  'security-declared': remove('security'),
  'tags-described': set('tags > 3', { name: 'Unused', description: 'Not used.' }),
  'getting-started-linked': remove('externalDocs'),
  'operation-id': set(`${VIN} > operationId`, 'getSticker'),
  'summary-short': set(`${VIN} > summary`, 'Looks up a VIN.'),
  'description-sentences': set(`${VIN} > description`, 'lookup'),
  'one-tag': set(`${VIN} > tags`, ['Undeclared']),
  'read-only': set('paths > /healthz > post', {}),
  'path-plain': set('paths > /api/V2/', { get: {} }),
  'path-parameters': set(`${VIN} > parameters`, []),
  'parameters-described': remove(`${PARAMETERS} > VinInPath > example`),
  'parameter-names': set(`${PARAMETERS} > Sticker > name`, 'with_sticker'),
  'contact-everywhere': set(`${PDF} > parameters`, [{ $ref: '#/components/parameters/VinInPath' }]),
  'head-as-get': set('paths > /api/sticker/{vin} > head > responses > 418', {}),
  'responses-described': set(`${RESPONSES} > BadRequest > description`, 'bad'),
  'success-and-failure': remove(`${VIN} > responses > 500`),
  'statuses-listed': set(`${VIN} > responses > default`, { description: 'Anything.' }),
  'errors-are-problems': set(`${RESPONSES} > NoLabel > content`, { 'text/plain': {} }),
  'limit-declared': remove(`${VIN} > responses > 200 > headers > RateLimit`),
  'limit-response': remove(`${VIN} > responses > 429`),
  'retry-after': remove(`${RESPONSES} > TooManyRequests > headers > Retry-After`),
  validators: remove(`${PDF} > responses > 206 > headers > ETag`),
  digests: remove(`${PDF} > responses > 200 > headers > Content-Digest`),
  conditional: remove(`${VIN} > responses > 304`),
  ranges: remove(`${PDF} > responses > 416`),
  'media-schemas': remove(`${VIN} > responses > 200 > content > application/json > schema`),
  examples: remove(`${VIN} > responses > 200 > content > application/json > examples`),
  'headers-described': set(`${HEADERS} > ETag > description`, ''),
  'references-resolve': set(`${VIN} > x-more`, { $ref: '#/components/schemas/Nothing' }),
  'components-used': set(`${HEADERS} > Unused`, { description: 'Unused.', example: 1 }),
  'components-shared': set('paths', {}),
  'names-distinct': set(`${PARAMETERS} > Paint`, { name: 'paint', in: 'query' }),
  'titles-are-names': set(`${SCHEMAS} > Paint > title`, 'Paint of a car'),
  'examples-inline': set(`${VIN} > responses > 200 > content > application/json > examples > far`, {
    externalValue: 'https://monroney.test/far',
  }),
  'schemas-named': set(`${SCHEMAS} > bad_name`, { description: 'A shape.' }),
  'properties-described': remove(`${SCHEMAS} > VinResponse > properties > warning > description`),
  'required-exists': set(`${SCHEMAS} > Paint > required`, ['gloss']),
  'arrays-have-items': remove(`${SCHEMAS} > StatusReport > properties > sources > items`),
  'open-schemas': set(`${SCHEMAS} > Paint > additionalProperties`, false),
  'examples-valid': set(`${SCHEMAS} > Problem > properties > status`, { type: 'string' }),
  'plain-wording': set('info > summary', 'A powerful API!'),
};

test('every rule finds a document that violates it', () => {
  assert.deepEqual(Object.keys(VIOLATING_CHANGES).sort(), RULES.map(({ name }) => name).sort());
  for (const { name, violations } of RULES) {
    const document = JSON.parse(text) as OpenApi;
    VIOLATING_CHANGES[name]!(document);
    // Shared schemas refer to each other; without paths and components nothing is shared.
    if (name === 'components-shared') document.components = {};
    assert.notDeepEqual(violations(document), [], name);
  }
});
