import { problemBody, REASONS, type Reason } from '../../http/problems.ts';
import { createLongWork } from '../../lib/long-work.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import type { Lookup } from '../../lookup/find.ts';
import { tools } from '../../mcp/tools.ts';
import { table, type DocPage } from './page.ts';

const reasons = Object.keys(REASONS) as Reason[];

export function errorsPage(baseUrl: string): DocPage {
  const description =
    'Every error is a problem document with a sentence for people and a stable reason code for programs.';
  return {
    path: '/docs/errors',
    title: 'Errors',
    description,
    markdown: async () =>
      [
        '# Errors',
        `${description} The format is RFC 9457 (\`application/problem+json\`). \`type\` links to one of the pages below.`,
        exampleJson(baseUrl, 'no-label'),
        'A `404` means that there is no sticker to get now, and may be cached for as long as `Cache-Control` says. If we couldn’t reach a manufacturer, you get a `503` with `Retry-After`, never a `404`.',
        table(
          ['Status', 'Reason', 'Title'],
          reasons.map((reason) => [
            REASONS[reason].status,
            `[\`${reason}\`](/errors/${reason})`,
            REASONS[reason].title,
          ]),
        ),
      ].join('\n\n'),
  };
}

/** The pages that a problem's `type` links to. */
export function errorPages(baseUrl: string): DocPage[] {
  return reasons.map((reason) => {
    const { status, title, means, todo } = REASONS[reason];
    return {
      path: `/errors/${reason}`,
      title,
      description: means,
      markdown: async () =>
        [
          `# ${title}`,
          `\`${reason}\`, status ${status}`,
          '## What it means',
          means,
          '## What to do',
          todo,
          '## What it looks like',
          exampleJson(baseUrl, reason),
          '[All errors](/docs/errors)',
        ].join('\n\n'),
    };
  });
}

function exampleJson(baseUrl: string, reason: Reason): string {
  const body = problemBody(baseUrl, { reason, detail: REASONS[reason].means });
  return `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``;
}

const RESPONSES: Record<Specimen['state'], string> = {
  held: 'sticker, `available: true`',
  none: 'no sticker, `available: false`; PDF 404 `no-label`',
  off: 'source off, `available: null` and `note`; PDF 404 `source-off`',
  failed: 'source failed, `available: null` and `warning`; PDF 503 `source-failed`',
  'no-source': '`supported: false`; PDF 404 `make-not-supported` or `manufacturer-unknown`',
};

export function specimensPage(specimens: readonly Specimen[]): DocPage {
  return {
    path: '/docs/specimens',
    title: 'Test VINs',
    description:
      'VINs that always get the same response, on every instance, without contacting a manufacturer.',
    markdown: async () =>
      [
        '# Test VINs',
        'These VINs work like test credit cards: they always get the same response, on every instance, without contacting a manufacturer. Use them to test every outcome. They decode correctly, but no factory uses the serial number `000000`. We drew the stickers ourselves; they are marked SPECIMEN. `warning` says so, and lookups and readings have `sample: true`.',
        table(
          ['VIN', 'Make', 'Shows', 'Response', 'Paint'],
          specimens.map(({ vin, make, shows, state, paint }) => [
            `[\`${vin}\`](/window-sticker/${vin})`,
            make || null,
            shows,
            RESPONSES[state],
            paint ? `${paint.color}${paint.code ? ` (${paint.code})` : ''}` : null,
          ]),
        ),
        'Test VINs count like any other VIN; see [limits](/docs/limits).',
      ].join('\n\n'),
  };
}

/** Each tool with its description, a call and the real result, as Markdown. */
export async function toolsMarkdown(dependencies: {
  lookup: Lookup;
  baseUrl: string;
  specimens: readonly Specimen[];
}): Promise<string> {
  const { lookup, baseUrl, specimens } = dependencies;
  const [held, another] = specimens.filter(({ state }) => state === 'held').map(({ vin }) => vin);
  const none = specimens.find(({ state }) => state === 'none')!.vin;
  const context = { lookup, longWork: createLongWork(), baseUrl };
  const sections: string[] = [];
  for (const tool of tools) {
    const args = tool.example({ held: held!, another: another!, none });
    const { structuredContent, content } = await tool.run(args, context);
    const call = { method: 'tools/call', params: { name: tool.name, arguments: args } };
    sections.push(
      `### ${tool.name}`,
      tool.description,
      fenced('call', call),
      fenced('result', structuredContent ?? { content: content.map(shortened) }),
    );
  }
  return sections.join('\n\n');
}

/** Shortens Base64 image data. */
function shortened<T extends object>(block: T): T {
  return 'data' in block ? { ...block, data: `${String(block.data).slice(0, 24)}…` } : block;
}

function fenced(name: string, value: unknown): string {
  return `\`\`\`json ${name}\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
