import { LIMIT } from '../../http/limit.ts';
import type { Lookup } from '../../lookup/find.ts';
import { tools } from '../../mcp/tools.ts';
import type { DocPage } from './page.ts';
import { titleCase } from '../../lib/words.ts';

/** The front door for programs that read: what it is, the requests, the tools, the limit. */
export function homeDoc(parts: {
  baseUrl: string;
  lookup: Pick<Lookup, 'sources'>;
  specimen: string;
}): DocPage {
  const { baseUrl, lookup, specimen } = parts;
  const makes = lookup.sources.flatMap((source) => source.makes.map(titleCase));
  return {
    path: '/',
    title: 'Monroney',
    says: 'A car’s original window sticker by VIN.',
    markdown: () => `# Monroney

A 17-character VIN in; out come the decoded vehicle and the window sticker (Monroney label) that the manufacturer put on that one car: the PDF byte for byte, and its prices, options and paint as data. No key, no sign-in, free.

## Requests

- \`GET ${baseUrl}/api/v1/vin/{VIN}\`: the decoded vehicle, and whether its label is there
- \`GET ${baseUrl}/api/v1/vin/{VIN}/label\`: what the label says, line by line
- \`GET ${baseUrl}/api/sticker/{VIN}\`: the PDF
- \`GET ${baseUrl}/api/sticker/{VIN}/preview\`: the label as a picture

Try [\`${specimen}\`](/api/v1/vin/${specimen}), a VIN that always answers the same. \`available\` null means not known now, never “no label”.

## Tools for assistants

MCP over Streamable HTTP at \`${baseUrl}/mcp\`: ${tools.map(({ name }) => `\`${name}\``).join(', ')}. [How to connect](/connect.md).

## Limit

${LIMIT.requests} requests in ${LIMIT.seconds} seconds per address; a 429 says how long to wait. Ask for each VIN once and keep the answer. [More on it](/docs/limits.md).

## Makes with labels

${makes.join(', ')}. Every other VIN is decoded. [Years and sizes](/makes.md).

## More

[API reference](/docs/api.md) · [OpenAPI](/openapi.json) · [llms.txt](/llms.txt) · [Documentation](/docs.md) · [Status](/status.md)
`,
  };
}
