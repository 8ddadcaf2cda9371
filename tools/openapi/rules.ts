import type { Json, JsonObject } from '../../src/openapi-schemas.ts';
import { follow, object, objects, operations, schemaPlaces, text } from './walk.ts';

/** One thing a reader of `/openapi.json` may rely on: what breaks it is named by its place. */
export interface Rule {
  name: string;
  check(document: JsonObject): string[];
  /** Breaks the rule, so that a test can see it caught. */
  spoil(document: JsonObject): void;
}

const first = (document: JsonObject) => operations(document)[0]!.value;
const components = (document: JsonObject, kind: string) => object(object(document.components)[kind]);
const each = (document: JsonObject, kind: string) => Object.entries(components(document, kind));
const limited = (document: JsonObject) => operations(document).filter(({ path }) => path.startsWith('/api/'));
const camel = /^[a-z][a-zA-Z0-9]*$/;
const kebab = /^\/[a-z0-9{}/.-]*$/;
const isProperty = /\/properties\/[^/]+$/;

/** Which names are off, by what they should have. */
function lacking(
  document: JsonObject,
  kinds: readonly string[],
  has: (value: JsonObject) => boolean,
): string[] {
  return kinds.flatMap((kind) =>
    each(document, kind)
      .filter(([, value]) => !has(object(value)))
      .map(([name]) => `${kind}/${name}`),
  );
}

export const rules: readonly Rule[] = [
  {
    name: 'the version of the format is 3.1',
    check: ({ openapi }) => (/^3\.1\.\d$/.test(text(openapi)) ? [] : ['openapi']),
    spoil: (document) => (document.openapi = '3.0.3'),
  },
  {
    name: 'the title, a long description, the licence, the terms and a contact are there',
    check: ({ info }) =>
      ['title', 'description', 'license', 'termsOfService', 'contact', 'version'].filter(
        (key) =>
          object(info)[key] === undefined || (key === 'description' && text(object(info)[key]).length < 200),
      ),
    spoil: (document) => delete object(document.info).contact,
  },
  {
    name: 'the version of the API is a semantic version',
    check: ({ info }) => (/^\d+\.\d+\.\d+$/.test(text(object(info).version)) ? [] : ['info.version']),
    spoil: (document) => (object(document.info).version = 'v1'),
  },
  {
    name: 'there is a server, without a slash at its end',
    check: ({ servers }) => {
      const list = (Array.isArray(servers) ? servers : []).map((server) => text(object(server).url));
      return list.length && list.every((url) => /^https?:\/\/.*[^/]$/.test(url)) ? [] : ['servers'];
    },
    spoil: (document) => (document.servers = [{ url: 'http://x.example/' }]),
  },
  {
    name: 'it is said outright that no key is needed',
    check: ({ security }) => (JSON.stringify(security) === '[{}]' ? [] : ['security']),
    spoil: (document) => delete document.security,
  },
  {
    name: 'every operation has an id of its own in camelCase',
    check(document) {
      const ids = operations(document).map(({ value }) => text(value.operationId));
      return ids.filter((id, at) => !camel.test(id) || ids.indexOf(id) !== at);
    },
    spoil: (document) => (first(document).operationId = 'get-vin'),
  },
  {
    name: 'every operation has a short summary without a full stop',
    check: (document) =>
      operations(document)
        .filter(({ value }) => !/^.{5,60}[^.]$/.test(text(value.summary)))
        .map(({ way }) => way),
    spoil: (document) => (first(document).summary = 'Looks it up.'),
  },
  {
    name: 'every operation has a description in sentences',
    check: (document) =>
      operations(document)
        .filter(({ value }) => !/^[A-Z].{19,}\.$/s.test(text(value.description)))
        .map(({ way }) => way),
    spoil: (document) => (first(document).description = 'looks up'),
  },
  {
    name: 'every operation has exactly one tag, which is described',
    check(document) {
      const tags = ((document.tags ?? []) as Json[]).map(object);
      const known = tags.filter(({ description }) => description).map(({ name }) => name);
      return operations(document)
        .filter(({ value }) => {
          const own = (value.tags ?? []) as Json[];
          return own.length !== 1 || !known.includes(own[0]);
        })
        .map(({ way }) => way);
    },
    spoil: (document) => (first(document).tags = ['Nobody']),
  },
  {
    name: 'paths are lower case, without a slash at their end and without a query',
    check: (document) =>
      operations(document).flatMap(({ path }) => (kebab.test(path) && !/.\/$/.test(path) ? [] : [path])),
    spoil: (document) => (object(document.paths)['/api/v1/Vin/'] = { get: first(document) }),
  },
  {
    name: 'every variable of a path is a required parameter, and no other is in the path',
    check: (document) =>
      operations(document).flatMap(({ way, path, parameters }) => {
        const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();
        const inPath = parameters.filter((each) => each.in === 'path');
        const given = inPath.map((each) => text(each.name)).sort();
        return wanted.join() === given.join() && inPath.every((each) => each.required === true) ? [] : [way];
      }),
    spoil: (document) => (first(document).parameters = []),
  },
  {
    name: 'every parameter has a description, a schema and an example',
    check: (document) =>
      lacking(document, ['parameters'], (each) => !!each.description && !!each.schema && 'example' in each),
    spoil: (document) => delete object(components(document, 'parameters').Vin).example,
  },
  {
    name: 'every header has a description, a schema and an example',
    check: (document) =>
      lacking(document, ['headers'], (each) => !!each.description && !!each.schema && 'example' in each),
    spoil: (document) => delete object(components(document, 'headers').ETag).description,
  },
  {
    name: 'every answer is described',
    check: (document) =>
      operations(document).flatMap(({ way, responses }) =>
        responses.filter(([, value]) => !text(value.description)).map(([status]) => `${way} ${status}`),
      ),
    spoil: (document) => delete object(object(first(document).responses)['200']).description,
  },
  {
    name: 'every answer with a body has a schema and an example',
    check: (document) =>
      operations(document).flatMap(({ way, responses }) =>
        responses.flatMap(([status, response]) =>
          Object.values(object(response.content))
            .map(object)
            .filter((media) => !media.schema || !(media.example ?? media.examples))
            .map(() => `${way} ${status}`),
        ),
      ),
    spoil(document) {
      const content = object(object(object(first(document).responses)['200']).content);
      delete object(content['application/json']).examples;
    },
  },
  {
    name: 'every operation names a success and a default problem',
    check: (document) =>
      operations(document)
        .filter(({ responses, method }) => {
          const statuses = responses.map(([status]) => status);
          return !statuses.includes('200') || !(statuses.includes('default') || method === 'head');
        })
        .map(({ way }) => way),
    spoil: (document) => delete object(first(document).responses).default,
  },
  {
    name: 'every error is a problem document of the one shared schema',
    check: (document) =>
      operations(document).flatMap(({ way, responses }) =>
        responses
          .filter(([status]) => /^[45]|default/.test(status))
          .filter(([, { content }]) => {
            const media = object(object(content)['application/problem+json']);
            const plain = object(object(content)['application/json']);
            // Health says no in its own shape.
            return object(media.schema).$ref !== '#/components/schemas/Problem' && !plain.schema;
          })
          .map(([status]) => `${way} ${status}`),
      ),
    spoil: (document) => delete object(components(document, 'responses').Problem).content,
  },
  {
    name: 'everything under /api/ declares the limit and its 429',
    check: (document) =>
      limited(document)
        .filter(({ responses }) => {
          const answers = Object.fromEntries(responses);
          const fields = object(object(answers['200']).headers);
          return (
            !fields.RateLimit ||
            !fields['RateLimit-Policy'] ||
            !object(answers['429']?.headers)['Retry-After']
          );
        })
        .map(({ way }) => way),
    spoil: (document) => delete object(first(document).responses)['429'],
  },
  {
    name: 'everything under /api/ can be asked for on a condition',
    check: (document) =>
      limited(document)
        .filter(({ parameters, responses }) => {
          const conditional = parameters.some(({ name }) => name === 'If-None-Match');
          return !conditional || !responses.some(([status]) => status === '304');
        })
        .map(({ way }) => way),
    spoil: (document) => delete object(first(document).responses)['304'],
  },
  {
    name: 'every 503 says when to come back',
    check: (document) =>
      limited(document).flatMap(({ way, responses }) =>
        responses
          .filter(([status, { headers }]) => status === '503' && !object(headers)['Retry-After'])
          .map(() => way),
      ),
    spoil: (document) =>
      delete object(object(components(document, 'responses').SourceUnavailable).headers)['Retry-After'],
  },
  {
    name: 'every schema and every property is described',
    check: (document) =>
      [...schemaPlaces(document)]
        .filter(({ way }) => isProperty.test(way) || /^\/components\/schemas\/[^/]+$/.test(way))
        .filter(({ value }) => !text(value.description) && !value.$ref)
        .map(({ way }) => way),
    spoil: (document) => delete object(components(document, 'schemas').Problem).description,
  },
  {
    name: 'property names are camelCase',
    check: (document) =>
      [...schemaPlaces(document)]
        .filter(({ way }) => isProperty.test(way))
        .filter(({ way }) => !camel.test(way.split('/').at(-1)!))
        .map(({ way }) => way),
    spoil: (document) =>
      (object(object(components(document, 'schemas').Problem).properties).retry_after = {
        description: 'Seconds.',
      }),
  },
  {
    name: 'objects may grow',
    check: (document) =>
      [...schemaPlaces(document)]
        .filter(({ value }) => value.additionalProperties === false)
        .map(({ way }) => way),
    spoil: (document) => (object(components(document, 'schemas').Vehicle).additionalProperties = false),
  },
  {
    name: 'every required property exists',
    check: (document) =>
      [...schemaPlaces(document)].flatMap(({ way, value }) =>
        (Array.isArray(value.required) ? value.required : [])
          .filter((name) => typeof name === 'string' && !object(value.properties)[name])
          .map((name) => `${way}: ${JSON.stringify(name)}`),
      ),
    spoil: (document) => (object(components(document, 'schemas').Problem).required = ['nothing']),
  },
  {
    name: 'every reference leads somewhere, and every named part is used',
    check(document) {
      const places = [...objects(document)];
      const dead = places
        .filter(({ value }) => typeof value.$ref === 'string' && !Object.keys(follow(document, value)).length)
        .map(({ way }) => way);
      const used = new Set(places.map(({ value }) => value.$ref));
      const idle = ['schemas', 'parameters', 'headers', 'responses'].flatMap((kind) =>
        each(document, kind)
          .map(([name]) => `#/components/${kind}/${name}`)
          .filter((way) => !used.has(way)),
      );
      return [...dead, ...idle];
    },
    spoil: (document) => (components(document, 'schemas').Idle = { type: 'string' }),
  },
];
