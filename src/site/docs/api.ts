import type { Specimen } from '../../lookup/specimens/index.ts';
import { operationsOf, type ApiDocument, type ApiField, type ApiOperation } from './operations.ts';
import type { DocPage } from './page.ts';

export type { ApiDocument } from './operations.ts';

export const API_DESCRIPTION =
  'Send a VIN, get the decoded vehicle and the URL of its window sticker. The limit is ten requests in ten seconds per IP address; request each VIN once and keep the response.';

/** The API reference as Markdown; `pages/documents/api.ts` renders the same operations as HTML. */
export function apiPage(dependencies: {
  baseUrl: string;
  specimens: readonly Specimen[];
  openapi(): Promise<ApiDocument>;
}): DocPage {
  return {
    path: '/docs/api',
    title: 'API reference',
    description: API_DESCRIPTION,
    async markdown() {
      const operations = operationsOf(await dependencies.openapi(), dependencies);
      return [
        '# One request, no key',
        API_DESCRIPTION,
        'Machine-readable: [openapi.json](/openapi.json), and JSON schemas of [a lookup](/schemas/vin-response.json), [a reading](/schemas/label.json), [a problem](/schemas/problem.json) and [the status](/schemas/status.json).',
        ...operations.map(operationMarkdown),
      ].join('\n\n');
    },
  };
}

function operationMarkdown(operation: ApiOperation): string {
  const { summary, method, path, description, parameters, fields, errors, curl, response } = operation;
  const list = (title: string, items: readonly ApiField[]) =>
    items.length
      ? [
          `### ${title}`,
          items.map(({ name, kind, description }) => `- \`${name}\` (${kind}): ${description}`).join('\n'),
        ]
      : [];
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    ...list('Parameters', parameters),
    `\`\`\`sh\n${curl}\n\`\`\``,
    `\`\`\`${response.language}\n${response.text}\n\`\`\``,
    ...list('Response', fields),
    '### Other responses',
    errors.map(({ status, description }) => `- ${status}: ${description}`).join('\n'),
  ].join('\n\n');
}
