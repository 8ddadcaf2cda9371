import { operations, parametersOf, type Operation, type Place } from './document.ts';
import type { Rule } from './rules.ts';

const where = (places: Place[]) => places.map((place) => place.where);
const isSentence = (text = '') => /^[A-Z"].*[.?]$/s.test(text);

const each = (name: string, says: string, holds: (operation: Operation, place: Place) => boolean): Rule => ({
  name,
  says,
  broken: (document) => where(operations(document).filter((place) => !holds(place.operation, place))),
});

export const operationRules: Rule[] = [
  {
    name: 'operation-id',
    says: 'Operation ids are unique, in camel case, and begin with a verb.',
    broken: (document) => {
      const all = operations(document);
      const ids = all.map(({ operation }) => operation.operationId ?? '');
      return where(
        all.filter(
          (_, at) => !/^(get|head|read|list|decode)[A-Z]\w+$/.test(ids[at]!) || ids.indexOf(ids[at]!) !== at,
        ),
      );
    },
  },
  each(
    'summary-short',
    'Every operation has a summary of a few words, without a full stop.',
    ({ summary = '' }) => summary.length >= 5 && summary.length <= 50 && !summary.endsWith('.'),
  ),
  each(
    'description-sentences',
    'Every operation is described in complete sentences.',
    ({ description }) => isSentence(description) && description!.length >= 30,
  ),
  {
    name: 'one-tag',
    says: 'Every operation has one tag, and it is declared.',
    broken: (document) => {
      const declared = new Set(document.tags?.map(({ name }) => name));
      const fits = ({ tags = [] }: Operation) => tags.length === 1 && declared.has(tags[0]!);
      return where(operations(document).filter(({ operation }) => !fits(operation)));
    },
  },
  each(
    'read-only',
    'The service is read-only: every method is GET or HEAD, and only batches have a body.',
    (operation, { method, path }) =>
      /batch$|\/decode$/i.test(path)
        ? method === 'post' && 'requestBody' in operation
        : /^(get|head)$/.test(method) && !('requestBody' in operation),
  ),
  each(
    'path-plain',
    "Paths are lower case, with hyphens, without an extension under /api/ and without a slash at the end; NHTSA's are NHTSA's.",
    (_, { path }) =>
      path.startsWith('/vpic/') ||
      (/^(\/([a-z0-9-]+|\{[a-z]+\}|[a-z-]+\.json))+$/.test(path) && !/^\/api\/.*\.json$/.test(path)),
  ),
  {
    name: 'path-parameters',
    says: 'Every name in braces in a path is a required path parameter, and every path parameter is in the path.',
    broken: (document) =>
      where(
        operations(document).filter((place) => {
          const inPath = new Set([...place.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
          const declared = parametersOf(document, place).filter((one) => one.in === 'path');
          const fits = declared.every(({ name, required }) => required && inPath.has(name));
          return !fits || declared.length !== inPath.size;
        }),
      ),
  },
  {
    name: 'parameters-described',
    says: 'Every parameter is described in a sentence, with a schema and an example.',
    broken: (document) =>
      operations(document).flatMap((place) =>
        parametersOf(document, place)
          .filter(
            ({ description, schema, example }) =>
              !isSentence(description) || !schema || example === undefined,
          )
          .map(({ name }) => `${place.where} ${name}`),
      ),
  },
  {
    name: 'parameter-names',
    says: 'Query parameters are one lower-case word; headers have their usual capitals.',
    broken: (document) =>
      operations(document).flatMap((place) =>
        parametersOf(document, place)
          .filter(({ name, in: at }) => !(at === 'header' ? /^([A-Z][a-z]*-?)+$/ : /^[a-z]+$/).test(name))
          .map(({ name }) => `${place.where} ${name}`),
      ),
  },
  {
    name: 'contact-everywhere',
    says: 'Every operation under /api/ takes the contact, as a header and as a parameter.',
    broken: (document) =>
      where(
        operations(document).filter((place) => {
          const names = parametersOf(document, place).map(({ name }) => name);
          return (
            place.path.startsWith('/api/') && !(names.includes('contact') && names.includes('X-Contact'))
          );
        }),
      ),
  },
  {
    name: 'head-as-get',
    says: 'HEAD has no response that GET lacks.',
    broken: (document) =>
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
