import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { responses, objectsIn, target, type OpenApi, type Schema } from './document.ts';
import type { Rule } from './rules.ts';

const KINDS = ['schemas', 'parameters', 'headers', 'responses'];
const schemasOf = ({ components }: OpenApi) =>
  Object.entries(components['schemas'] ?? {}) as [string, Schema][];

function references(document: OpenApi): string[] {
  return [...objectsIn(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
}

/** The properties of the named schemas, with their schema. */
function propertiesOf(document: OpenApi): { where: string; name: string; schema: Schema }[] {
  return schemasOf(document).flatMap(([shape, schema]) =>
    [...objectsIn(schema, shape)].flatMap(([where, { properties, type }]) =>
      type === 'object' && properties
        ? Object.entries(properties as Record<string, Schema>).map(([name, of]) => ({
            where,
            name,
            schema: of,
          }))
        : [],
    ),
  );
}

export const schemaRules: Rule[] = [
  {
    name: 'references-resolve',
    description: 'Every reference stays inside the document and has a target.',
    violations: (document) =>
      references(document).filter((ref) => !ref.startsWith('#/') || !target(document, ref)),
  },
  {
    name: 'components-used',
    description: 'Every component is used, or is a schema that clients refer to.',
    violations: (document) => {
      const used = new Set(references(document));
      return KINDS.flatMap((kind) =>
        Object.keys(document.components[kind] ?? {})
          .map((name) => `#/components/${kind}/${name}`)
          .filter((ref) => !used.has(ref)),
      );
    },
  },
  {
    name: 'components-shared',
    description: 'At least five components are used more than once.',
    violations: (document) => {
      const all = references(document);
      const shared = new Set(all.filter((ref, index) => all.indexOf(ref) !== index));
      return shared.size >= 5 ? [] : [`${shared.size} are`];
    },
  },
  {
    name: 'names-distinct',
    description:
      'No two components share a name: generators put schemas, parameters and responses into one namespace.',
    violations: ({ components }) => {
      const names = ['schemas', 'parameters', 'responses'].flatMap((kind) =>
        Object.keys(components[kind] ?? {}),
      );
      return names.filter((name, index) => names.indexOf(name) !== index);
    },
  },
  {
    name: 'titles-are-names',
    description: "A component's title, where it has one, is its name: generators name classes after titles.",
    violations: (document) =>
      schemasOf(document)
        .filter(([name, { title = name }]) => title !== name)
        .map(([name]) => name),
  },
  {
    name: 'examples-inline',
    description: 'No example is external: generators would fetch it and run into the limit.',
    violations: (document) =>
      [...objectsIn(document)].filter(([, value]) => 'externalValue' in value).map(([where]) => where),
  },
  {
    name: 'schemas-named',
    description: 'Schemas are named in Pascal case and described; their properties are in camel case.',
    violations: (document) => [
      ...schemasOf(document)
        .filter(([name, { description }]) => !/^[A-Z][A-Za-z]+$/.test(name) || !description)
        .map(([name]) => name),
      ...propertiesOf(document)
        .filter(({ name }) => !/^[a-z][A-Za-z0-9]*$/.test(name))
        .map(({ where, name }) => `${where} ${name}`),
    ],
  },
  {
    name: 'properties-described',
    description: 'Every property of every schema is described, or is a named schema.',
    violations: (document) =>
      propertiesOf(document)
        .filter(({ schema }) => !schema.description && !schema.$ref && !schema['allOf'])
        .map(({ where, name }) => `${where} ${name}`),
  },
  {
    name: 'required-exists',
    description: 'Required properties exist.',
    violations: (document) =>
      [...objectsIn(document.components)].flatMap(([where, { properties, required }]) =>
        typeof properties === 'object' && properties && Array.isArray(required)
          ? (required as string[]).filter((name) => !(name in properties)).map((name) => `${where} ${name}`)
          : [],
      ),
  },
  {
    name: 'arrays-have-items',
    description: 'Every array declares its items.',
    violations: (document) =>
      [...objectsIn(document.components['schemas'])]
        .filter(([, { type, items }]) => type === 'array' && !items)
        .map(([where]) => where),
  },
  {
    name: 'open-schemas',
    description: 'Schemas allow unknown properties, so that they can be extended.',
    violations: (document) =>
      [...objectsIn(document.components['schemas'])]
        .filter(([, { additionalProperties }]) => additionalProperties === false)
        .map(([where]) => where),
  },
  {
    name: 'examples-valid',
    description: 'Every example of a JSON body matches its schema.',
    violations: (document) => {
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      formats.default(ajv);
      ajv.addSchema(document, 'openapi');
      return responses(document).flatMap(({ where, response }) =>
        Object.entries(response.content ?? {}).flatMap(([type, { schema, example, examples = {} }]) => {
          if (!schema || !type.endsWith('json')) return [];
          const validate = ajv.compile(
            JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object,
          );
          const shown = [
            ...(example === undefined ? [] : [example]),
            ...Object.values(examples).map(({ value }) => value),
          ];
          return shown
            .filter((value) => !validate(value))
            .map(() => `${where}: ${ajv.errorsText(validate.errors)}`);
        }),
      );
    },
  },
  {
    name: 'plain-wording',
    description:
      'Descriptions are plain: no exclamation marks, no "please note", "simply", "oops", "easy" or "powerful".',
    violations: (document) =>
      [...objectsIn(document)].flatMap(([where, value]) =>
        [value['description'], value['summary'], value['title']]
          .filter((text): text is string => typeof text === 'string')
          .filter((text) => /!|\b(please note|simply|oops|easy|easily|powerful|seamless)\b/i.test(text))
          .map((text) => `${where}: ${text.slice(0, 60)}`),
      ),
  },
];
