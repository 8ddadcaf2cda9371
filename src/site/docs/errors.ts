import { problemBody, REASONS, type Reason } from '../../http/problems.ts';
import { table, type DocPage } from './page.ts';

const reasons = Object.keys(REASONS) as Reason[];

export function errorsPage(baseUrl: string): DocPage {
  const description =
    'Every error is a problem document with a sentence for people and a stable reason code for programs.';
  return {
    path: '/docs/errors',
    title: 'Errors',
    description,
    markdown: () =>
      [
        '# Errors',
        `${description} The format is RFC 9457 (\`application/problem+json\`). \`type\` links to one of the pages below.`,
        exampleJson(baseUrl, 'no-label'),
        'A `404` is definitive and may be cached. If we couldn’t reach a manufacturer, you get a `503` with `Retry-After`, never a `404`.',
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
      markdown: () =>
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
