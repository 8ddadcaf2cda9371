/**
 * Our rules for an API description as a Spectral ruleset, so that others can lint any description with them:
 * `spectral lint -r <url> openapi.json`. `npm run check` has more rules, which Spectral cannot express.
 */

interface Then {
  field?: string;
  function: string;
  functionOptions?: object;
}

interface SpectralRule {
  description: string;
  severity: 'error';
  given: string | string[];
  then: Then | Then[];
}

const OPERATIONS = '$.paths[*][get,head,post]';
const LIMITED = '$.paths[?(@property.match(/^\\/(api|vpic)\\//))]';

const rule = (description: string, given: string | string[], then: Then | Then[]): SpectralRule => ({
  description,
  severity: 'error',
  given,
  // eslint-disable-next-line unicorn/no-thenable -- Spectral's name for what a rule checks.
  then,
});
const truthy = (...fields: string[]): Then[] => fields.map((field) => ({ field, function: 'truthy' }));
const matches = (match: string, field?: string): Then => ({
  ...(field ? { field } : {}),
  function: 'pattern',
  functionOptions: { match },
});
const length = (min: number, max?: number, field?: string): Then => ({
  ...(field ? { field } : {}),
  function: 'length',
  functionOptions: { min, ...(max ? { max } : {}) },
});

const rules: Record<string, SpectralRule> = {
  'openapi-3.1': rule('The document is OpenAPI 3.1.', '$', matches('^3\\.1\\.\\d+$', 'openapi')),
  'dialect-named': rule('The schema dialect is named.', '$', truthy('jsonSchemaDialect')),
  'info-complete': rule('Info has a summary, terms, a contact and a license.', '$.info', [
    ...truthy('summary', 'termsOfService', 'contact', 'license'),
    length(200, undefined, 'description'),
  ]),
  'version-semantic': rule(
    'The version is a semantic version.',
    '$.info.version',
    matches('^\\d+\\.\\d+\\.\\d+$'),
  ),
  'server-absolute': rule(
    'Servers are absolute URLs without a path.',
    '$.servers[*].url',
    matches('^https?://[^/]+$'),
  ),
  'security-said': rule('The document states whether a key is needed.', '$', truthy('security')),
  'tags-described': rule('Every tag is described.', '$.tags[*]', truthy('description')),
  'getting-started-linked': rule(
    'The document links to a getting-started page.',
    '$',
    truthy('externalDocs'),
  ),
  'operation-id': rule(
    'operationIds are in camel case and begin with a verb for reading.',
    OPERATIONS,
    matches('^(get|head|read|list|decode)[A-Z]\\w+$', 'operationId'),
  ),
  'summary-short': rule(
    'A summary is short and has no period.',
    OPERATIONS,
    matches('^[A-Z].{3,58}[^.]$', 'summary'),
  ),
  'description-sentences': rule(
    'A description consists of sentences.',
    OPERATIONS,
    matches('^[A-Z][\\s\\S]{18,}\\.$', 'description'),
  ),
  'one-tag': rule('Every operation has one tag.', `${OPERATIONS}.tags`, length(1, 1)),
  'parameters-described': rule(
    'Every shared parameter has a description and an example.',
    ['$.components.parameters[*]'],
    [...truthy('description'), { field: 'example', function: 'defined' }],
  ),
  'statuses-listed': rule(
    'Statuses are listed one by one, without a default.',
    `${OPERATIONS}.responses[*]~`,
    matches('^[1-5]\\d\\d$'),
  ),
  'success-and-failure': rule(
    'Every operation lists 200, 400 and 500.',
    `${OPERATIONS}.responses`,
    truthy('200', '400', '500'),
  ),
  'errors-are-problems': rule(
    'Every shared error is an RFC 9457 problem document.',
    '$.components.responses[*].content[*]~',
    matches('^application/problem\\+json$'),
  ),
  'limit-answered': rule('Every rate-limited operation lists 429.', `${LIMITED}[*].responses`, truthy('429')),
  'limit-declared': rule(
    'Every rate-limited response declares the RateLimit fields.',
    `${LIMITED}[*].responses[200].headers`,
    truthy('RateLimit', 'RateLimit-Policy'),
  ),
  'retry-after': rule(
    'A 429 says when to try again.',
    '$.components.responses.TooManyRequests.headers',
    truthy('Retry-After'),
  ),
  conditional: rule('Every rate-limited GET lists 304.', `${LIMITED}[get].responses`, truthy('304')),
  validators: rule(
    'Every rate-limited GET declares its ETag.',
    `${LIMITED}[get].responses[200].headers`,
    truthy('ETag', 'Cache-Control'),
  ),
  'media-examples': rule('Every body has an example.', `${OPERATIONS}.responses[*].content[*]`, {
    function: 'schema',
    functionOptions: { schema: { anyOf: [{ required: ['example'] }, { required: ['examples'] }] } },
  }),
  'examples-inline': rule('Examples are inline.', '$..content[*].examples[*]', {
    field: 'externalValue',
    function: 'undefined',
  }),
  'shapes-named': rule(
    'Schemas are named in Pascal case.',
    '$.components.schemas[*]~',
    matches('^[A-Z][A-Za-z]+$'),
  ),
  'shapes-described': rule('Every schema is described.', '$.components.schemas[*]', truthy('description')),
  'members-camel-case': rule(
    'Properties are in camel case.',
    '$.components.schemas[*].properties[*]~',
    matches('^[a-z][A-Za-z0-9]*$'),
  ),
  'members-described': rule(
    'Every property is described.',
    '$.components.schemas[*].properties[*]',
    truthy('description'),
  ),
  'open-shapes': rule('Schemas allow additional properties.', '$.components.schemas[*]', {
    field: 'additionalProperties',
    function: 'undefined',
  }),
};

export const RULESET_RULES: readonly string[] = Object.keys(rules);

export function spectralRuleset(): unknown {
  return { extends: ['spectral:oas'], rules };
}
