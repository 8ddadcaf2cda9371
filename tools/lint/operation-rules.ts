import { operations, parametersOf, type Operation, type OperationEntry } from './document.ts';
import type { Rule } from './rules.ts';

const where = (entries: OperationEntry[]) => entries.map((entry) => entry.where);
const isSentence = (text = '') => /^[A-Z"].*[.?]$/s.test(text);

const operationRule = (
  name: string,
  description: string,
  passes: (operation: Operation, entry: OperationEntry) => boolean,
): Rule => ({
  name,
  description,
  violations: (document) => where(operations(document).filter((entry) => !passes(entry.operation, entry))),
});

export const operationRules: Rule[] = [
  {
    name: 'operation-id',
    description: 'Operation ids are unique, in camel case, and begin with a verb.',
    violations: (document) => {
      const all = operations(document);
      const ids = all.map(({ operation }) => operation.operationId ?? '');
      return where(
        all.filter(
          (_, index) =>
            !/^(get|head|read|list|decode)[A-Z]\w+$/.test(ids[index]!) || ids.indexOf(ids[index]!) !== index,
        ),
      );
    },
  },
  operationRule(
    'summary-short',
    'Every operation has a summary of a few words, without a period.',
    ({ summary = '' }) => summary.length >= 5 && summary.length <= 50 && !summary.endsWith('.'),
  ),
  operationRule(
    'description-sentences',
    'Every operation is described in complete sentences.',
    ({ description }) => isSentence(description) && description!.length >= 30,
  ),
  {
    name: 'one-tag',
    description: 'Every operation has one tag, and it is declared.',
    violations: (document) => {
      const declared = new Set(document.tags?.map(({ name }) => name));
      const fits = ({ tags = [] }: Operation) => tags.length === 1 && declared.has(tags[0]!);
      return where(operations(document).filter(({ operation }) => !fits(operation)));
    },
  },
  operationRule(
    'read-only',
    'The service is read-only: every method is GET or HEAD, and only batches have a body.',
    (operation, { method, path }) =>
      /batch$|\/decode$/i.test(path)
        ? method === 'post' && 'requestBody' in operation
        : /^(get|head)$/.test(method) && !('requestBody' in operation),
  ),
  operationRule(
    'path-plain',
    "Paths are lower case, with hyphens, without an extension under /api/ and without a trailing slash, except for NHTSA's.",
    (_, { path }) =>
      path.startsWith('/vpic/') ||
      (/^(\/([a-z0-9-]+|\{[a-z]+\}|[a-z-]+\.json))+$/.test(path) && !/^\/api\/.*\.json$/.test(path)),
  ),
  {
    name: 'path-parameters',
    description:
      'Every name in braces in a path is a required path parameter, and every path parameter is in the path.',
    violations: (document) =>
      where(
        operations(document).filter((entry) => {
          const inPath = new Set([...entry.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
          const declared = parametersOf(document, entry).filter((parameter) => parameter.in === 'path');
          const fits = declared.every(({ name, required }) => required && inPath.has(name));
          return !fits || declared.length !== inPath.size;
        }),
      ),
  },
  {
    name: 'parameters-described',
    description: 'Every parameter is described in a sentence, with a schema and an example.',
    violations: (document) =>
      operations(document).flatMap((entry) =>
        parametersOf(document, entry)
          .filter(
            ({ description, schema, example }) =>
              !isSentence(description) || !schema || example === undefined,
          )
          .map(({ name }) => `${entry.where} ${name}`),
      ),
  },
  {
    name: 'parameter-names',
    description: 'Query parameters are one lower-case word; headers have their usual capitals.',
    violations: (document) =>
      operations(document).flatMap((entry) =>
        parametersOf(document, entry)
          .filter(
            ({ name, in: location }) =>
              !(location === 'header' ? /^([A-Z][a-z]*-?)+$/ : /^[a-z]+$/).test(name),
          )
          .map(({ name }) => `${entry.where} ${name}`),
      ),
  },
  {
    name: 'contact-everywhere',
    description: 'Every operation under /api/ takes the contact, as a header and as a parameter.',
    violations: (document) =>
      where(
        operations(document).filter((entry) => {
          const names = parametersOf(document, entry).map(({ name }) => name);
          return (
            entry.path.startsWith('/api/') && !(names.includes('contact') && names.includes('X-Contact'))
          );
        }),
      ),
  },
  {
    name: 'head-as-get',
    description: 'HEAD has no response that GET lacks.',
    violations: (document) =>
      where(
        operations(document).filter(({ path, method, operation }) => {
          const get = document.paths[path]?.['get']?.responses ?? {};
          return (
            method === 'head' && Object.keys(operation.responses ?? {}).some((status) => !(status in get))
          );
        }),
      ),
  },
];
