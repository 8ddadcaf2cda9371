import type { OpenApi } from './document.ts';
import { responseRules } from './response-rules.ts';
import { operationRules } from './operation-rules.ts';
import { schemaRules } from './schema-rules.ts';

/** A rule: its name, what it requires, and the places that violate it. */
export interface Rule {
  name: string;
  says: string;
  broken(document: OpenApi): string[];
}

const documentRules: Rule[] = [
  {
    name: 'openapi-3.1',
    says: 'The document is OpenAPI 3.1 and names its schema dialect.',
    broken: ({ openapi, jsonSchemaDialect }) =>
      /^3\.1\.\d+$/.test(openapi ?? '') && jsonSchemaDialect ? [] : ['openapi, jsonSchemaDialect'],
  },
  {
    name: 'info-complete',
    says: 'Info has a title, a semantic version, a summary, a description of some length, terms, a contact and a licence.',
    broken: ({ info = {} }) => {
      const { title, version, summary, description, termsOfService, contact, license } = info;
      const whole = title && summary && termsOfService && contact && license;
      const long = typeof description === 'string' && description.length >= 200;
      return whole && long && /^\d+\.\d+\.\d+$/.test(String(version)) ? [] : ['info'];
    },
  },
  {
    name: 'server-absolute',
    says: 'At least one server is named by an absolute address and described.',
    broken: ({ servers = [] }) =>
      servers.some(({ url = '', description }) => /^https?:\/\/[^/]+$/.test(url) && description)
        ? []
        : ['servers'],
  },
  {
    name: 'security-said',
    says: 'Whether a key is needed is said outright.',
    broken: ({ security }) => (security?.length ? [] : ['security']),
  },
  {
    name: 'tags-described',
    says: 'Every tag is described and used.',
    broken: ({ tags = [], paths }) => {
      const used = new Set(
        Object.values(paths).flatMap((path) => Object.values(path).flatMap((one) => one.tags ?? [])),
      );
      return tags.filter(({ name, description }) => !description || !used.has(name)).map(({ name }) => name);
    },
  },
  {
    name: 'getting-started-linked',
    says: 'The document leads to a page on getting started.',
    broken: ({ externalDocs }) => (externalDocs?.url ? [] : ['externalDocs']),
  },
];

export const RULES: readonly Rule[] = [...documentRules, ...operationRules, ...responseRules, ...schemaRules];
