import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { responses, everything, target, type OpenApi, type Schema } from './document.ts';
import type { Rule } from './rules.ts';

const KINDS = ['schemas', 'parameters', 'headers', 'responses'];
const schemasOf = ({ components }: OpenApi) =>
  Object.entries(components['schemas'] ?? {}) as [string, Schema][];

function references(document: OpenApi): string[] {
  return [...everything(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
}

/** The properties of the named schemas, with their schema. */
function members(document: OpenApi): { where: string; name: string; schema: Schema }[] {
  return schemasOf(document).flatMap(([shape, schema]) =>
    [...everything(schema, shape)].flatMap(([where, { properties, type }]) =>
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
    name: 'references-lead-somewhere',
    says: 'Every reference stays inside the document and has a target.',
    broken: (document) =>
      references(document).filter((ref) => !ref.startsWith('#/') || !target(document, ref)),
  },
  {
    name: 'components-used',
    says: 'Every component is used, or is a schema that clients refer to.',
    broken: (document) => {
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
    says: 'At least five components are used more than once.',
    broken: (document) => {
      const all = references(document);
      const shared = new Set(all.filter((ref, at) => all.indexOf(ref) !== at));
      return shared.size >= 5 ? [] : [`${shared.size} are`];
    },
  },
  {
    name: 'names-distinct',
    says: 'No two components share a name: generators put schemas, parameters and responses into one namespace.',
    broken: ({ components }) => {
      const names = ['schemas', 'parameters', 'responses'].flatMap((kind) =>
        Object.keys(components[kind] ?? {}),
      );
      return names.filter((name, at) => names.indexOf(name) !== at);
    },
  },
  {
    name: 'titles-are-names',
    says: "A component's title, where it has one, is its name: generators name classes after titles.",
    broken: (document) =>
      schemasOf(document)
        .filter(([name, { title = name }]) => title !== name)
        .map(([name]) => name),
  },
  {
    name: 'examples-inline',
    says: 'No example is external: generators would fetch it and run into the limit.',
    broken: (document) =>
      [...everything(document)].filter(([, value]) => 'externalValue' in value).map(([where]) => where),
  },
  {
    name: 'shapes-named',
    says: 'Schemas are named in Pascal case and described; their properties are in camel case.',
    broken: (document) => [
      ...schemasOf(document)
        .filter(([name, { description }]) => !/^[A-Z][A-Za-z]+$/.test(name) || !description)
        .map(([name]) => name),
      ...members(document)
        .filter(({ name }) => !/^[a-z][A-Za-z0-9]*$/.test(name))
        .map(({ where, name }) => `${where} ${name}`),
    ],
  },
  {
    name: 'members-described',
    says: 'Every property of every schema is described, or is a named schema.',
    broken: (document) =>
      members(document)
        .filter(({ schema }) => !schema.description && !schema.$ref && !schema['allOf'])
        .map(({ where, name }) => `${where} ${name}`),
  },
  {
    name: 'required-exists',
    says: 'Required properties are described.',
    broken: (document) =>
      [...everything(document.components)].flatMap(([where, { properties, required }]) =>
        typeof properties === 'object' && properties && Array.isArray(required)
          ? (required as string[]).filter((name) => !(name in properties)).map((name) => `${where} ${name}`)
          : [],
      ),
  },
  {
    name: 'arrays-of-something',
    says: 'Every array declares its items.',
    broken: (document) =>
      [...everything(document.components['schemas'])]
        .filter(([, { type, items }]) => type === 'array' && !items)
        .map(([where]) => where),
  },
  {
    name: 'open-shapes',
    says: 'Schemas may grow: none forbids unknown properties.',
    broken: (document) =>
      [...everything(document.components['schemas'])]
        .filter(([, { additionalProperties }]) => additionalProperties === false)
        .map(([where]) => where),
  },
  {
    name: 'examples-fit',
    says: 'Every example of a JSON body matches its schema.',
    broken: (document) => {
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
    name: 'calm-words',
    says: 'Descriptions are plain: no exclamation marks, no "please note", "simply", "oops", "easy" or "powerful".',
    broken: (document) =>
      [...everything(document)].flatMap(([where, thing]) =>
        [thing['description'], thing['summary'], thing['title']]
          .filter((text): text is string => typeof text === 'string')
          .filter((text) => /!|\b(please note|simply|oops|easy|easily|powerful|seamless)\b/i.test(text))
          .map((text) => `${where}: ${text.slice(0, 60)}`),
      ),
  },
];
