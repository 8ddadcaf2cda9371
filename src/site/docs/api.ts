import type { Specimen } from '../../lookup/specimens/index.ts';
import { operationsOf, type ApiDocument, type ApiField, type ApiOperation } from './operations.ts';
import type { DocPage } from './page.ts';

export type { ApiDocument } from './operations.ts';

export const API_SAYS =
  'Send a VIN, get the decoded vehicle and the address of its window sticker. Ten requests in ten seconds from one address; ask for each VIN once and keep the answer.';

/** The API reference as Markdown; `pages/api.ts` lays the same operations out for people. */
export function apiPage(parts: {
  baseUrl: string;
  specimens: readonly Specimen[];
  openapi(): Promise<ApiDocument>;
}): DocPage {
  return {
    path: '/docs/api',
    title: 'API reference',
    says: API_SAYS,
    async markdown() {
      const operations = operationsOf(await parts.openapi(), parts);
      return [
        '# One request, no key',
        API_SAYS,
        'The same for programs: [openapi.json](/openapi.json), and JSON schemas of [a lookup](/schemas/vin-response.json), [a reading](/schemas/label.json), [a problem](/schemas/problem.json) and [the status](/schemas/status.json).',
        ...operations.map(operationMarkdown),
      ].join('\n\n');
    },
  };
}

function operationMarkdown(operation: ApiOperation): string {
  const { summary, method, path, says, parameters, fields, errors, curl, answer } = operation;
  const list = (title: string, items: readonly ApiField[]) =>
    items.length
      ? [`### ${title}`, items.map(({ name, kind, says }) => `- \`${name}\` (${kind}): ${says}`).join('\n')]
      : [];
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    says,
    ...list('Parameters', parameters),
    `\`\`\`sh\n${curl}\n\`\`\``,
    `\`\`\`${answer.language}\n${answer.text}\n\`\`\``,
    ...list('Answer', fields),
    '### Other answers',
    errors.map(({ status, says }) => `- ${status}: ${says}`).join('\n'),
  ].join('\n\n');
}
