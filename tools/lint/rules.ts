import type { OpenApi } from './document.ts';
import { responseRules } from './response-rules.ts';
import { operationRules } from './operation-rules.ts';
import { schemaRules } from './schema-rules.ts';

/** A rule: its name, what it requires, and the locations that violate it. */
export interface Rule {
  name: string;
  description: string;
  violations(document: OpenApi): string[];
}

const documentRules: Rule[] = [
  {
    name: 'openapi-3.1',
    description: 'The document is OpenAPI 3.1 and names its schema dialect.',
    violations: ({ openapi, jsonSchemaDialect }) =>
      /^3\.1\.\d+$/.test(openapi ?? '') && jsonSchemaDialect ? [] : ['openapi, jsonSchemaDialect'],
  },
  {
    name: 'info-complete',
    description:
      'Info has a title, a semantic version, a summary, a description of at least 200 characters, terms, a contact and a license.',
    violations: ({ info = {} }) => {
      const { title, version, summary, description, termsOfService, contact, license } = info;
      const complete = title && summary && termsOfService && contact && license;
      const long = typeof description === 'string' && description.length >= 200;
      return complete && long && /^\d+\.\d+\.\d+$/.test(String(version)) ? [] : ['info'];
    },
  },
  {
    name: 'server-absolute',
    description: 'At least one server has an absolute URL and a description.',
    violations: ({ servers = [] }) =>
      servers.some(({ url = '', description }) => /^https?:\/\/[^/]+$/.test(url) && description)
        ? []
        : ['servers'],
  },
  {
    name: 'security-declared',
    description: 'The document states whether a key is needed.',
    violations: ({ security }) => (security?.length ? [] : ['security']),
  },
  {
    name: 'tags-described',
    description: 'Every tag is described and used.',
    violations: ({ tags = [], paths }) => {
      const used = new Set(
        Object.values(paths).flatMap((path) =>
          Object.values(path).flatMap((operation) => operation.tags ?? []),
        ),
      );
      return tags.filter(({ name, description }) => !description || !used.has(name)).map(({ name }) => name);
    },
  },
  {
    name: 'getting-started-linked',
    description: 'The document links to a getting-started page.',
    violations: ({ externalDocs }) => (externalDocs?.url ? [] : ['externalDocs']),
  },
];

export const RULES: readonly Rule[] = [...documentRules, ...operationRules, ...responseRules, ...schemaRules];
