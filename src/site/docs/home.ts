import { LIMIT } from '../../http/limit.ts';
import type { Lookup } from '../../lookup/lookup.ts';
import { tools } from '../../mcp/tools.ts';
import type { DocPage } from './page.ts';
import { titleCase } from '../../lib/words.ts';

/** The home page as Markdown. */
export function homeDoc(dependencies: {
  baseUrl: string;
  lookup: Pick<Lookup, 'sources'>;
  specimen: string;
}): DocPage {
  const { baseUrl, lookup, specimen } = dependencies;
  const makes = lookup.sources.flatMap((source) => source.makes.map(titleCase));
  return {
    path: '/',
    title: 'Monroney',
    description: 'A car’s original window sticker by VIN.',
    markdown: () => `# Monroney

Send a 17-character VIN and get the decoded vehicle and that car’s original window sticker (Monroney label): the manufacturer’s PDF byte for byte, and its prices, options and paint as data. Free, no key, no sign-in.

## Requests

- \`GET ${baseUrl}/api/v1/vin/{VIN}\`: the decoded vehicle, and whether it has a sticker
- \`GET ${baseUrl}/api/v1/vin/{VIN}/label\`: what the sticker says, line by line
- \`GET ${baseUrl}/api/sticker/{VIN}\`: the PDF
- \`GET ${baseUrl}/api/sticker/{VIN}/preview\`: the sticker as a picture

Try [\`${specimen}\`](/api/v1/vin/${specimen}), a test VIN that always gets the same response. If \`available\` is null, we don’t know yet; it never means “no sticker”.

## Tools for assistants

MCP over Streamable HTTP at \`${baseUrl}/mcp\`: ${tools.map(({ name }) => `\`${name}\``).join(', ')}. [How to connect](/connect.md).

## Limit

${LIMIT.requests} requests in ${LIMIT.seconds} seconds per IP address; a 429 says how long to wait. Request each VIN once and keep the response. [All limits](/docs/limits.md).

## Makes with stickers

${makes.join(', ')}. For other makes you get the decoded vehicle. [Years and sizes](/makes.md).

## More

[API reference](/docs/api.md) · [OpenAPI](/openapi.json) · [llms.txt](/llms.txt) · [Documentation](/docs.md) · [Status](/status.md)
`,
  };
}
